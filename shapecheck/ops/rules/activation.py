"""Activations: elementwise, along one dimension (softmax), or halving one (glu)."""

from __future__ import annotations

from shapecheck.ops.registry import op, register
from shapecheck.ops.shared.arguments import Tensor, axis, fresh_shape, need_equal
from shapecheck.ops.shared.dtypes import need_same_dtype
from shapecheck.ops.shared.elementwise import (
    BOOL,
    COMPLEX,
    INTEGRAL,
    Kinds,
    accept,
    combined,
    floated,
    kept,
    tensor,
    unordered,
)
from shapecheck.ops.traits import Trait
from shapecheck.spec import CallError, Dim, DType, Layout, Shape, ShapeError, Size, as_dtype, quotient, same
from shapecheck.spec.dtype import float32
from shapecheck.spec.presentation import value_text

_REAL = INTEGRAL | COMPLEX


def activated(input: Tensor, refused: Kinds, inplace: object = False) -> Tensor:
    """A tensor like the input; the input itself if it is changed in place."""
    x = tensor(input)
    dtype = x.dtype
    if dtype is not None and dtype.kind in refused:
        accept(dtype, refused)
    return x if inplace is True else kept(x, dtype)


@op("relu", traits=Trait.KEEPS_AXES | Trait.TENSOR_FIRST)
def relu(input: Tensor, inplace: object = False) -> Tensor:
    """Keeps the shape and dtype."""
    return activated(input, BOOL | COMPLEX, inplace)


@op("relu6")
def relu6(input: Tensor, inplace: object = False) -> Tensor:
    """Keeps the shape and dtype."""
    return activated(input, BOOL | COMPLEX, inplace)


@op("silu", traits=Trait.KEEPS_AXES)
def silu(input: Tensor, inplace: object = False) -> Tensor:
    """Keeps the shape and dtype."""
    return activated(input, INTEGRAL, inplace)


def smooth(input: Tensor, inplace: object = False) -> Tensor:
    """Keeps the shape and dtype."""
    return activated(input, _REAL, inplace)


for _name in ("mish", "hardswish", "hardsigmoid", "selu"):
    register(smooth, _name)


@op("elu")
def elu(input: Tensor, alpha: object = 1.0, inplace: object = False) -> Tensor:
    """Keeps the shape and dtype."""
    return activated(input, _REAL, inplace)


@op("aten.elu")
def aten_elu(input: Tensor, alpha: object = 1, scale: object = 1, input_scale: object = 1) -> Tensor:
    """Keeps the shape and dtype."""
    return elu(input, alpha)


@op("celu")
def celu(input: Tensor, alpha: object = 1.0, inplace: object = False) -> Tensor:
    """Keeps the shape and dtype."""
    if isinstance(alpha, (int, float)) and alpha == 0:
        raise CallError("expected alpha to be nonzero, got 0")
    return activated(input, _REAL, inplace)


@op("leaky_relu")
def leaky_relu(input: Tensor, negative_slope: object = 0.01, inplace: object = False) -> Tensor:
    """Keeps the shape and dtype."""
    return activated(input, _REAL, inplace)


@op("gelu", traits=Trait.KEEPS_AXES)
def gelu(input: Tensor, approximate: object = "none") -> Tensor:
    """Keeps the shape and dtype."""
    if isinstance(approximate, str) and approximate not in ("none", "tanh"):
        raise CallError(f'expected approximate to be "none" or "tanh", got {value_text(approximate)}')
    return activated(input, _REAL)


@op("logsigmoid", "log_sigmoid")
def logsigmoid(input: Tensor) -> Tensor:
    """Keeps the shape and dtype."""
    return unordered(activated(input, _REAL))


@op("softplus", traits=Trait.KEEPS_AXES)
def softplus(input: Tensor, beta: object = 1, threshold: object = 20) -> Tensor:
    """Keeps the shape and dtype."""
    return activated(input, _REAL)


@op("softsign")
def softsign(input: Tensor) -> Tensor:
    """Keeps the shape; ints become floats."""
    return kept(input, floated(accept(tensor(input).dtype, BOOL)))


@op("tanhshrink")
def tanhshrink(input: Tensor) -> Tensor:
    """Keeps the shape; ints become floats."""
    return kept(input, floated(accept(tensor(input).dtype, BOOL)))


@op("hardshrink")
def hardshrink(input: Tensor, lambd: object = 0.5) -> Tensor:
    """Keeps the shape and dtype."""
    return activated(input, _REAL)


@op("softshrink")
def softshrink(input: Tensor, lambd: object = 0.5) -> Tensor:
    """Keeps the shape and dtype."""
    if isinstance(lambd, (int, float)) and lambd < 0:
        raise CallError(f"expected lambd to be at least 0, got {lambd}")
    return activated(input, _REAL)


@op("hardtanh")
def hardtanh(input: Tensor, min_val: object = -1.0, max_val: object = 1.0, inplace: object = False) -> Tensor:
    """Keeps the shape and dtype."""
    numbers = isinstance(min_val, (int, float)) and isinstance(max_val, (int, float))
    if numbers and min_val > max_val:  # type: ignore[operator]  # both are numbers
        raise CallError(f"expected min_val to be at most max_val, got {value_text(min_val)} and {value_text(max_val)}")
    return activated(input, BOOL | COMPLEX, inplace)


@op("threshold")
def threshold(input: Tensor, threshold: object, value: object, inplace: object = False) -> Tensor:
    """Keeps the shape and dtype."""
    return activated(input, COMPLEX, inplace)


