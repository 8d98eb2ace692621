from tests.docs.pages import WIDTH, Block, blocks, shown, with_bodies

TEXT = "Words.\n\n<!-- run: 1-2 -->\n```console\n$ factory plan demo\nold\n```\n\n```console\n$ not marked\n```\n"


def test_only_marked_blocks_are_blocks() -> None:
    assert blocks(TEXT) == (Block("run", "1-2", "console", "$ factory plan demo\nold\n"),)


def test_a_body_is_replaced_and_nothing_else() -> None:
    new = with_bodies(TEXT, lambda block: "new\n")
    assert new == TEXT.replace("$ factory plan demo\nold\n", "new\n")


def test_lines_that_are_not_chosen_become_one_mark() -> None:
    assert shown("a\nb\nc\nd\ne\n", "1, 4-") == "a\n…\nd\ne\n"


def test_a_long_line_is_folded_at_spaces() -> None:
    folded = shown("word " * 30, "").splitlines()
    assert len(folded) == 2
    assert folded[1].startswith("    word")
    assert max(map(len, folded)) <= WIDTH


def test_digests_are_left_out() -> None:
    assert shown("frozen under 29d4b485f9d94270…; root 0123456789abcdef0123\n", "") == (
        "frozen under <digest>; root <digest>\n"
    )
