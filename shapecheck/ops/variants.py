"""Rules derived from other rules: the in-place form of an operator, and the reflected form of a binary one."""

from __future__ import annotations

from functools import update_wrapper
from typing import Any

from shapecheck.ops.assumptions import equal
from shapecheck.ops.registry import Entry
from shapecheck.spec import CallError, DType, DTypeError, ShapeError, Size, TensorSpec, same
from shapecheck.spec.presentation import value_text

_COMMUTATIVE = frozenset(("add", "mul", "bitwise_and", "bitwise_or", "bitwise_xor"))
_KINDS = {"bool": 0, "unsigned": 1, "signed": 1, "float": 2, "complex": 3}


def reflected(entry: Entry) -> Entry:
    """`__rsub__` from `sub`: the operands are swapped."""

    commutes = entry.name in _COMMUTATIVE

    def rule(self: TensorSpec, other: TensorSpec | Any) -> Any:
        if type(self) is not TensorSpec:
            raise CallError(f"expected a tensor, got {value_text(self)}")
        return entry.function(self, other) if commutes else entry.function(other, self)

    rule.__module__ = entry.function.__module__
    return Entry(entry.name, rule)


def in_place(entry: Entry) -> Entry:
    """`add_` from `add`: the result must have the shape of the first argument, which keeps its dtype and layout."""

    def rule(self: TensorSpec, /, *args: Any, **kwargs: Any) -> Any:
        return fitted(self, entry.function(self, *args, **kwargs))

    return Entry(entry.name + "_", update_wrapper(rule, entry.function))  # with the signature of the operator


def copied(entry: Entry) -> Entry:
    """`permute_copy` from `permute`: a contiguous copy of the view."""

    def rule(*args: Any, **kwargs: Any) -> Any:
        return _contiguous(entry.function(*args, **kwargs))

    rule.__wrapped__ = entry.function  # type: ignore[attr-defined]  # its signature
    rule.__module__ = entry.function.__module__
    return Entry(entry.name + "_copy", rule)


def _contiguous(value: Any) -> Any:
    if isinstance(value, TensorSpec):
        return value.with_layout("contiguous")
    return type(value)(map(_contiguous, value)) if isinstance(value, (tuple, list)) else value


def fitted(self: TensorSpec, result: Any) -> Any:
    """`self` after `result` was written into it; raises ShapeError or DTypeError if they are incompatible."""
    if not isinstance(result, TensorSpec):
        return result
    into, given = self.shape, result.shape
    if into.rank is not None and given.rank is not None:
        message = f"the result is {given}, but the tensor changed in place is {into}"
        if into.rank != given.rank or not all(_fits(a, b, message) for a, b in zip(given, into, strict=True)):
            raise ShapeError(message)
    if self.dtype is not None and result.dtype is not None and not castable(result.dtype, self.dtype):
        raise DTypeError(f"cannot write a result of dtype {result.dtype} in place into a tensor of dtype {self.dtype}")
    return self


def _fits(given: Size, into: Size, message: str) -> bool:
    """Whether a size of the result may be that of the tensor.

    If that is 1, the other operand should not be broadcast: nothing follows for its size, which is rarely always 1.
    """
    return same(given, into) is not False if into == 1 else equal(given, into, message)


def castable(given: DType, into: DType) -> bool:
    """Whether torch writes a result of one dtype into a tensor of another (torch.can_cast)."""
    return _KINDS.get(given.kind, 4) <= _KINDS.get(into.kind, 4) or given == into
