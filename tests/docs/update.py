"""Makes everything in the documentation anew that is made by running something: `python -m tests.docs.update`."""

import tempfile
from pathlib import Path

from tests.docs.attacks import with_attacks
from tests.docs.pages import DOCS, page
from tests.docs.reader import followed
from tests.docs.tables import refreshed

PAGES = (
    "first-corpus.md",
    "files.md",
    "commands.md",
    "write-a-workflow.md",
    "new-domain.md",
    "choose-models.md",
    "fake-server.md",
    "freeze.md",
    "flow-report.md",
)
"""The pages that are followed, the one that builds what the others use first."""


def main() -> None:
    """Rewrites the pages, and says which changed."""
    with tempfile.TemporaryDirectory() as folder:
        for name in PAGES:
            new = followed(with_attacks(refreshed(page(name))), Path(folder))
            print(f"docs/{name}: {'as it was' if new == page(name) else 'changed'}")
            (DOCS / name).write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
