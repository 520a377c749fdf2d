"""A layer's parameters and buffers."""

from __future__ import annotations

from collections.abc import Iterable

from shapecheck.ops.shared.arguments import DTypeLike
from shapecheck.spec import NegativeSizeError, Shape, Size, TensorSpec, as_dtype
from shapecheck.spec.dtype import DEFAULT_FLOAT


def parameter(dims: Iterable[Size], dtype: DTypeLike = None) -> TensorSpec:
    """A parameter as torch's layers create it: contiguous, of the default float dtype unless another is given.

    Raises NegativeSizeError for a negative size.
    """
    shape = tuple(dims)
    for size in shape:
        if isinstance(size, int) and size < 0:
            raise NegativeSizeError(f"cannot create a parameter of shape {Shape(shape)}: negative size {size}")
    return TensorSpec.make(Shape(shape), DEFAULT_FLOAT if dtype is None else as_dtype(dtype), "contiguous")
