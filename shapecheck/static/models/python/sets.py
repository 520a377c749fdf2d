"""Sets of plain values: their items are known, their order is not."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ITEMS, SetValue
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.engine.run import Run
from shapecheck.static.models.python.dicts import is_key

_OPERATORS: dict[str, Callable[[set[Value], set[Value]], set[Value]]] = {
    "|": operator.or_,
    "&": operator.and_,
    "-": operator.sub,
    "^": operator.xor,
}
_METHODS = {"union": "|", "intersection": "&", "difference": "-", "symmetric_difference": "^"}


def set_of(items: Iterable[Value]) -> Value:
    """The set of these items; unknown unless it is known which of them are equal."""
    found = tuple(items)
    return SetValue(tuple(dict.fromkeys(found))) if all(map(is_key, found)) else Unknown("a set of unknown values")


def of_sets(symbol: str, left: SetValue, right: SetValue) -> Value:
    """The result of a binary operator on two sets."""
    if left.lost or right.lost or symbol not in _OPERATORS:
        return Unknown("an unknown set")
    kept = _OPERATORS[symbol](set(left.items), set(right.items))
    return set_of(one for one in (*left.items, *right.items) if one in kept)


def of_set(run: Run, receiver: SetValue, name: str, args: Sequence[Value]) -> Value:
    """The result of a method of a set, which may change the set."""
    if name == "copy":
        return SetValue(receiver.items)
    others = [_as_set(one) for one in args]
    if name in _METHODS:
        return Unknown("an unknown set") if None in others else _combined(_METHODS[name], receiver, others)
    if name in ("add", "discard", "remove") and len(args) == 1 and is_key(args[0]):
        rest = tuple(one for one in receiver.items if one != args[0])
        run.journal.write(receiver, ITEMS, (*rest, args[0]) if name == "add" else rest)
        return None
    if name == "update" and len(others) == 1 and others[0] is not None:
        run.journal.write(receiver, ITEMS, tuple(dict.fromkeys((*receiver.items, *others[0].items))))
        return None
    if name not in ("issubset", "issuperset", "isdisjoint"):
        run.journal.lose(receiver)
    return Unknown(f"unsupported {name}() of a set")


def _combined(symbol: str, first: Value, others: Iterable[SetValue | None]) -> Value:
    for one in others:
        first = of_sets(symbol, first, one) if isinstance(first, SetValue) and one is not None else first
    return first


def _as_set(value: Value) -> SetValue | None:
    items = items_of(value)
    made = None if items is None else set_of(items)
    return made if isinstance(made, SetValue) else None


def _set(iterable: Value = ()) -> Value:
    """The result of `set` or `frozenset`."""
    items = items_of(iterable)
    return Unknown("an unknown iterable") if items is None else set_of(items)


FUNCTIONS: dict[str, Callable[..., Value]] = {"builtins.set": _set, "builtins.frozenset": _set}
