"""`reveal_shape(x)`: a note that shows what is known about `x`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sized

from shapecheck.ops import ModuleSpec, Other, Unknown
from shapecheck.project.outcomes import UNKNOWN_TEXT
from shapecheck.spec import TensorSpec
from shapecheck.spec.presentation import value_text
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.objects import (
    ClassValue,
    Collection,
    DictValue,
    FunctionValue,
    Instance,
    ListValue,
    ModuleContainer,
    SetValue,
)
from shapecheck.static.domain.summary_collections import element_in_state, is_summary
from shapecheck.static.domain.values import ExternalReference, Method, Partial
from shapecheck.static.engine.run import Run

CODE = "revealed-shape"
NAMES = frozenset(("shapecheck.reveal_shape", "builtins.reveal_shape"))
"""The second is how the name resolves if it is not imported, or only under TYPE_CHECKING."""
_MOST_ITEMS = 8  # shown per collection


def reveal(run: Run, node: ast.AST, args: tuple[Value, ...]) -> Value:
    """Returns the first argument, as at run time, and reports a note that describes it."""
    if not args:
        return Unknown("reveal_shape() without arguments")
    run.tell(CODE, node, described(args[0]))
    return args[0]


def described(value: Value) -> str:
    """Describes what is known about a value, in one line."""
    if isinstance(value, Alternatives):
        return " or ".join(dict.fromkeys(map(described, value.members)))
    if isinstance(value, Unknown):
        return f"{UNKNOWN_TEXT}: {value.reason}" if value.reason else UNKNOWN_TEXT
    if isinstance(value, Collection):
        return _collection(value)
    if isinstance(value, ModuleSpec):
        return _layer(value)
    return next((describe(value) for kind, describe in _DESCRIPTIONS if isinstance(value, kind)), _other(value))


_DESCRIPTIONS: tuple[tuple[type | tuple[type, ...], Callable[..., str]], ...] = (
    (tuple, lambda value: f"({_listed(value)}{',' if len(value) == 1 else ''})"),
    ((str, bytes), lambda value: repr(value)[:200]),
    (Instance, lambda value: value.cls.node.name),
    (ClassValue, lambda value: f"class {value.node.name}"),
    (FunctionValue, lambda value: f"function {value.name}"),
    (Method, lambda value: f"function {value.function.name}"),
    (Partial, lambda value: f"partial of {described(value.function)}"),
    (ExternalReference, lambda value: value.name.removeprefix("builtins.")),
    (Other, lambda value: value.kind),
)


def _other(value: Value) -> str:
    has_text = isinstance(value, (int, float, range)) or type(value).__str__ is not object.__str__
    return str(value) if has_text else value_text(value)


def _collection(value: Collection) -> str:
    if is_summary(value):
        each = described(element_in_state(value.fields))
        return f"{{...: {each}}}" if isinstance(value, DictValue) else f"[{each}, ...]"
    if value.lost:
        return f"{UNKNOWN_TEXT}: a collection changed by unknown code"
    if isinstance(value, ListValue):
        return f"[{_listed(value.items)}]"
    if isinstance(value, DictValue):
        pairs = [f"{key!r}: {described(one)}" for key, one in list(value.items.items())[:_MOST_ITEMS]]
        return f"{{{', '.join([*pairs, *_more(value.items)])}}}"
    if isinstance(value, SetValue):
        return f"{{{_listed(value.items)}}}" if value.items else "set()"
    assert isinstance(value, ModuleContainer)
    return f"{value.kind}({_listed(tuple(value.items.values()))})"


def _listed(values: tuple[Value, ...]) -> str:
    return ", ".join([*map(described, values[:_MOST_ITEMS]), *_more(values)])


def _more(items: Sized) -> list[str]:
    hidden = len(items) - _MOST_ITEMS
    return [f"{hidden} more"] if hidden > 0 else []


def _layer(layer: ModuleSpec) -> str:
    weight = getattr(layer, "weight", None)
    return f"{type(layer).name}(weight {_other(weight)})" if isinstance(weight, TensorSpec) else type(layer).name
