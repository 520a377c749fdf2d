"""The names of the sizes of one signature: those that the author uses, each for one size."""

from __future__ import annotations

import keyword
import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import reduce

from shapecheck.static.observing.signature_facts import CallFacts, Kind, ShapeFacts, SizeFacts, ValueFacts

_NO_NAME = re.compile(r"d\d+|dim\d*|_.*|x|size|shape|n_?\d+")
_ANCHOR = re.compile(r"@[^\W\d]\w*:-?\d+")
_LONGEST = 40
_DEEPEST_PATH = 4
BATCH = "batch"


class AxisNames:
    """Writes the sizes of one signature. The sizes of the arguments are written first, in order."""

    def __init__(self, facts: CallFacts, *, first: str | None = None, names_all: bool = True) -> None:
        self._names_all = names_all
        """Whether a size that occurs once may have a name."""
        self._first = None if first is None else f"@{first}:0"
        """The place of the batch, if it has no other name."""
        values = (*facts.arguments.values(), facts.result)
        self._free = sum((_uses(one, _sizes) for one in values), Counter())
        self._run_uses = sum((_uses(one, _run) for one in values), Counter())
        self._run_names: dict[int, str] = {}
        self._broadcast = self._runs_broadcast(facts)
        """The runs of the arguments that the result is broadcast from, and its own."""
        self._names: dict[int, str] = {}
        self._placed: dict[str, str] = {}
        self.reasons: dict[str, str] = {}
        """Why each axis is written as it is."""

    def axis(self, size: SizeFacts, places: tuple[str, ...], *, in_list: bool = False) -> str:
        """The text of one axis; `places` are its names in expressions, none for an axis of the result."""
        text, why = self._text(size, places, in_list=in_list)
        if text != "_":
            self._placed |= dict.fromkeys(places, text)
        self.reasons.setdefault(text, why)
        return text

    @property
    def has_broadcast(self) -> bool:
        """Whether the result is broadcast from arguments of any shape."""
        return bool(self._broadcast)

    def is_broadcast(self, shape: ShapeFacts) -> bool:
        """Whether a shape is one that the result is broadcast from, or that of the result."""
        return shape.tail is not None and shape.run in self._broadcast

    def broadcast(self) -> str:
        """The text of a shape that the result is broadcast from."""
        taken = {*self._run_names.values(), *self._names.values()}
        text = "*#shape" if "shape" not in taken else "*#broadcast"
        self.reasons.setdefault(text, "dimensions that broadcast with one another")
        return text

    def _runs_broadcast(self, facts: CallFacts) -> frozenset[int]:
        result = facts.result
        given = {name: one for name, one in facts.arguments.items() if name in result.broadcasts}
        shapes = [one.shape for one in given.values() if one.shape is not None and one.shape.says_nothing]
        if result.shape is None or result.shape.tail is None or not shapes:
            return frozenset()
        every = [*shapes, result.shape]
        return frozenset() if any(map(self.is_shared, every)) else frozenset(one.run for one in every)

    def is_shared(self, shape: ShapeFacts) -> bool:
        """Whether the dimensions of unknown number occur several times."""
        return self._run_uses[shape.run] > 1

    def run(self, shape: ShapeFacts, *, in_list: bool = False) -> str:
        """The text of the dimensions of unknown number: with a name if they occur several times."""
        if in_list or not self.is_shared(shape):
            return "..."
        if shape.run not in self._run_names:
            wanted = "shape" if shape.says_nothing else "batch" if not shape.head else "rest"
            taken = {*self._run_names.values(), *self._names.values()}
            candidates = (wanted, *(f"{wanted}{number}" for number in range(2, 100)))
            self._run_names[shape.run] = next(one for one in candidates if one not in taken)
        text = f"*{self._run_names[shape.run]}"
        self.reasons.setdefault(text, "any number of dimensions, the same ones wherever it occurs")
        return text

    def seed(self, size: SizeFacts, name: str, place: str) -> None:
        """Uses a name that an annotation of the author gives to a size."""
        self._names.setdefault(size.key, name)
        self._placed[place] = name

    def _text(self, size: SizeFacts, places: tuple[str, ...], *, in_list: bool) -> tuple[str, str]:
        if size.number is not None:
            return str(size.number), size.why or "the only size that works"
        if size.paths and size.paths[0].count(".") + size.paths[0].count("[") <= _DEEPEST_PATH:
            return f"{{{size.paths[0]}}}", f"always equals {size.paths[0]}"
        if size.key in self._names:
            return self._names[size.key], "the same size in the same call"
        if not size.is_variable and (written := self._expression(size)) is not None:
            return written, "computed from other sizes"
        return ("_", "not known") if in_list else self._named(size, places)

    def _named(self, size: SizeFacts, places: tuple[str, ...]) -> tuple[str, str]:
        wanted = next(iter(_usable(size.names)), None)
        is_shared = self._free[size.key] > 1
        if wanted is None and self._first in places and BATCH not in self._names.values():
            wanted = BATCH
        if not is_shared and (wanted is None or not self._names_all):
            return "_", "any size"
        if not places and not is_shared:
            return "_", "not related to the arguments"
        why = (
            "a name in the source"
            if wanted in size.names
            else size.why or "a name for a size that occurs several times"
        )
        name = self._new(size, wanted)
        self._names[size.key] = name
        return name, why

    def _new(self, size: SizeFacts, wanted: str | None) -> str:
        taken = {*self._names.values(), *self._run_names.values()}
        base = wanted or "n"
        candidates = [*_usable(size.names), base, *(f"{base}{number}" for number in range(2, 100))]
        return next(one for one in candidates if one not in taken)

    def _expression(self, size: SizeFacts) -> str | None:
        if size.expression is None or len(size.expression) > _LONGEST or "?" in size.expression:
            return None
        places = _ANCHOR.findall(size.expression)
        if any(place not in self._placed for place in places):
            return None
        text = _ANCHOR.sub(lambda found: self._placed[found[0]], size.expression)
        return text if len(text) <= _LONGEST and not _ANCHOR.search(text) else None


def _uses(value: ValueFacts, keys: Callable[[ShapeFacts], Iterable[int]]) -> Counter[int]:
    """How often the keys of shapes occur in one call: only one member of a union does, and items of lists differ."""
    if value.kind is Kind.LIST:
        return Counter()
    inner = [_uses(one, keys) for one in value.items]
    if value.kind is Kind.UNION:
        return reduce(operator.or_, inner)
    return sum(inner, Counter(() if value.shape is None else keys(value.shape)))


def _sizes(shape: ShapeFacts) -> Iterator[int]:
    return (one.key for one in (*shape.head, *(shape.tail or ())))


def _run(shape: ShapeFacts) -> Iterator[int]:
    """The dimensions of unknown number."""
    if shape.tail is not None:
        yield shape.run


def _usable(names: Iterable[str]) -> Iterator[str]:
    return (one for one in names if one.isidentifier() and not keyword.iskeyword(one) and not _NO_NAME.fullmatch(one))
