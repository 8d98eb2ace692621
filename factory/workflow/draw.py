"""Draws a workflow's state machine: as Mermaid text, or as a picture."""

from pathlib import Path

import networkx as nx  # type: ignore[import-untyped]

from factory.errors import WorkflowError
from factory.records.workflow import Workflow
from factory.workflow.graph import build_graph
from factory.workflow.mermaid import mermaid
from factory.workflow.picture import save_picture
from factory.workflow.svg import to_svg


def draw(workflow: Workflow, out: Path) -> None:
    """Writes the state machine of a workflow to a file; equal workflows give equal bytes.

    Args:
        workflow: The workflow.
        out: Where to; its ending says what: `.mmd` or `.md` (Mermaid), `.svg` or `.png`.

    Raises:
        WorkflowError: for another ending, a rule that leads nowhere, or a file that cannot be written.
    """
    kind = out.suffix.lower()
    if kind not in (".mmd", ".md", ".svg", ".png"):
        raise WorkflowError(
            f"{out}: cannot draw a `{kind or out.name}` file; end the name in `.mmd` (or `.md`) for Mermaid, "
            "`.svg` or `.png`"
        )
    graph = build_graph(workflow)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        if kind == ".png":
            save_picture(graph, out)
        else:
            out.write_text(_as_text(graph, kind), encoding="utf-8")
    except OSError as exc:
        raise WorkflowError(f"{out}: cannot be written: {exc.strerror}; choose another place") from None


def _as_text(graph: nx.DiGraph, kind: str) -> str:
    if kind == ".svg":
        return to_svg(graph)
    return f"```mermaid\n{mermaid(graph)}```\n" if kind == ".md" else mermaid(graph)
