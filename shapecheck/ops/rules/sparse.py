"""Constructors of sparse tensors, which have a shape and a dtype; their memory layout is not tracked."""

from __future__ import annotations

from typing import Any

from shapecheck.ops.registry import op, register
from shapecheck.ops.rules.data import as_tensor
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.shared.factories import dtype_given, shape_of
from shapecheck.spec import DType, Shape, TensorSpec, VariadicAxes, unknown


@op("sparse_coo_tensor")
def sparse_coo_tensor(
    indices: object = None,
    values: object = None,
    size: object = None,
    *,
    dtype: object = None,
    device: object = None,
    pin_memory: object = False,
    requires_grad: object = False,
    check_invariants: object = None,
    is_coalesced: object = None,
) -> Tensor:
    """The given size, which may come alone; without it, one per row of the indices, then those of the values."""
    if values is None:
        return _made(shape_of(_sizes(indices if size is None else size)), dtype_given(dtype), device)
    of_values = as_tensor(values)
    wanted = dtype_given(dtype, of_values.dtype)
    if size is not None:
        return _made(shape_of(_sizes(size)), wanted, device)
    rows = as_tensor(indices).shape.at(0)
    if not isinstance(rows, int) or of_values.rank is None:
        return _made(Shape((), VariadicAxes(), ()), wanted, device)
    return _made(Shape((*(unknown(low=0) for _ in range(rows)), *of_values.dims[1:])), wanted, device)


def _compressed(
    compressed_indices: object,
    plain_indices: object,
    values: object,
    size: object = None,
    *,
    dtype: object = None,
    layout: object = None,
    device: object = None,
    pin_memory: object = False,
    requires_grad: object = False,
    check_invariants: object = None,
) -> Tensor:
    """The given size."""
    wanted = dtype_given(dtype, as_tensor(values).dtype)
    return _made(Shape((), VariadicAxes(), ()) if size is None else shape_of(_sizes(size)), wanted, device)


def _sizes(size: Any) -> Any:
    return size


def _made(shape: Shape, dtype: DType | None, device: object) -> Tensor:
    return TensorSpec.make(shape, dtype, "unknown", device if isinstance(device, str) else None)


for _name in ("csr", "csc", "bsr", "bsc", "compressed"):
    register(_compressed, f"sparse_{_name}_tensor")
