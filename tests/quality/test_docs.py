import re

from factory.quality.bars import BARS
from factory.quality.manner import PHRASES, REPAIRS, SAID_TWICE, SOUNDS
from factory.report.quality import bar_text
from tests.docs.pages import page

PAGE = page("quality.md")


def test_the_page_has_the_bars_of_the_code() -> None:
    rows = re.findall(r"^\| `(\w+)` \|(?: (.*?))? \|(?: (.*?))? \|$", PAGE, re.MULTILINE)
    assert rows == [
        (figure.value, bar_text(bars.unit, bars.corpus), bar_text(bars.unit, bars.workflow))
        for figure, bars in BARS.items()
    ]


def test_the_page_lists_every_imperfection() -> None:
    said = {name: set(re.split(r", | or ", cell.split(" as a word")[0])) for name, cell in kinds().items()}
    assert said["hesitation"] == SOUNDS
    assert {phrase.lower() for phrase in said["words that win time"]} == {" ".join(phrase) for phrase in PHRASES}
    assert {" ".join(repair) in PAGE.lower() for repair in REPAIRS} == {True}
    assert all(re.search(rf"\b{word}\b", kinds()["restart"]) for word in SAID_TWICE)


def kinds() -> dict[str, str]:
    """The cells of the table of imperfections by their kind."""
    table = PAGE.partition("| kind | what counts |\n| --- | --- |\n")[2].partition("\n\n")[0]
    return {kind: cell for kind, cell in (line.strip("| ").split(" | ") for line in table.splitlines())}
