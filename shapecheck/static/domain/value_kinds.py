"""What `inspect` and `callable` say about the kind of a value: a function, a class, a method or another object."""

from __future__ import annotations

import ast

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import DType, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.external_bases import is_layer
from shapecheck.static.domain.objects import Collection, FunctionValue, Instance
from shapecheck.static.domain.plain_values import is_plain
from shapecheck.static.domain.runtime_types import is_callable, is_class
from shapecheck.static.domain.torch_names import is_modelled
from shapecheck.static.domain.values import BuiltinMethod, ExternalReference, Method, Partial

FUNCTION, CLASS, METHOD, OBJECT = "function", "class", "method", "object"
ROUTINE = "routine"
"""A function or method of a library, written in Python or not."""
_TRUE_FOR: dict[str, frozenset[str]] = {
    "inspect.isfunction": frozenset((FUNCTION,)),
    "inspect.isclass": frozenset((CLASS,)),
    "inspect.ismethod": frozenset((METHOD,)),
    "inspect.isroutine": frozenset((FUNCTION, METHOD, ROUTINE)),
    "inspect.isbuiltin": frozenset(),
    "inspect.ismodule": frozenset(),
}
"""The predicates, each with the kinds for which it holds."""
PREDICATES = (*_TRUE_FOR, "inspect.iscoroutinefunction", "builtins.callable")
_KNOWN_OF_ROUTINES = ("inspect.isclass", "inspect.isroutine", "inspect.ismodule")
_OBJECTS = (ModuleSpec, TensorSpec, ArraySpec, Collection, Partial, DType)


def kind_of(value: Value) -> str | None:
    """The kind of a value; None if unknown."""
    if isinstance(value, FunctionValue):
        return None if getattr(value.node, "decorator_list", ()) else FUNCTION
    if is_class(value):
        return CLASS
    if isinstance(value, Method):
        return METHOD
    if isinstance(value, BuiltinMethod) or (isinstance(value, ExternalReference) and _is_function(value.name)):
        return ROUTINE
    if isinstance(value, Instance):
        return OBJECT if value.cls.outside().isdisjoint(("?", "builtins.type", "types.ModuleType")) else None
    if isinstance(value, _OBJECTS) or (is_plain(value) and not isinstance(value, Unknown)):
        return OBJECT
    return None


def holds(predicate: str, value: Value) -> bool | None:
    """Whether a predicate holds for a value; None if unknown."""
    if predicate == "builtins.callable":
        return is_callable(value)
    kind = kind_of(value)
    if kind is None:
        return None
    if predicate == "inspect.iscoroutinefunction":
        return False if kind in (CLASS, OBJECT) else _is_coroutine(value)
    if kind is ROUTINE and predicate not in _KNOWN_OF_ROUTINES:
        return None
    return kind in _TRUE_FOR[predicate]


def _is_function(name: str) -> bool:
    """Whether a name of torch denotes a function with a model."""
    return is_modelled(name) and not is_layer(name) and name not in ("torch.device", "torch.dtype")


def _is_coroutine(value: Value) -> bool | None:
    function = value.function if isinstance(value, Method) else value
    return isinstance(function.node, ast.AsyncFunctionDef) if isinstance(function, FunctionValue) else None
