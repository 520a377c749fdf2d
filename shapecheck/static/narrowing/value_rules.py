"""Narrows sizes, tuples, strings, None and other constants by comparisons."""

from __future__ import annotations

import ast
from collections.abc import Callable

from shapecheck.ops import Unknown
from shapecheck.spec import Dim, ShapeError
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.partly_known import PartlyKnown, excluding
from shapecheck.static.domain.sizes import is_size
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.domain.values import EnumMember, ExternalReference
from shapecheck.static.engine.equality import equal, identical, is_member
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.tensor_facts import assume_at_least, assume_equal


def _equals(run: Run, value: Value, other: Value) -> Value:
    """`a == b` of sizes, of tuples of sizes, of strings and of other constants."""
    if equal(value, other) is False:
        raise ShapeError("different values")
    if is_size(value) and is_size(other):
        assume_equal(run, value, other)
    elif type(value) is tuple and type(other) is tuple:
        for one, another in zip(value, other, strict=True):
            _equals(run, one, another)
    elif _is_constant(other) and (type(value) in (Unknown, SymbolicArgument) or isinstance(value, PartlyKnown)):
        return other
    elif value is None and isinstance(other, (int, float, str, tuple, Dim)):
        raise ShapeError("None is neither a number nor a string")
    return value


def _is_constant(value: Value) -> bool:
    """Whether a value that equals this one is this one."""
    return isinstance(value, (str, EnumMember))


def _differs(run: Run, value: Value, other: Value) -> Value:
    if equal(value, other) is True:
        raise ShapeError("the values are equal")
    return excluding(value, (other,))


def _is(run: Run, value: Value, other: Value) -> Value:
    if other is None and not isinstance(value, (Unknown, ExternalReference)) and value is not None:
        raise ShapeError("the value is not None")
    if isinstance(other, bool) and not isinstance(value, (Unknown, ExternalReference)) and value is not other:
        raise ShapeError("the value differs")
    if other is None or isinstance(other, bool):
        return other
    if identical(value, other) is False:
        raise ShapeError("the value is another one")
    return other if isinstance(other, EnumMember) and isinstance(value, Unknown) else value


def _is_not(run: Run, value: Value, other: Value) -> Value:
    if value is other if other is None or isinstance(other, bool) else identical(value, other):
        raise ShapeError("the value is the excluded one")
    return excluding(value, (other,))


def _above(run: Run, value: Value, other: Value) -> Value:
    if type(other) is int:
        assume_at_least(run, value, other + 1)
    return value


def _at_least(run: Run, value: Value, other: Value) -> Value:
    if type(other) is int:
        assume_at_least(run, value, other)
    return value


def _in(run: Run, value: Value, other: Value) -> Value:
    if is_member(value, other) is False:
        raise ShapeError("the value is not among the choices")
    return value


def _not_in(run: Run, value: Value, other: Value) -> Value:
    if is_member(value, other) is True:
        raise ShapeError("the value is among the excluded ones")
    return excluding(value, items_of(other) or ())


VALUE_RULES: dict[type[ast.cmpop], Callable[[Run, Value, Value], Value]] = {
    ast.Eq: _equals,
    ast.NotEq: _differs,
    ast.Is: _is,
    ast.IsNot: _is_not,
    ast.Gt: _above,
    ast.GtE: _at_least,
    ast.In: _in,
    ast.NotIn: _not_in,
}
