"""Draws a workflow's state machine: as Mermaid text, or as a picture."""

from pathlib import Path

from factory.errors import WorkflowError
from factory.records.workflow import Workflow
from factory.workflow.graph import build_graph
from factory.workflow.mermaid import mermaid
from factory.workflow.picture import save_picture


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
        if kind in (".svg", ".png"):
            save_picture(graph, out)
        else:
            text = mermaid(graph)
            out.write_text(f"```mermaid\n{text}```\n" if kind == ".md" else text, encoding="utf-8")
    except OSError as exc:
        raise WorkflowError(f"{out}: cannot be written: {exc.strerror}; choose another place") from None
