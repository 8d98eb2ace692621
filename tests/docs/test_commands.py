import typer

from factory.cli import app
from tests.docs.pages import UPDATE, blocks, page
from tests.docs.reader import followed

PAGE = page("commands.md")


def helps() -> set[str]:
    """The command that asks each verb for its help."""
    found = {"factory --help"}
    waiting = [("factory", typer.main.get_command(app))]
    while waiting:
        name, command = waiting.pop()
        for verb, below in getattr(command, "commands", {}).items():
            found.add(f"{name} {verb} --help")
            waiting.append((f"{name} {verb}", below))
    return found


def test_every_verb_stands_in_the_page_and_nothing_else() -> None:
    shown = {block.body.splitlines()[0].removeprefix("$ ") for block in blocks(PAGE)}
    assert shown == helps()


def test_every_verb_has_a_heading_of_its_own() -> None:
    headings = {line.removeprefix("## ") for line in PAGE.splitlines() if line.startswith("## factory")}
    assert headings == {command.removesuffix(" --help") for command in helps()}


def test_the_help_is_what_the_factory_prints(tmp_path) -> None:  # type: ignore[no-untyped-def]
    assert followed(PAGE, tmp_path) == PAGE, UPDATE
