"""The frame of a new workflow: every part with a comment that says why, and a mark where an author has to write."""

import os
from pathlib import Path

from factory.errors import WorkflowError
from factory.records.enums import Direction, InterruptionType, Profile, Speech
from factory.templates import render
from factory.workflow.library import Library
from factory.workflow.reader import ID, SUFFIX, leads_inside

_TEMPLATE = Path(__file__).with_name("skeleton.yaml.j2")

_CALLERS = (
    (Profile.RUSHED, Speech.BRISK, (3, 4, 2, 1, 1, 1)),
    (Profile.WARY, Speech.POLITE, (5, 1, 2, 1, 1, 1)),
    (Profile.FRUSTRATED, Speech.BRISK, (5, 3, 2, 1, 1, 1)),
    (Profile.CHATTY, Speech.FOLKSY, (2, 1, 3, 4, 2, 1)),
    (Profile.UNSURE, Speech.HESITANT, (3, 1, 3, 2, 2, 2)),
    (Profile.COOPERATIVE, Speech.POLITE, (3, 1, 4, 2, 1, 2)),
    (Profile.WARY, Speech.HESITANT, (4, 1, 3, 1, 2, 1)),
    (Profile.RUSHED, Speech.PLAIN, (4, 5, 1, 1, 1, 2)),
    (Profile.CHATTY, Speech.PLAIN, (3, 1, 3, 3, 2, 2)),
)
"""Callers beside the example: profile, way of speaking, and weights in the order of the types. No two are alike."""


def skeleton(workflow_id: str, direction: Direction) -> str:
    """The text of a new workflow file, which has no findings but gaps."""
    callers = [
        {
            "profile": profile.value,
            "speaks": speech.value,
            "weights": "{" + ", ".join(f"{k.value}: {w}" for k, w in zip(InterruptionType, weights, strict=True)) + "}",
        }
        for profile, speech, weights in _CALLERS
    ]
    return render(_TEMPLATE, id=workflow_id, direction=direction.value, callers=callers)


def place_for(workflow_id: str, folder: Path, library: Library) -> Path:
    """Where a new workflow's file belongs in a folder; nothing is written.

    Raises:
        WorkflowError: if the id is none or is taken, or its place leads out of the folder.
    """
    if not ID.fullmatch(workflow_id):
        raise WorkflowError(
            f"`{workflow_id}` is no id of a workflow; write DOMAIN/GOAL in lower-case letters, digits and underscores, "
            "a letter first, such as `sales_outreach/book_meeting`"
        )
    path = folder / f"{workflow_id}{SUFFIX}"
    for there in (path, path.with_suffix(".yml")):
        if os.path.lexists(there):
            raise WorkflowError(f"{there}: is there already and stays as it is; choose another name for the goal")
    if workflow_id in library.ids:
        raise WorkflowError(f"{library.path(workflow_id)}: has the id `{workflow_id}` already; choose another")
    if not leads_inside(path.parent, folder):
        raise WorkflowError(f"{path.parent}: is a link that leads out of {folder}; choose another domain or folder")
    return path
