"""Narrows tensors by the kind of their dtype: `torch.is_complex(x)`, `x.is_floating_point()`, `x.dtype.is_complex`."""

from __future__ import annotations

from collections.abc import Callable

from shapecheck.spec import ShapeError, TensorSpec, as_dtype
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import one_of

_COMPLEX = (as_dtype("torch.complex64"), as_dtype("torch.complex128"))


def _is_complex(value: Value, outcome: bool) -> Value:
    """A tensor of unknown dtype has one of the complex ones, so that a second test is decided."""
    if not isinstance(value, TensorSpec):
        return value
    if value.dtype is None:
        return one_of([value.with_dtype(one) for one in _COMPLEX]) if outcome else value
    if value.dtype.is_complex is not outcome:
        raise ShapeError(f"the dtype is {value.dtype}")
    return value


def _is_floating(value: Value, outcome: bool) -> Value:
    if isinstance(value, TensorSpec) and value.dtype is not None and value.dtype.is_floating is not outcome:
        raise ShapeError(f"the dtype is {value.dtype}")
    return value


DTYPE_TESTS: dict[str, Callable[[Value, bool], Value]] = {
    "is_complex": _is_complex,
    "is_floating_point": _is_floating,
}
