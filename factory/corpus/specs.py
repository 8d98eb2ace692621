"""Spec files: found by name or path, read, and held against the engines and conditions there are."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from factory.corpus.conditions import ordered_condition
from factory.errors import SpecError
from factory.records.spec import ConditionShare, Spec
from factory.speech import SpeechError, require_known
from factory.workflow.reader import read_yaml
from factory.workflow.yaml_nodes import Location, line_of, parse, parse_place, write_place

SPECS = Path(__file__).resolve().parents[2] / "flows" / "specs"
"""The specs that come with the project."""

_FIGURES = ("snr_db", "packet_loss", "caller_level_db")


def load_spec(name_or_path: str) -> Spec:
    """Reads a spec, by a file's path or by the name of one that comes with the project.

    Raises:
        SpecError: if there is none, it cannot be read, or it names an engine or a condition that there is not; names
            file, line, field and what was expected.
    """
    path = _file(name_or_path)
    spec = read_yaml(path, Spec, SpecError)
    if problems := list(_problems(spec)):
        node, _ = parse(path, SpecError)
        raise SpecError(
            "\n".join(f"{path}:{line_of(node, place)}: {write_place(place)}: {said}" for place, said in problems)
        )
    return spec


@contextmanager
def located(name_or_path: str) -> Iterator[None]:
    """Puts the file before a `SpecError` about a spec, and the line of the field that the message begins with."""
    try:
        yield
    except SpecError as exc:
        path, field = _file(name_or_path), re.match(r"[\w.\[\]-]+(?=: )", str(exc))
        node, _ = parse(path, SpecError)
        line = f":{line_of(node, parse_place(field[0]))}" if field else ""
        raise SpecError(f"{path}{line}: {exc}") from None


def _file(name_or_path: str) -> Path:
    path = Path(name_or_path)
    if path.is_file():
        return path
    named = SPECS / f"{name_or_path}.yaml"
    if "/" in name_or_path or not named.is_file():
        known = ", ".join(sorted(p.stem for p in SPECS.glob("*.yaml")))
        raise SpecError(f"{name_or_path}: neither a file nor one of the specs here ({known})")
    return named


def _problems(spec: Spec) -> Iterator[tuple[Location, str]]:
    """What a spec orders of sound that cannot be had, and where it stands."""
    yield from _problem(("tts",), partial(require_known, spec.tts))
    if spec.sound.stand_in is not None:
        yield from _problem(("sound", "stand_in"), partial(require_known, spec.sound.stand_in))
    for number, share in enumerate(spec.sound.conditions):
        place, plain = ("sound", "conditions", number), ConditionShare(name=share.name)
        unknown = list(_problem((*place, "name"), partial(ordered_condition, plain)))
        yield from unknown
        if not unknown:
            for figure in _FIGURES:  # each alone, for the line on which it stands
                alone = plain.model_copy(update={figure: getattr(share, figure)})
                yield from _problem((*place, figure), partial(ordered_condition, alone))


def _problem(place: Location, check: Callable[[], object]) -> Iterator[tuple[Location, str]]:
    try:
        check()
    except SpeechError as exc:
        said = str(exc).removesuffix(".")
        yield place, said[:1].lower() + said[1:]
