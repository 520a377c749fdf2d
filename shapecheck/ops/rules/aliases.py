"""The same tensor, or a copy of it with the same sizes: detach, contiguous, clone, complex views, resize_."""

from __future__ import annotations

from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Tensor, fresh, need_equal
from shapecheck.ops.shared.arguments import sizes as as_sizes
from shapecheck.ops.traits import Trait
from shapecheck.spec import DTypeError, LayoutError, Shape, ShapeError, TensorSpec, same
from shapecheck.spec.dtype import bfloat16
from shapecheck.spec.presentation import value_text
from shapecheck.spec.strides import laid_out, preserved, strides_of

_RANK = {"channels_last": 4, "channels_last_3d": 5}


@op("detach", "alias", "detach_", "lift", "lift_fresh", "positive_alias")
def detach(input: Tensor) -> Tensor:
    """The same tensor."""
    return input


def in_format(input: Tensor, memory_format: Any) -> Tensor:
    """A tensor like the input in a memory format; raises ShapeError if the format requires another rank."""
    name = "contiguous_format" if memory_format is None else str(memory_format).removeprefix("torch.")
    if name == "preserve_format":
        return preserved(input)
    expected = _RANK.get(name)
    if expected is None:
        return input.with_layout("contiguous")
    if input.rank not in (expected, None):
        raise ShapeError(f"expected a {expected}-D input for torch.{name}, got shape {input.shape}")
    return input.with_layout("channels_last")


@op("contiguous", traits=Trait.KEEPS_AXES | Trait.KEEPS_MAXIMUM)
def contiguous(input: Tensor, memory_format: Any = None) -> Tensor:
    """The same tensor if it already has the layout, otherwise a copy."""
    return in_format(input, memory_format)


@op("clone", traits=Trait.KEEPS_MAXIMUM)
def clone(input: Tensor, *, memory_format: Any = "preserve_format") -> Tensor:
    """A copy."""
    return in_format(input, "preserve_format" if memory_format is None else memory_format)


@op("to_dense")
def to_dense(input: Tensor, dtype: Any = None, *, masked_grad: object = None) -> Tensor:
    """A dense copy of a sparse tensor."""
    return input.with_layout("unknown") if dtype is None else input.with_dtype(dtype).with_layout("unknown")


@op("to_sparse", "to_sparse_coo", "to_sparse_csr", "to_sparse_csc", "to_sparse_bsr", "to_sparse_bsc")
def to_sparse(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """The same sizes, stored without zeros."""
    return TensorSpec.make(input.shape, input.dtype, "unknown", input.device)


@op("view_as_real")
def view_as_real(input: Tensor) -> Tensor:
    """Complex (...) gives real (..., 2)."""
    if input.dtype is not None and not input.dtype.is_complex:
        raise DTypeError(f"expected a complex input, got {input.dtype}")
    dtype = None if input.dtype is None else input.dtype.to_real()
    if input.rank is None:
        return input.with_shape(input.shape.inserted(-1, 2)).with_dtype(dtype)
    strides = strides_of(input)
    doubled = None if strides is None else (*(stride * 2 for stride in strides), 1)
    return laid_out(input.with_dtype(dtype), (*input.dims, 2), doubled)


@op("view_as_complex")
def view_as_complex(input: Tensor) -> Tensor:
    """Real (..., 2) gives complex (...)."""
    dtype = input.dtype
    if dtype is not None and (not dtype.is_floating or dtype is bfloat16 or dtype.itemsize < 2):
        raise DTypeError(f"expected an input of dtype torch.float16, torch.float32 or torch.float64, got {dtype}")
    complex_dtype = None if dtype is None else dtype.to_complex()
    if input.rank == 0:
        raise ShapeError("expected at least 1 dimension, got shape ()")
    last = input.shape.at(-1)
    if last is not None:
        need_equal(last, 2, f"expected the last dimension of the input to be 2, got {last} (shape {input.shape})")
    if input.rank is None:
        return input.with_shape(input.shape.without(-1)).with_dtype(complex_dtype)
    if input.layout == "contiguous":
        return input.with_shape(Shape(input.dims[:-1]), "contiguous").with_dtype(complex_dtype)
    strides = strides_of(input)
    return laid_out(input.with_dtype(complex_dtype), input.dims[:-1], None if strides is None else _halved(strides))


def _halved(strides: tuple[Any, ...]) -> tuple[Any, ...]:
    if same(strides[-1], 1) is False:
        raise LayoutError(
            f"expected the last dimension to have stride 1, got {value_text(strides[-1])}; call .contiguous()"
        )
    for stride in strides[:-1]:
        if same(stride % 2, 0) is False:
            raise LayoutError(
                f"expected every stride but the last to be divisible by 2, got {Shape(strides)}; call .contiguous()"
            )
    return tuple(stride // 2 for stride in strides[:-1])


@op("real")
def real(input: Tensor) -> Tensor:
    """The real part: a view of a complex tensor; any other tensor unchanged."""
    if input.dtype is None:
        return input.with_layout("unknown")
    return _part(input) if input.dtype.is_complex else input


@op("imag")
def imag(input: Tensor) -> Tensor:
    """The imaginary part of a complex tensor."""
    if input.dtype is None:
        return input.with_layout("unknown")
    if not input.dtype.is_complex:
        raise DTypeError(f"expected a complex input, got {input.dtype}")
    return _part(input)


def _part(input: Tensor) -> Tensor:
    assert input.dtype is not None
    part = input.with_dtype(input.dtype.to_real())
    strides = strides_of(input)
    if input.rank is None or strides is None:
        return part.with_layout("unknown")
    return laid_out(part, input.dims, tuple(stride * 2 for stride in strides))


@op("resize_", "resize", traits=Trait.RESHAPES_IN_PLACE)
def resize_(input: Tensor, *size: Any, memory_format: Any = None) -> Tensor:
    """The tensor with other sizes, which may have a different number of elements."""
    wanted = as_sizes(size)
    if any(type(one) is int and one < 0 for one in wanted):
        raise ShapeError(f"expected non-negative sizes, got {Shape(wanted)}")
    if wanted == input.shape:
        return input
    return in_format(fresh(wanted, input.dtype, input), memory_format)


@op("resize_as_", "resize_as", traits=Trait.RESHAPES_IN_PLACE)
def resize_as_(input: Tensor, the_template: Tensor, *, memory_format: Any = None) -> Tensor:
    """The tensor with the sizes of another one."""
    if the_template.rank is None:
        return input.with_shape(the_template.shape)
    return resize_(input, the_template.dims, memory_format=memory_format)
