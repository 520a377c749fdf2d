"""Hooks: the points of a run at which rules are called, and how a rule registers itself.

@before("softmax-dim", "softmax", "log_softmax")
def without_dim(call: Call) -> None: ...
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from shapecheck.ops import Trait, layers_with, names_with

if TYPE_CHECKING:
    from shapecheck.ops import ModuleSpec
    from shapecheck.static.domain.values import Value
    from shapecheck.static.engine.run import Run

_R = TypeVar("_R", bound=Callable[..., object])


class Built(NamedTuple):
    """Selects the layers with these traits when they are built, not when they are called."""

    traits: Trait


_Names = str | Trait | Built
"""A name, or the operators and layers with some traits."""


class RulesByName(Generic[_R]):
    """Rules by name. Traits are resolved on the first lookup, because that loads all of `ops`."""

    def __init__(self, entries: list[tuple[tuple[_Names, ...], _R]]) -> None:
        self._entries = entries

    def __bool__(self) -> bool:
        return bool(self._entries)

    def get(self, name: str) -> tuple[_R, ...]:
        """The rules for a name, in the order of registration."""
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
    """A call of an operator or a layer: the last part of its name, and its arguments."""

    run: Run
    node: ast.AST
    name: str
    args: tuple[Value, ...]
    kwargs: dict[str, Value]
    layer: ModuleSpec | None = None
    """The layer that is called; None for an operator."""

    def argument(self, index: int, name: str, default: Value = None) -> Value:
        """An argument by position or name."""
        return self.args[index] if index < len(self.args) else self.kwargs.get(name, default)


class Hook(Generic[_R]):
    """A point of a run, and the rules registered for it, each for some names."""

    def __init__(self) -> None:
        self._entries: list[tuple[str, tuple[_Names, ...], _R]] = []

    def __call__(self, code: str, *names: _Names) -> Callable[[_R], _R]:
        """Registers a rule that reports `code` for these names, or those with these traits."""

        def register(rule: _R) -> _R:
            self._entries.append((code, names, rule))
            return rule

        return register

    def with_codes(self, codes: frozenset[str]) -> RulesByName[_R]:
        """The rules with these codes by name."""
        return RulesByName([(names, rule) for code, names, rule in self._entries if code in codes])


Before = Callable[[OperatorCall], "Value"]
After = Callable[[OperatorCall, "Value"], "Value"]
OfValue = Callable[["Run", ast.AST, "Value"], None]
OfItems = Callable[["Run", ast.AST, "tuple[Value, ...]", "Value"], None]

before: Hook[Before] = Hook()
"""Before an operator (`add` or `+`) is applied, a layer called (`Linear()`) or built (`Linear`). If a rule returns a
value, it is the result, and the operator is not evaluated."""
after: Hook[After] = Hook()
"""After the same events; a rule returns the result, or replaces it."""
returned: Hook[OfValue] = Hook()
"""When a function with this name returns a value."""
method: Hook[OfValue] = Hook()
"""Before a bound method with this name is called."""
repeated: Hook[OfItems] = Hook()
"""After a list is made of these items by `[...] * n` (named `*`) or by a comprehension (named `for`). It is Unknown if
its length is unknown."""
stacked: Hook[OfValue] = Hook()
"""When a container of this kind (`Sequential`, `ModuleList`) is built. The value is the tuple of its arguments."""


class HookTable(NamedTuple):
    """The active rules, by hook and name."""

    before: RulesByName[Before]
    after: RulesByName[After]
    returned: RulesByName[OfValue]
    method: RulesByName[OfValue]
    repeated: RulesByName[OfItems]
    stacked: RulesByName[OfValue]


def registered(codes: frozenset[str]) -> HookTable:
    """The registered rules that report these codes."""
    return HookTable(
        before.with_codes(codes),
        after.with_codes(codes),
        returned.with_codes(codes),
        method.with_codes(codes),
        repeated.with_codes(codes),
        stacked.with_codes(codes),
    )
