"""The moments of a run at which rules are asked, and how a rule enters itself.

@before("softmax-dim", "softmax", "log_softmax")
def without_dim(call: Call) -> None: ...
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from shapecheck.ops import ModuleSpec
    from shapecheck.static.domain.values import Value
    from shapecheck.static.engine.machine import Machine

_R = TypeVar("_R", bound=Callable[..., Any])
_Asked = Mapping[str, tuple[_R, ...]]


class Call(NamedTuple):
    """A call of an operator or a layer: its name without what stands before the last dot, and what it is given."""

    machine: Machine
    node: ast.AST
    name: str
    args: tuple[Value, ...]
    kwargs: dict[str, Value]
    layer: ModuleSpec | None = None
    """The layer that is called, None for an operator."""

    def argument(self, index: int, name: str, default: Value = None) -> Value:
        """An argument by its place or its name."""
        return self.args[index] if index < len(self.args) else self.kwargs.get(name, default)


class Moment(Generic[_R]):
    """A moment of a run, and the rules that want to be asked then, each for some names."""

    def __init__(self) -> None:
        self._entries: list[tuple[str, tuple[str, ...], _R]] = []

    def __call__(self, code: str, *names: str) -> Callable[[_R], _R]:
        """Enters a rule that reports `code` and wants to be asked about these names."""

        def enter(rule: _R) -> _R:
            self._entries.append((code, names, rule))
            return rule

        return enter

    def asked(self, codes: frozenset[str]) -> _Asked[_R]:
        """The rules of these codes by name."""
        found: dict[str, tuple[_R, ...]] = defaultdict(tuple)
        for code, names, rule in self._entries:
            for name in names if code in codes else ():
                found[name] += (rule,)
        return dict(found)


Before = Callable[[Call], "Value"]
After = Callable[[Call, "Value"], "Value"]
OfValue = Callable[["Machine", ast.AST, "Value"], None]
OfItems = Callable[["Machine", ast.AST, "tuple[Value, ...]", "Value"], None]

before: Moment[Before] = Moment()
"""An operator, `add` or `+`, is about to be applied, a layer, `Linear()`, to be called, or a layer, `Linear`, to be
built. What a rule returns, unless it is None, is the result, and torch is not asked."""
after: Moment[After] = Moment()
"""The same, with the result; a rule returns it, or another one in its place."""
returned: Moment[OfValue] = Moment()
"""A function of this name returns a value."""
method: Moment[OfValue] = Moment()
"""A method of this name, bound to its object, is about to be called."""
repeated: Moment[OfItems] = Moment()
"""A list was made by `[...] * n` (the name is `*`) or by a comprehension (`for`), of these items. It is not known where
its length is not."""
stacked: Moment[OfValue] = Moment()
"""Layers are given to a container of this kind: `Sequential`, `ModuleList`. The value is the tuple of its arguments."""


class Rules(NamedTuple):
    """The rules that are asked for, by moment and name."""

    before: _Asked[Before]
    after: _Asked[After]
    returned: _Asked[OfValue]
    method: _Asked[OfValue]
    repeated: _Asked[OfItems]
    stacked: _Asked[OfValue]


def entered(codes: frozenset[str]) -> Rules:
    """Those of the rules which have entered themselves that report these codes."""
    return Rules(
        before.asked(codes),
        after.asked(codes),
        returned.asked(codes),
        method.asked(codes),
        repeated.asked(codes),
        stacked.asked(codes),
    )
