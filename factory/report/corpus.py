"""A finished run → `reports/corpus.html` and one page for each of its conversations."""

import re
from collections.abc import Iterator
from pathlib import Path

from factory.calls.tally import SoundTally
from factory.corpus.coverage import Coverage
from factory.errors import RunError
from factory.records.blueprint import SUCCESS
from factory.records.enums import DEPTH_BANDS, band_name
from factory.records.run import RunIdentity
from factory.report.call import CallSound, call_page, write_call_page
from factory.report.charts import Entry, bars, histogram
from factory.report.coverage import CoverageTable, write_pictures
from factory.report.history import read_history
from factory.report.labels import TYPES, outcome, words
from factory.report.pages import asset, policy, template
from factory.report.quality import QualityTable, quality_table
from factory.report.rows import RowSpool, row_of, row_spool
from factory.report.sound_table import SoundTable, sound_table
from factory.report.tally import Tally, ordered
from factory.run.files import replacing
from factory.run.folder import RunFolder
from factory.workflow.library import Library

_SAFE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def write_corpus_report(folder: RunFolder, library: Library) -> Path:
    """Writes the report of a finished run: an index with charts and coverage, and a page for every call.

    Conversations are read one at a time; equal runs give equal bytes. The pages need neither a network nor
    a server, and link the run's audio by relative addresses.

    Args:
        folder: The run; it must be finished and frozen.
        library: Where its workflows are.

    Returns:
        The index, `reports/corpus.html`.

    Raises:
        RunError: if the run is not finished, is damaged, or the pages cannot be written.
        WorkflowError: if a workflow of the run cannot be read.
    """
    identity, root = folder.identity(), folder.manifest().root
    index, tally, sound_tally = folder.corpus_report, Tally(), SoundTally(identity.spec.sound.most_misheard)
    coverage = Coverage(library, identity.workflows)
    with row_spool(folder.reports) as rows:
        for blueprint in folder.built():
            conversation_id = _plain(folder, blueprint.conversation_id)
            history, workflow = read_history(folder, conversation_id), library.workflow(blueprint.workflow)
            sound = None
            if identity.audio:
                timeline = folder.timeline(conversation_id)
                sound = CallSound(timeline, folder.call_file(conversation_id, identity.formats[0]).name)
                sound_tally.add(timeline)
            page = call_page(folder, blueprint, history, workflow, identity.audio, sound)
            write_call_page(folder.call_report(conversation_id), page)
            tally.add(blueprint, history)
            coverage.add(blueprint)
            rows.add(row_of(blueprint, history, workflow))
        table, quality = write_pictures(folder, library, coverage), quality_table(folder)
        heard = sound_table(sound_tally)
        with replacing(index) as file:
            for text in _index(identity, root, tally, table, quality, heard, rows):
                file.write(text.encode())
    return index


def _plain(folder: RunFolder, conversation_id: str) -> str:
    """The id, if it can name a file of its own in the reports' folder."""
    if not _SAFE_ID.fullmatch(conversation_id):
        raise RunError(
            f"{folder.blueprints_file}: the id {conversation_id!r} cannot name a file; the file is damaged, "
            "build with --fresh"
        )
    return conversation_id


def _index(
    identity: RunIdentity,
    root: str,
    tally: Tally,
    coverage: CoverageTable,
    quality: QualityTable | None,
    sound: SoundTable | None,
    rows: RowSpool,
) -> Iterator[str]:
    """The index in pieces, so that a long list never stands in memory as a whole."""
    heard = ("corpus_sound.css",) if sound else ()
    style, script = asset("base.css", "corpus.css", "coverage.css", "quality.css", *heard), asset("corpus.js")
    order = ordered(identity, tally, len(DEPTH_BANDS))
    return template("corpus.html.j2").generate(
        identity=identity,
        root=root,
        writers=_writers(identity),
        tally=tally,
        partial=order.partial,
        interruptions_ordered=sum(order.types.values()),
        by_type=bars([Entry(words(k), tally.types[k], order.types.get(k, 0), f"type-{k.value}") for k in TYPES]),
        by_depth=bars(
            [
                Entry(band_name(b).replace("-", "–"), tally.bands[b], order.bands.get(b, 0))
                for b in range(len(DEPTH_BANDS))
            ]
        ),
        by_domain=bars([Entry(words(d), n) for d, n in sorted(tally.domains.items())]),
        by_outcome=bars(_most_first({outcome(o): n for o, n in tally.outcomes.items()}, outcome(SUCCESS))),
        by_rerun=bars(_most_first({words(r): n for r, n in tally.reruns.items()})),
        by_drop=bars(_most_first({words(r): n for r, n in tally.drops.items()})),
        lengths=histogram(tally.lengths),
        coverage=coverage,
        quality=quality,
        sound=sound,
        rows=rows,
        style=style.text,
        script=script.text,
        policy=policy(
            style_src=style.source, script_src=script.source, frame_src="'self' file:", img_src="'self' file:"
        ),
    )


def _writers(identity: RunIdentity) -> dict[str, list[str]]:
    """The models that write, each with its roles; empty where the composer does."""
    roles: dict[str, list[str]] = {}
    for role, played in (identity.models or {}).items():
        roles.setdefault(played.model, []).append(words(role.value).lower())
    return roles


def _most_first(counts: dict[str, int], first: str = "") -> list[Entry]:
    """Counts from the greatest to the least, equal ones by name; one of them may come before all others."""
    order = sorted(counts.items(), key=lambda entry: (entry[0] != first, -entry[1], entry[0]))
    return [Entry(label, number) for label, number in order]
