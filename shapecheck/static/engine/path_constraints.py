"""What asserts and conditions taught about sizes on the way to the place that is being run."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shapecheck.spec import Size, unknown
from shapecheck.spec.facts import Facts
from shapecheck.static.domain.abstract_values import Slot
from shapecheck.static.domain.substitution import substitute
from shapecheck.static.domain.values import Object, Shared, Value

NOTHING = Facts()
FACTS = Slot("facts")
"""The field that holds what is known."""


class PathConstraints(Shared):
    """The facts of a run, in the field `facts`: it changes through the journal, so that a branch takes them back."""

    __slots__ = ("_bounded",)

    def __init__(self) -> None:
        super().__init__({FACTS: NOTHING})
        self._bounded: dict[tuple[Size, int], Size] = {}

    @property
    def facts(self) -> Facts:
        """The facts as they are now."""
        return self.fields[FACTS]  # type: ignore[no-any-return]

    def settled(self, value: Value) -> Value:
        """A size, a tensor or a tuple of them with what is learnt put in."""
        facts = self.facts
        return value if facts is NOTHING else substitute(value, facts.apply)

    def bounded(self, size: Size, name: str, least: int) -> Size:
        """What stands for a size that nobody knows once it is known to be at least this: the same in every branch."""
        return self._bounded.setdefault((size, least), unknown(name, low=least))


def size_agreement(
    alternatives: Sequence[dict[tuple[Object, str], Value]],
) -> Callable[[Size, Size], Size | None]:
    """Says which size two sizes are that stand in the one and the other of two branches.

    After `if n == 1`, what is 1 in that branch and n in the other is n in both.
    """
    learnt = [_learnt(changes) for changes in alternatives] if len(alternatives) == 2 else [NOTHING, NOTHING]
    first, second = learnt

    def agree(one: Size, other: Size) -> Size | None:
        if one == other:
            return one
        if first is not NOTHING and first.apply(other) == one:
            return other
        return one if second is not NOTHING and second.apply(one) == other else None

    return agree


def _learnt(changes: dict[tuple[Object, str], Value]) -> Facts:
    return next((value for (target, _), value in changes.items() if isinstance(target, PathConstraints)), NOTHING)
