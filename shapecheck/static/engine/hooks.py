"""The points of a run at which rules are called, and how a rule registers for them.

@before("softmax-dim", "softmax", "log_softmax")
def without_dim(call: OperatorCall) -> None: ...
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from shapecheck.ops import Trait, layers_with, names_with
from shapecheck.static.engine.torch_words import in_torch_words

if TYPE_CHECKING:
    from shapecheck.ops import ModuleSpec
    from shapecheck.static.domain.abstract_values import Value
    from shapecheck.static.engine.run import Run

_R = TypeVar("_R", bound=Callable[..., object])


class Built(NamedTuple):
    """Selects a class of layers, or those with these traits, when a layer is built."""

    layers: str | Trait


class Called(NamedTuple):
    """Selects a class of layers when a layer is called."""

    layer: str


class InPlace(NamedTuple):
    """Selects the in-place forms of operators with these traits: `add_`."""

    operators: Trait


_Selector = str | Trait | Built | Called | InPlace
"""An operator by its name; the operators, and the layers when they are called, with some traits; or layers."""


class Asked(Generic[_R]):
    """Rules by name. Selectors are resolved when the first rule is looked up, because traits load all of `ops`."""

    def __init__(self, entries: list[tuple[tuple[_Selector, ...], _R]]) -> None:
        self._entries = entries

    def __bool__(self) -> bool:
        return bool(self._entries)

    def get(self, name: str, layer: ModuleSpec | None = None) -> tuple[_R, ...]:
        """The rules for a name, or for a layer that is called, in the order in which they were registered."""
        return self._by_name.get(name, ()) if layer is None else self._by_layer.get(layer.name, ())

    @cached_property
    def _by_name(self) -> Mapping[str, tuple[_R, ...]]:
        return self._by(_names)

    @cached_property
    def _by_layer(self) -> Mapping[str, tuple[_R, ...]]:
        return self._by(_called_layers)

    def _by(self, expand: Callable[[_Selector], Iterable[str]]) -> Mapping[str, tuple[_R, ...]]:
        found: dict[str, tuple[_R, ...]] = defaultdict(tuple)
        for selectors, rule in self._entries:
            for name in dict.fromkeys(name for one in selectors for name in expand(one)):
                found[name] += (rule,)
        return dict(found)


def _names(selector: _Selector) -> Iterable[str]:
    """The operators that a selector means, and the classes of layers that are built."""
    if isinstance(selector, Trait):
        return names_with(selector)
    if isinstance(selector, Called):
        return ()
    if isinstance(selector, InPlace):
        return (f"{name}_" for name in names_with(selector.operators) if name[-1].isalpha())
    if isinstance(selector, str):
        return (selector,)
    return layers_with(selector.layers) if isinstance(selector.layers, Trait) else (selector.layers,)


def _called_layers(selector: _Selector) -> Iterable[str]:
    """The classes of layers that a selector means when they are called."""
    if isinstance(selector, Trait):
        return layers_with(selector)
    return (selector.layer,) if isinstance(selector, Called) else ()


class AbstractCall(NamedTuple):
    """A call of an operator or a layer: its name without the namespace, and its arguments."""

    run: Run
    node: ast.AST
    name: str
    args: tuple[Value, ...]
    kwargs: dict[str, Value]
    layer: ModuleSpec | None = None
    """The layer that is called; None for an operator, or a layer that is built."""
    operator: str = ""
    """The full name of an operator: `torch.linalg.norm`."""

    def argument(self, index: int, name: str, default: Value = None) -> Value:
        """An argument by position or name."""
        return self.args[index] if index < len(self.args) else in_torch_words(self.kwargs).get(name, default)


class AbstractComparison(NamedTuple):
    """A comparison of two values: `==`, `!=`, `in` or `not in`."""

    run: Run
    node: ast.Compare
    op: str
    left: ast.expr
    right: ast.expr
    values: tuple[Value, Value]


class RuleHook(Generic[_R]):
    """A point of a run at which rules are called, each for some names."""

    def __init__(self) -> None:
        self._entries: list[tuple[str, tuple[_Selector, ...], _R]] = []

    def __call__(self, code: str, *selectors: _Selector) -> Callable[[_R], _R]:
        """Registers a rule that reports `code`, for these operators and layers."""

        def register(rule: _R) -> _R:
            self._entries.append((code, selectors, rule))
            return rule

        return register

    def asked(self, codes: frozenset[str]) -> Asked[_R]:
        """The rules of these codes by name."""
        return Asked([(selectors, rule) for code, selectors, rule in self._entries if code in codes])


Before = Callable[[AbstractCall], "Value"]
After = Callable[[AbstractCall, "Value"], "Value"]
OfValue = Callable[["Run", ast.AST, "Value"], None]
OfComparison = Callable[[AbstractComparison], None]
OfAttribute = Callable[["Run", ast.AST, "Value", str], None]
OfItems = Callable[["Run", ast.AST, "tuple[Value, ...]", "Value"], None]
OfLayers = Callable[["Run", ast.AST, "tuple[Value, ...]"], None]

before: RuleHook[Before] = RuleHook()
"""Before an operator, `add` or `+`, is applied, a layer is called or a layer is built. If a rule does not return None,
that is the result, and the operator's own rule is not consulted."""
after: RuleHook[After] = RuleHook()
"""After that, with the result; a rule returns it, or a replacement."""
discarded: RuleHook[OfValue] = RuleHook()
"""After a call of a function or method of this name whose result is not used: an expression that is a statement."""
assigned: RuleHook[OfValue] = RuleHook()
"""When a statement assigns a value, before it does; registered for `=`."""
followed: RuleHook[After] = RuleHook()
"""After any operator or layer that receives a tensor with a fact (`domain.followed_axes`); registered for `*`."""
returned: RuleHook[OfValue] = RuleHook()
"""When a function of this name returns a value."""
method: RuleHook[OfValue] = RuleHook()
"""Before a bound method of this name is called."""
unfound: RuleHook[OfAttribute] = RuleHook()
"""When an attribute is read that neither an object nor its class is known to have; registered for `*`."""
compared: RuleHook[OfComparison] = RuleHook()
"""When two values are compared by this operator."""
repeated: RuleHook[OfItems] = RuleHook()
"""When a list was made of these items by `[...] * n` (the name is `*`) or by a comprehension (`for`). The list is
Unknown if its length is."""
stacked: RuleHook[OfLayers] = RuleHook()
"""When layers are passed to a container of this class: `Sequential`, `ModuleList`. The value is the tuple of its
arguments."""


class HookTable(NamedTuple):
    """The selected rules by hook and name."""

    before: Asked[Before]
    after: Asked[After]
    discarded: Asked[OfValue]
    assigned: Asked[OfValue]
    followed: Asked[After]
    returned: Asked[OfValue]
    method: Asked[OfValue]
    unfound: Asked[OfAttribute]
    compared: Asked[OfComparison]
    repeated: Asked[OfItems]
    stacked: Asked[OfLayers]


def registered(codes: frozenset[str]) -> HookTable:
    """The registered rules that report these codes."""
    return HookTable(
        before.asked(codes),
        after.asked(codes),
        discarded.asked(codes),
        assigned.asked(codes),
        followed.asked(codes),
        returned.asked(codes),
        method.asked(codes),
        unfound.asked(codes),
        compared.asked(codes),
        repeated.asked(codes),
        stacked.asked(codes),
    )