@op("rrelu")
def rrelu(
    input: Tensor,
    lower: object = 0.125,
    upper: object = 1 / 3,
    training: object = False,
    inplace: object = False,
    generator: object = None,
) -> Tensor:
    """Keeps the shape and dtype."""
    numbers = isinstance(lower, (int, float)) and isinstance(upper, (int, float))
    if numbers and lower > upper:  # type: ignore[operator]  # both are numbers
        raise CallError(f"expected lower to be at most upper, got {value_text(lower)} and {value_text(upper)}")
    result = activated(input, _REAL, inplace)
    return result if inplace is True else unordered(result)


@op("prelu", "_prelu_kernel", traits=Trait.AUTOCAST)
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """Keeps the shape and dtype; the weight has one element, or one per channel (dimension 1)."""
    if weight.rank is not None and weight.rank > 1:
        raise ShapeError(f"expected a 0-D or 1-D weight, got shape {weight.shape}")
    dtype = need_same_dtype(("input", input), ("weight", weight))
    count = weight.dims[0] if weight.rank == 1 else 1
    if count != 1:
        _need_channels(input, count)
    return kept(input, dtype)


def _need_channels(input: Tensor, count: Size) -> None:
    if input.rank == 0:
        if same(count, 1) is False:
            raise ShapeError(f"expected a weight of shape (1,), got {Shape((count,))} (0-D input)")
        return
    channels = 1 if input.rank == 1 else input.shape.at(1)
    if channels is not None:
        place = f"channels in dimension 1 of {input.shape}" if input.rank != 1 else "a 1-D input has one channel"
        if not isinstance(count, Dim) or same(count, 1) is False:
            expected, got = Shape((channels,)), Shape((count,))
            need_equal(count, channels, f"expected a weight of shape {expected}, got {got} ({place})")


@op("glu")
def glu(input: Tensor, dim: int = -1) -> Tensor:
    """Halves the dimension `dim`: (..., 2 * n) gives (..., n)."""
    if input.rank == 0:
        raise ShapeError("expected at least 1 dimension, got shape ()")
    dtype = accept(input.dtype, _REAL)
    if input.rank is not None:
        axis(dim, input.rank)
    size = input.shape.at(dim)
    if size is None:
        return fresh_shape(input.shape.with_at(dim, input.shape.size(dim)), dtype, input, "unknown")
    if same(size % 2, 0) is False:
        raise ShapeError(f"expected an even size in dimension {dim} of {input.shape}, got {size}")
    layout: Layout = "contiguous" if input.layout == "contiguous" else "unknown"
    return fresh_shape(input.shape.with_at(dim, quotient(size, 2)), dtype, input, layout)


# ------------------------------------------------------------------------------------------------------------- softmax


@op("F.softmax", "F.log_softmax", traits=Trait.TENSOR_FIRST)
def softmax(input: Tensor, dim: object = None, _stacklevel: object = 3, dtype: object = None) -> Tensor:
    """Keeps the shape, and the dtype unless one is given."""
    return _normalised(input, dim, dtype)


@op("softmax", "log_softmax", "special.softmax", "special.log_softmax", traits=Trait.TENSOR_FIRST)
def softmax_along(input: Tensor, dim: object, dtype: object = None) -> Tensor:
    """As `F.softmax`, which alone has a default for the dimension."""
    return _normalised(input, dim, dtype)


@op("softmin")
def softmin(input: Tensor, dim: object = None, _stacklevel: object = 3, dtype: object = None) -> Tensor:
    """As softmax."""
    return _normalised(input, dim, dtype)


@op("aten.softmax", "aten.log_softmax", "aten._safe_softmax")
def safe_softmax(input: Tensor, dim: object, dtype: object = None) -> Tensor:
    """As softmax."""
    return _normalised(input, dim, dtype)


@op("aten._softmax", "aten._log_softmax")
def aten_softmax(input: Tensor, dim: object, half_to_float: object = False) -> Tensor:
    """As softmax; a half can be converted to float32."""
    return _normalised(input, dim, float32 if half_to_float is True else None)


@op("_softmax_backward_data", "_log_softmax_backward_data")
def softmax_backward(grad_output: Tensor, output: Tensor, dim: object, input_dtype: object) -> Tensor:
    """The gradient has the output's shape and the input's dtype."""
    dtype = _given(input_dtype) or grad_output.dtype
    result = combined(dtype, grad_output, output)
    _need_axis(dim, result)
    return unordered(result)


@op("gumbel_softmax")
def gumbel_softmax(
    logits: Tensor, tau: object = 1, hard: object = False, eps: object = 1e-10, dim: object = -1
) -> Tensor:
    """Keeps the shape and dtype."""
    _need_axis(dim, logits)
    return unordered(activated(logits, _REAL))


def _normalised(input: Tensor, dim: object, dtype: object) -> Tensor:
    x = tensor(input)
    _need_axis(dim, x)
    result = x.dtype if dtype is None else _given(dtype)
    if 0 not in x.shape.head:  # torch looks at the dtype only when there is something to do
        accept(result, _REAL)
    return fresh_shape(x.shape, result, x)


def _need_axis(dim: object, x: Tensor) -> None:
    if type(dim) is int and x.rank is not None:
        axis(dim, x.rank)


def _given(dtype: object) -> DType | None:
    return as_dtype(dtype) if isinstance(dtype, (DType, str, type)) else None
