"""Path constraints: the facts about sizes and ranks that the way to the running code implies."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shapecheck.spec import ShapeError, Size, unknown
from shapecheck.spec.facts import Facts
from shapecheck.static.domain.abstract_values import AbstractValue, Field, Slot, Value
from shapecheck.static.domain.objects import Object, Shared
from shapecheck.static.domain.substitution import substitute
from shapecheck.static.engine.rank_facts import NO_RANKS, RankFacts

NOTHING = Facts()
FACTS = Slot("facts")
"""The field that holds the KnownFacts."""
RANKS = Slot("ranks")
"""The field that holds the KnownRanks."""


class KnownFacts(AbstractValue):
    """Facts as the value of a field, so that the journal restores them."""

    __slots__ = ("facts",)
    key_slots = ("facts",)

    def __init__(self, facts: Facts) -> None:
        self.facts = facts


class KnownRanks(AbstractValue):
    """Rank facts as the value of a field, so that the journal restores them."""

    __slots__ = ("ranks",)
    key_slots = ("ranks",)

    def __init__(self, ranks: RankFacts) -> None:
        self.ranks = ranks


_NOTHING_KNOWN = KnownFacts(NOTHING)
_NO_RANKS_KNOWN = KnownRanks(NO_RANKS)


class PathConstraints(Shared):
    """The facts of a run. Their fields change through the journal, so that undoing a branch restores them."""

    __slots__ = ("_bounded",)

    def __init__(self) -> None:
        super().__init__({FACTS: _NOTHING_KNOWN, RANKS: _NO_RANKS_KNOWN})
        self._bounded: dict[tuple[Size, int], Size] = {}

    @property
    def facts(self) -> Facts:
        """The facts as they are now."""
        known = self.fields[FACTS]
        return known.facts if isinstance(known, KnownFacts) else NOTHING

    @property
    def ranks(self) -> RankFacts:
        """The rank facts as they are now."""
        known = self.fields[RANKS]
        return known.ranks if isinstance(known, KnownRanks) else NO_RANKS

    def settled(self, value: Value) -> Value:
        """A size, a tensor or a tuple of them, with the facts applied."""
        if self.fields[RANKS] is not _NO_RANKS_KNOWN:
            value = self.ranks.apply(value)
        if self.fields[FACTS] is _NOTHING_KNOWN:  # without a call of `facts`, because every read of a name asks
            return value
        facts = self.facts
        return value if facts is NOTHING else substitute(value, facts.apply)

    def bounded(self, size: Size, name: str, least: int) -> Size:
        """The size that replaces an unknown size once a lower bound is known: the same one in every branch."""
        return self._bounded.setdefault((size, least), unknown(name, low=least))


def joined_constraint(before: Value, values: Sequence[Value]) -> Value:
    """What holds after several branches: facts about sizes that are the same in all, and ranks that all agree on."""
    if all(one is values[0] for one in values):
        return values[0]
    ranks = [one.ranks for one in values if isinstance(one, KnownRanks)]
    if len(ranks) < len(values):
        return before
    joined = ranks[0].joined(ranks[1:])
    kept = (one for one in (_NO_RANKS_KNOWN, before) if isinstance(one, KnownRanks) and one.ranks == joined)
    return next(kept, KnownRanks(joined))


def size_agreement(
    alternatives: Sequence[dict[tuple[Object, Field], Value]],
) -> Callable[[Size, Size], Size | None]:
    """Returns a function that determines which size two sizes are, one from each of two branches.

    After `if n == 1`, what is 1 in that branch and n in the other is n in both.
    """
    learned = [_facts_in(changes) for changes in alternatives] if len(alternatives) == 2 else [NOTHING, NOTHING]
    first, second = learned

    def agree(one: Size, other: Size) -> Size | None:
        if one == other:
            return one
        if first is not NOTHING and _is_value(first, other, one):
            return other
        return one if second is not NOTHING and _is_value(second, one, other) else None

    return agree


def _is_value(facts: Facts, size: Size, value: Size) -> bool:
    """Whether a size has this value in a branch; it has none if a divisor is 0 there."""
    try:
        return facts.apply(size) == value
    except ShapeError:
        return False


def _facts_in(changes: dict[tuple[Object, Field], Value]) -> Facts:
    return next((value.facts for value in changes.values() if isinstance(value, KnownFacts)), NOTHING)
