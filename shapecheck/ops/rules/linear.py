"""Affine maps over the last dimension."""

from __future__ import annotations

from shapecheck.ops.registry import op
from shapecheck.ops.rules.matmul import product_dtype
from shapecheck.ops.shared.arguments import Tensor, fresh_shape, need_equal
from shapecheck.ops.shared.dtypes import need_same_dtype
from shapecheck.ops.shared.ranks import joined, need_expandable, ranked
from shapecheck.ops.traits import Trait
from shapecheck.spec import DType, Shape, ShapeError, Size, TensorSpec


@op("linear", "mkldnn_linear", traits=Trait.AUTOCAST | Trait.BATCH_FIRST)
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """(..., in) with a weight (out, in) gives (..., out); with a weight (in,) it gives (...)."""
    given = input.shape
    over = weight.shape
    dtype = input.dtype
    if dtype is None or dtype is not weight.dtype or bias is not None or dtype.kind == "bool":
        dtype = _dtype(input, weight, bias)
    if over.run is not None:
        return _with_any_weight(input, weight, dtype)
    if not 1 <= len(over.head) <= 2:
        raise ShapeError(f"expected a 1-D or 2-D weight, got shape {over}")
    taken = over.head[-1]
    last = _last(given)
    if last is not None and last != taken:
        need_equal(last, taken, _wrong_size("the input", last, taken, over))
    if len(over.head) == 1:
        return fresh_shape(given.without(-1), dtype, input)
    out = over.head[0]
    result = Shape((*given.head[:-1], out)) if given.run is None else given.with_at(-1, out)
    if bias is not None and bias.shape.head != (out,):
        _need_bias(bias, result, out)
    return TensorSpec.make(result, dtype, "contiguous", input.device)


def _last(shape: Shape) -> Size | None:
    if shape.run is not None:
        return shape.at(-1)
    if not shape.head:
        raise ShapeError("expected an input of at least 1 dimension, got shape ()")
    return shape.head[-1]


def _wrong_size(name: str, given: Size, expected: Size, weight: Shape) -> str:
    return f"expected the last dimension of {name} to be {expected}, got {given} (weight of shape {weight})"


def _dtype(input: Tensor, weight: Tensor, bias: Tensor | None) -> DType | None:
    dtype = product_dtype(input, weight, "input", "weight")
    # If the bias is added to the product instead of fused with it, it may have another dtype.
    if input.rank == 2 or input.layout == "contiguous":
        need_same_dtype(("input", input), ("weight", weight), ("bias", bias))
    return dtype


def _with_any_weight(input: Tensor, weight: Tensor, dtype: DType | None) -> Tensor:
    _last(input.shape)
    if weight.shape.least_rank < 2:
        return fresh_shape(Shape.anything(), dtype, input, "unknown")
    return linear(input, TensorSpec.make(Shape(ranked(weight, 2, "the weight")), dtype))


def _need_bias(bias: Tensor, result: Shape, out: Size) -> None:
    if result.run is None:
        need_expandable(bias.shape, result, "the bias")
    elif bias.rank == 1:
        need_expandable(bias.shape, Shape((out,)), "the bias")


@op("bilinear", traits=Trait.AUTOCAST)
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """(..., in1) and (..., in2) with a weight (out, in1, in2) give (..., out)."""
    dtype = need_same_dtype(("input1", input1), ("input2", input2), ("weight", weight))
    out, *taken = ranked(weight, 3, "the weight")
    leading = []
    for name, tensor, expected in zip(("input1", "input2"), (input1, input2), taken, strict=True):
        last = _last(tensor.shape)
        if last is not None:
            need_equal(last, expected, _wrong_size(name, last, expected, Shape((out, *taken))))
        leading.append(tensor.shape.without(-1))
    result = joined(_same_leading(*leading), out)
    if bias is not None:
        _need_bias(bias, result, out)
    return fresh_shape(result, dtype, input1)


def _same_leading(left: Shape, right: Shape) -> Shape:
    if left.run is not None or right.run is not None:
        return left if right.run is not None else right
    message = f"expected input1 and input2 to have the same leading dimensions, got {left} and {right}"
    if len(left.head) != len(right.head):
        raise ShapeError(message)
    for one, other in zip(left, right, strict=True):
        need_equal(one, other, message)
    return left
