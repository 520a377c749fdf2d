"""Structural equality of modules, such as the layers that a loop appends.

Unknown sizes are equal up to renaming: `Linear(?, ?)` of one round is that of the next one if both sizes of the first
are different, or equal, like those of the second.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shapecheck.ops import ModuleSpec
from shapecheck.spec import Dim, Shape, Size, TensorSpec
from shapecheck.spec.dim import has_unnamed, is_variable, substitute
from shapecheck.static.domain.abstract_values import Field, Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.join import same_value
from shapecheck.static.domain.objects import SUMMARY, Instance, ModuleContainer
from shapecheck.static.domain.structure import key as key_of
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.domain.unknown_options import UNKNOWN_KINDS

_DEEPEST = 8


def structurally_equal(one: Value, other: Value) -> bool:
    """Whether two values have the same class, and equal fields and layers. What is unknown of both is equal."""
    return _Comparison().equal(one, other)


class _Comparison:
    """A comparison of two values, with the unknown sizes of the other one that correspond to those of the first one."""

    def __init__(self) -> None:
        self._renamed: dict[Dim, Size] = {}

    def equal(self, one: Value, other: Value, depth: int = 0) -> bool:
        """Whether two parts of the values are equal."""
        if isinstance(one, Dim) and isinstance(other, Dim):
            return self._equal_sizes(one, other)
        if isinstance(one, TensorSpec) and isinstance(other, TensorSpec):
            return self._equal_tensors(one, other)
        if one is other or same_value(one, other) or _are_unknown(one, other):
            return True
        return type(one) is type(other) and depth <= _DEEPEST and self._equal_parts(one, other, depth)

    def _equal_parts(self, one: Value, other: Value, depth: int) -> bool:
        """Whether two modules, tuples or alternatives of one kind are equal."""
        if isinstance(one, ModuleSpec):
            return self._equal_fields(vars(one), vars(other), depth)
        if isinstance(one, Instance) and isinstance(other, Instance):
            return one.cls is other.cls and self._equal_fields(one.fields, other.fields, depth)
        if isinstance(one, ModuleContainer) and isinstance(other, ModuleContainer):
            return one.kind == other.kind and self._equal_fields(_parts(one), _parts(other), depth)
        if isinstance(one, Alternatives) and isinstance(other, Alternatives):
            return self._equal_items(one.members, other.members, depth)
        return isinstance(one, tuple) and isinstance(other, tuple) and self._equal_items(one, other, depth)

    def _equal_fields(self, one: Mapping[Any, Value], other: Mapping[Any, Value], depth: int) -> bool:
        return one.keys() == other.keys() and all(self.equal(one[name], other[name], depth + 1) for name in one)

    def _equal_items(self, one: tuple[Value, ...], other: tuple[Value, ...], depth: int) -> bool:
        return len(one) == len(other) and all(self.equal(*pair, depth + 1) for pair in zip(one, other, strict=True))

    def _equal_tensors(self, one: TensorSpec, other: TensorSpec) -> bool:
        if one.rank is None or one.rank != other.rank:
            return one == other
        if not all(map(self._equal_sizes, one.dims, other.dims)):
            return False
        return same_value(one.with_shape(Shape()), other.with_shape(Shape()))

    def _equal_sizes(self, one: Size, other: Size) -> bool:
        if is_variable(one) and is_variable(other) and has_unnamed(one) and has_unnamed(other):
            return self._correspond(one, other)
        return substitute(one, self._renamed) == other

    def _correspond(self, one: Size, other: Size) -> bool:
        """Whether two unknown sizes are in the same place everywhere."""
        if one not in self._renamed and other not in self._renamed.values() and isinstance(one, Dim):
            self._renamed[one] = other
        return isinstance(one, Dim) and self._renamed.get(one) == other


def _are_unknown(one: Value, other: Value) -> bool:
    """Whether the same is known of two unknown values: nothing, or that they are computed from one argument."""
    if isinstance(one, SymbolicArgument) and isinstance(other, SymbolicArgument):
        return key_of(one) == key_of(other)
    return type(one) is type(other) and type(one) in UNKNOWN_KINDS


def _parts(value: ModuleContainer) -> Mapping[Field, Value]:
    parts: dict[Field, Value] = {"lost": value.lost, **{f"item {name}": one for name, one in value.items.items()}}
    return parts | {"each": value.fields[SUMMARY]} if SUMMARY in value.fields else parts
