"""The root of a freeze: what it depends on, and what it does not."""

from hypothesis import given
from hypothesis import strategies as st

from factory.records.run import EarlierFreeze, FrozenItem
from factory.run.freeze import manifest_root

digests = st.text("0123456789abcdef", min_size=64, max_size=64)
frozen = st.builds(FrozenItem, rubric=digests, controls=digests, item=digests)
items = st.dictionaries(st.text(max_size=6), frozen, min_size=1, max_size=9)
FIRST = EarlierFreeze(version=1, root="a" * 64, reason="A wrong date")
LEDGER = "c" * 64
SECOND = EarlierFreeze(version=2, root="b" * 64, reason="A missing step")


@given(items)
def test_the_order_in_which_items_are_listed_does_not_count(of: dict[str, FrozenItem]) -> None:
    assert manifest_root(dict(reversed(of.items())), LEDGER) == manifest_root(of, LEDGER)


@given(items, st.data())
def test_every_digest_every_name_and_every_item_counts(of: dict[str, FrozenItem], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(of)))
    field = data.draw(st.sampled_from(["rubric", "controls", "item"]))
    other = data.draw(digests.filter(lambda digest: digest != getattr(of[name], field)))
    root = manifest_root(of, LEDGER)
    rest = {other_name: digest for other_name, digest in of.items() if other_name != name}
    assert manifest_root(of | {name: of[name].model_copy(update={field: other})}, LEDGER) != root
    assert manifest_root(rest, LEDGER) != root
    assert manifest_root(rest | {name + "-": of[name]}, LEDGER) != root


def test_two_items_that_change_places_change_the_root() -> None:
    one, two = (FrozenItem(rubric=c * 64, wording=c * 64, controls=c * 64, item=c * 64) for c in "12")
    assert manifest_root({"a#1": one, "b#1": two}, LEDGER) != manifest_root({"a#1": two, "b#1": one}, LEDGER)


def test_earlier_versions_their_order_and_their_reasons_count() -> None:
    chains = [(), (FIRST,), (SECOND,), (FIRST, SECOND), (SECOND, FIRST), (FIRST.model_copy(update={"reason": "x"}),)]
    assert len({manifest_root({}, LEDGER, chain) for chain in chains}) == len(chains)


@given(items, digests.filter(lambda digest: digest != LEDGER))
def test_the_ledger_counts(of: dict[str, FrozenItem], other: str) -> None:
    assert manifest_root(of, other) != manifest_root(of, LEDGER)
