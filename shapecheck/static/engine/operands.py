"""Conversion of values to operands of `ops`, and of its results to values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shapecheck.ops import Unknown
from shapecheck.spec import Dim, DType, DTypeError, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.distributions import DistributionSpec
from shapecheck.static.domain.objects import (
    AttributeNamespace,
    ClassValue,
    Collection,
    DictValue,
    FunctionValue,
    Instance,
    ListValue,
    ModuleContainer,
    SetValue,
)
from shapecheck.static.domain.open_sizes import OpenSizes
from shapecheck.static.domain.placeholders import NegativeDefault
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.domain.values import (
    BuiltinMethod,
    DatasetPart,
    EnumMember,
    ExternalReference,
    Method,
    Partial,
    SliceWindow,
    SummarySequence,
    TypeAlias,
)

_OPAQUE = (
    ArraySpec,
    DistributionSpec,
    FunctionValue,
    Method,
    ClassValue,
    Instance,
    AttributeNamespace,
    BuiltinMethod,
    Partial,
    ModuleContainer,
    SummarySequence,
    SetValue,
    EnumMember,
    DatasetPart,
    TypeAlias,
)
_MAX_NESTED = 8
"""How deep collections may be nested; one may contain itself."""
_UNCHANGED = frozenset((TensorSpec, Dim, DType, Unknown, int, float, bool, str, type(None)))


def to_ops(value: Value, depth: int = 0) -> Any:  # operators take anything, also lists and types
    """The operand of `ops` for a value; `depth` is the number of collections around it."""
    if type(value) in _UNCHANGED:
        return value
    if isinstance(value, Collection) and (value.lost or depth > _MAX_NESTED):
        return Unknown("an unknown collection")
    of_kind = _CONVERTED.get(type(value))
    if of_kind is not None:
        return of_kind(value, depth + 1) if depth <= _MAX_NESTED else Unknown("a deeply nested collection")
    if isinstance(value, OpenSizes):
        return value.spec.shape
    if type(value) is SymbolicArgument:
        size = value.known_size
        return size if value.is_integer and size is not None else Unknown(value.reason, size)
    if isinstance(value, Unknown):  # rules know no more precise kinds
        return Unknown(value.reason)
    if isinstance(value, _OPAQUE):
        return Unknown("an object of the project")
    return value


_CONVERTED: dict[type, Callable[..., object]] = {
    tuple: lambda value, depth: tuple([to_ops(one, depth) for one in value]),
    ListValue: lambda value, depth: [to_ops(one, depth) for one in value.items],
    DictValue: lambda value, depth: {key: to_ops(one, depth) for key, one in value.items.items()},
    slice: lambda value, depth: slice(*[_bound(one, depth) for one in (value.start, value.stop, value.step)]),
    NegativeDefault: lambda value, _: int(value),
    SliceWindow: lambda value, depth: slice(None, to_ops(value.length, depth)),  # as long as one that starts at 0
    ExternalReference: lambda value, _: _external(value.name),
}


def _bound(value: Value, depth: int) -> Any:
    """A bound of a slice; a number of rows to be replaced is unknown."""
    return Unknown("a default to be replaced") if type(value) is NegativeDefault else to_ops(value, depth)


_PYTHON_TYPES = {"builtins.float": float, "builtins.int": int, "builtins.bool": bool, "builtins.complex": complex}


def _external(name: str) -> object:
    if name in _PYTHON_TYPES:
        return _PYTHON_TYPES[name]
    if name.startswith("torch.") and name.count(".") == 1:
        from shapecheck.spec import as_dtype  # noqa: PLC0415 - dtypes alone need it

        try:
            return as_dtype(name)
        except DTypeError:
            return name if name in _FORMATS else Unknown(name)
    return _CONSTANTS.get(name, Unknown(name))


_FORMATS = frozenset(
    (
        "torch.channels_last",
        "torch.channels_last_3d",
        "torch.contiguous_format",
        "torch.preserve_format",
        "torch.strided",
    )
)
_CONSTANTS = {
    "math.pi": 3.141592653589793,
    "math.inf": float("inf"),
    "torch.inf": float("inf"),
    "builtins.Ellipsis": ...,
}


def from_ops(answer: Any) -> Value:  # operators return anything
    """The value for a result of `ops`."""
    return ListValue(tuple(map(from_ops, answer))) if type(answer) is list else answer
