"""YAML as it stands in the file: plain text scalars, and the line on which something is written."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

import yaml

from factory.errors import WorkflowError

MAX_BYTES = 2_000_000
"""A larger file is refused: no authored workflow comes near it."""

Plain: TypeAlias = "str | list[Plain] | dict[str, Plain]"
"""What a file of plain texts, lists and mappings holds."""

Location = tuple[int | str, ...]
"""The way to a value: keys, positions in lists, or the `id` of a list's element."""


class PlainLoader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):  # type: ignore[misc]
    """Reads every scalar as text: `no` is a word here, not a boolean."""

    yaml_implicit_resolvers: dict[str, list[object]] = {}  # noqa: RUF012  (PyYAML's own attribute)


def parse(path: Path, error: type[Exception] = WorkflowError) -> tuple[yaml.Node, Plain]:
    """Reads a YAML file of plain texts, lists and mappings.

    Returns:
        The node tree, which knows lines, and the data.

    Raises:
        error: The file cannot be read, is not YAML, is empty, or holds a duplicate key, an alias or a tag.
    """
    text = _read_text(path, error)
    try:
        node = yaml.compose(text, Loader=PlainLoader)
        if node is None:
            raise error(f"{path}:1: the file is empty; write its fields in it")
        _check_plain(node, path, error)
        return node, _data(node)
    except yaml.MarkedYAMLError as exc:
        line = exc.problem_mark.line + 1 if exc.problem_mark else 1
        raise error(f"{path}:{line}: not valid YAML: {exc.problem or exc.context}") from None
    except yaml.YAMLError as exc:
        raise error(f"{path}: not valid YAML: {' '.join(str(exc).split())}") from None
    except RecursionError:
        raise error(f"{path}: nested too deeply to be a file of this kind") from None


def line_of(node: yaml.Node, location: Location) -> int:
    """The line (from 1) of the deepest part of a location that the file has."""
    line = node.start_mark.line
    for step in _walk(node, location):
        line = step.start_mark.line
    return line + 1


def locate(path: Path, place: str) -> int:
    """The line (from 1) on which a place such as `stages.verify.acts.ask_account.say[2]` is written."""
    return locate_all(path, [place])[0]


def locate_all(path: Path, places: Iterable[str]) -> list[int]:
    """As `locate`, for many places of one file, which is read once."""
    node, _ = parse(path)
    return [line_of(node, parse_place(place)) for place in places]


def parse_place(place: str) -> Location:
    """A place as written in a finding, in its parts."""
    return tuple(
        int(index) if index else name for name, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", place) if name or index
    )


def write_place(location: Location) -> str:
    """A location as written in an error: `stages[0].acts[2].say`."""
    name = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return name.lstrip(".") or "file"


def _read_text(path: Path, error: type[Exception]) -> str:
    try:
        if path.exists() and not path.is_file():
            raise error(f"{path}: cannot be read: it is not an ordinary file")
        if path.stat().st_size > MAX_BYTES:
            raise error(f"{path}: larger than {MAX_BYTES:,} bytes, so it is not read")
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise error(f"{path}: there is no such file") from None
    except UnicodeDecodeError as exc:
        raise error(f"{path}: not UTF-8 text (byte {exc.start}); save it as UTF-8") from None
    except OSError as exc:
        raise error(f"{path}: cannot be read: {exc.strerror}") from None


_PLAIN_TAGS = frozenset(f"tag:yaml.org,2002:{kind}" for kind in ("str", "map", "seq"))


def _check_plain(node: yaml.Node, path: Path, error: type[Exception]) -> None:
    """Refuses duplicate keys, non-text keys and shared nodes (aliases), which hide what is said."""
    seen: set[int] = set()
    stack = [node]
    while stack:
        current = stack.pop()
        if id(current) in seen:
            raise error(f"{path}:{current.start_mark.line + 1}: YAML aliases are not used here; write it out")
        seen.add(id(current))
        if current.tag not in _PLAIN_TAGS:
            raise error(f"{path}:{current.start_mark.line + 1}: YAML tags such as `{current.tag}` are not used here")
        if isinstance(current, yaml.MappingNode):
            keys: set[str] = set()
            for key, value in current.value:
                if not isinstance(key, yaml.ScalarNode):
                    raise error(f"{path}:{key.start_mark.line + 1}: a key must be plain text")
                if key.value in keys:
                    raise error(f"{path}:{key.start_mark.line + 1}: {key.value}: the key stands here twice")
                keys.add(key.value)
                stack.append(value)
        elif isinstance(current, yaml.SequenceNode):
            stack.extend(current.value)


def _data(node: yaml.Node) -> Plain:
    """The data of a tree that `_check_plain` has passed."""
    if isinstance(node, yaml.MappingNode):
        return {key.value: _data(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_data(element) for element in node.value]
    text: str = node.value
    return text


def _walk(node: yaml.Node, location: Location) -> Iterator[yaml.Node]:
    """The nodes along a location.

    A part that the file does not have is passed over: a union's tag, a validator's own wrapping, or
    `default` where the author wrote a plain list.
    """
    yield node
    for part in location:
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if key.value == part:
                    yield key
                    node = value
                    break
        elif isinstance(node, yaml.SequenceNode):
            element = _element(node, part)
            if element is not None:
                node = element
                yield node


def _element(node: yaml.SequenceNode, part: int | str) -> yaml.Node | None:
    """The element of a list at a position or with an `id`."""
    elements: list[yaml.Node] = node.value
    if isinstance(part, int):
        return elements[part] if part < len(elements) else None
    for element in elements:
        if isinstance(element, yaml.MappingNode):
            for key, value in element.value:
                if key.value == "id" and value.value == part:
                    return element
    return None
