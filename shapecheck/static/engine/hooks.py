"""The moments of a run at which rules are asked, and how a rule enters itself.

@before("softmax-dim", "softmax", "log_softmax")
def without_dim(call: Call) -> None: ...
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from shapecheck.ops import Trait, layers_with, names_with

if TYPE_CHECKING:
    from shapecheck.ops import ModuleSpec
    from shapecheck.static.domain.values import Value
    from shapecheck.static.engine.run import Run

_R = TypeVar("_R", bound=Callable[..., Any])


class Built(NamedTuple):
    """Selects the layers with these traits where they are built, not where they are called."""

    traits: Trait


_Names = str | Trait | Built
"""A name, or what selects several: the operators and layers with some traits."""


class Asked(Generic[_R]):
    """Rules by name. Names are looked up when the first rule is asked for, since traits load all of `ops`."""

    def __init__(self, entries: list[tuple[tuple[_Names, ...], _R]]) -> None:
        self._entries = entries

    def __bool__(self) -> bool:
        return bool(self._entries)

    def get(self, name: str) -> tuple[_R, ...]:
        """The rules for a name, in the order in which they entered themselves."""
        return self._by_name.get(name, ())

    @cached_property
    def _by_name(self) -> Mapping[str, tuple[_R, ...]]:
        found: dict[str, tuple[_R, ...]] = defaultdict(tuple)
        for selected, rule in self._entries:
            for name in dict.fromkeys(name for one in selected for name in _expanded(one)):
                found[name] += (rule,)
        return dict(found)


def _expanded(names: _Names) -> Iterable[str]:
    if isinstance(names, Trait):
        return names_with(names)
    return layers_with(names.traits) if isinstance(names, Built) else (names,)


class OperatorCall(NamedTuple):
    """A call of an operator or a layer: its name without what stands before the last dot, and what it is given."""

    run: Run
    node: ast.AST
    name: str
    args: tuple[Value, ...]
    kwargs: dict[str, Value]
    layer: ModuleSpec | None = None
    """The layer that is called, None for an operator."""

    def argument(self, index: int, name: str, default: Value = None) -> Value:
        """An argument by its place or its name."""
        return self.args[index] if index < len(self.args) else self.kwargs.get(name, default)


class Hook(Generic[_R]):
    """A moment of a run, and the rules that want to be asked then, each for some names."""

    def __init__(self) -> None:
        self._entries: list[tuple[str, tuple[_Names, ...], _R]] = []

    def __call__(self, code: str, *names: _Names) -> Callable[[_R], _R]:
        """Enters a rule that reports `code` and wants to be asked about these names, or those with these traits."""

        def enter(rule: _R) -> _R:
            self._entries.append((code, names, rule))
            return rule

        return enter

    def asked(self, codes: frozenset[str]) -> Asked[_R]:
        """The rules of these codes by name."""
        return Asked([(names, rule) for code, names, rule in self._entries if code in codes])


Before = Callable[[OperatorCall], "Value"]
After = Callable[[OperatorCall, "Value"], "Value"]
OfValue = Callable[["Run", ast.AST, "Value"], None]
OfItems = Callable[["Run", ast.AST, "tuple[Value, ...]", "Value"], None]

before: Hook[Before] = Hook()
"""An operator, `add` or `+`, is about to be applied, a layer, `Linear()`, to be called, or a layer, `Linear`, to be
built. What a rule returns, unless it is None, is the result, and torch is not asked."""
after: Hook[After] = Hook()
"""The same, with the result; a rule returns it, or another one in its place."""
returned: Hook[OfValue] = Hook()
"""A function of this name returns a value."""
method: Hook[OfValue] = Hook()
"""A method of this name, bound to its object, is about to be called."""
repeated: Hook[OfItems] = Hook()
"""A list was made by `[...] * n` (the name is `*`) or by a comprehension (`for`), of these items. It is not known where
its length is not."""
stacked: Hook[OfValue] = Hook()
"""Layers are given to a container of this kind: `Sequential`, `ModuleList`. The value is the tuple of its arguments."""


class HookTable(NamedTuple):
    """The rules that are asked for, by moment and name."""

    before: Asked[Before]
    after: Asked[After]
    returned: Asked[OfValue]
    method: Asked[OfValue]
    repeated: Asked[OfItems]
    stacked: Asked[OfValue]


def registered(codes: frozenset[str]) -> HookTable:
    """Those of the rules which have entered themselves that report these codes."""
    return HookTable(
        before.asked(codes),
        after.asked(codes),
        returned.asked(codes),
        method.asked(codes),
        repeated.asked(codes),
        stacked.asked(codes),
    )
