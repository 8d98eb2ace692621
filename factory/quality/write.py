"""`reports/quality.json`: written behind a build, and computed again by `factory verify`."""

from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from factory.quality.measure import measure
from factory.records.quality import QualityReport
from factory.run.done import Done
from factory.run.files import write_text
from factory.run.folder import RunFolder
from factory.run.reading import MOST_RECORD_BYTES, read_bytes
from factory.workflow.library import Library


def write_quality(folder: RunFolder, library: Library) -> Path:
    """Measures a finished run and writes `reports/quality.json`; equal runs give equal bytes.

    Raises:
        RunError: if a conversation is not finished or damaged, or the file cannot be written.
        WorkflowError: if a workflow of the run cannot be read.
    """
    write_text(folder.quality_file, measure(folder, library).model_dump_json(indent=2) + "\n")
    return folder.quality_file


def quality_faults(folder: RunFolder, library: Library, done: Done | None = None) -> Iterator[str]:
    """Where `reports/quality.json` is not what the run's files come to, one line each; nothing if it is.

    Some figures need the workflows that the run was made from. Where the library has others by now, the report is
    left as it is. Each call that is measured counts as a part that is done.

    Raises:
        RunError: if a conversation of the run is not finished or damaged.
    """
    place = folder.name_of(folder.quality_file)
    if any(not library.holds(i, digest) for i, digest in folder.identity().workflows.items()):
        return
    if not folder.quality_file.is_file():
        yield f"{place}: is missing"
        return
    try:
        written = QualityReport.from_json(read_bytes(folder.quality_file, MOST_RECORD_BYTES))
    except (OSError, ValidationError):
        yield f"{place}: is damaged"
        return
    found = measure(folder, library, done)
    theirs = {figure.id: figure for figure in written.figures}
    differing = [figure.id for figure in found.figures if theirs.get(figure.id) != figure]
    for figure_id in differing:
        yield f"{place}: `{figure_id}` is not what the calls come to"
    if written != found and not differing:
        yield f"{place}: was not measured on the calls of this run"
