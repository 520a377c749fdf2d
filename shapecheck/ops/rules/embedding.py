"""Embeddings: lookups of rows in a table."""

from __future__ import annotations

from shapecheck.ops.registry import op
from shapecheck.ops.rules.index import need_index
from shapecheck.ops.shared.arguments import Tensor, fresh, fresh_shape, need_equal, size
from shapecheck.ops.shared.dtypes import need_same_dtype
from shapecheck.spec import CallError, DTypeError, Shape, ShapeError, Size, TensorSpec, at_least, unknown
from shapecheck.spec.dtype import int64
from shapecheck.spec.presentation import value_text

_MODES = ("sum", "mean", "max")


@op("embedding")
def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: Size | None = None,
    max_norm: object = None,
    norm_type: object = 2.0,
    scale_grad_by_freq: object = False,
    sparse: object = False,
) -> Tensor:
    """Indices of shape (...) into a table (rows, features) give (..., features)."""
    if weight.rank not in (2, None):
        raise ShapeError(f"expected a 2-D weight, got shape {weight.shape}")
    need_index(input, "the input (indices)")
    if padding_idx is not None and weight.rank is not None:
        need_padding_index(padding_idx, weight.dims[0])
    return fresh_shape(input.shape.inserted(-1, weight.shape.size(-1)), weight.dtype, weight)


def need_padding_index(padding_idx: Size, rows: Size) -> None:
    """Raises ShapeError if padding_idx is out of range."""
    if at_least(padding_idx, rows) or at_least(-1 - rows, padding_idx):
        raise ShapeError(f"padding_idx out of range: expected {-rows} to {rows - 1}, got {padding_idx}")


@op("torch.embedding", "aten.embedding")
def aten_embedding(
    weight: Tensor,
    indices: Tensor,
    padding_idx: object = -1,
    scale_grad_by_freq: object = False,
    sparse: object = False,
) -> Tensor:
    """The same with the table first, and any padding_idx."""
    return embedding(indices, weight)


@op("embedding_bag")
def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: object = None,
    norm_type: object = 2,
    scale_grad_by_freq: object = False,
    mode: str = "mean",
    sparse: object = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: Size | None = None,
) -> Tensor:
    """(bags, n), or a vector of indices with the offsets where the bags start, gives (bags, features)."""
    if mode not in _MODES:
        raise CallError(f'expected mode to be "sum", "mean" or "max", got {value_text(mode)}')
    if weight.dtype is int64 and input.dtype is not None and input.dtype.is_floating:
        input, weight = weight, input  # the old argument order, for which torch only warns
    if weight.rank not in (2, None):
        raise ShapeError(f"expected a 2-D weight, got shape {weight.shape}")
    need_index(input, "the input (indices)")
    _need_float_table(weight)
    if per_sample_weights is not None:
        _need_sample_weights(per_sample_weights, input, weight, mode)
    if padding_idx is not None and weight.rank is not None:
        need_padding_index(padding_idx, weight.dims[0])
    bags = _bags(input, offsets, include_last_offset)
    return fresh((bags, weight.shape.size(-1)), weight.dtype, weight)


def _need_float_table(weight: Tensor) -> None:
    if weight.dtype is not None and not weight.dtype.is_floating:
        raise DTypeError(f"expected a floating-point weight, got {weight.dtype}")


def _need_sample_weights(given: Tensor, input: Tensor, weight: Tensor, mode: str) -> None:
    if mode != "sum":
        raise CallError(f'per_sample_weights requires mode="sum", got {value_text(mode)}')
    message = f"expected per_sample_weights of shape {input.shape}, the shape of the input, got {given.shape}"
    if given.rank is not None and input.rank is not None:
        if given.rank != input.rank:
            raise ShapeError(message)
        for mine, expected in zip(given.dims, input.dims, strict=True):
            need_equal(mine, expected, message)
    need_same_dtype(("weight", weight), ("per_sample_weights", given))


def _bags(input: Tensor, offsets: Tensor | None, include_last_offset: bool) -> Size:
    if input.rank not in (1, 2, None):
        raise ShapeError(f"expected a 1-D or 2-D input, got shape {input.shape}")
    if input.rank == 2:
        if offsets is not None:
            raise CallError("offsets cannot be used with a 2-D input")
        return input.dims[0]
    if offsets is None:
        if input.rank is None:
            return input.shape.size(0)
        raise CallError("expected offsets for a 1-D input, got None")
    if offsets.rank not in (1, None):
        raise ShapeError(f"expected offsets to be 1-D, got shape {offsets.shape}")
    need_index(offsets, "offsets")
    return offsets.shape.size(0) - (1 if include_last_offset else 0)


@op("torch.embedding_bag", "aten.embedding_bag", "aten._embedding_bag", "aten._embedding_bag_forward_only")
def aten_embedding_bag(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    scale_grad_by_freq: object = False,
    mode: int = 0,
    sparse: object = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: object = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The same with the table first: the bags, and three tensors for the backward pass."""
    bags = embedding_bag(
        indices,
        weight,
        offsets,
        mode=_MODES[mode] if mode in (0, 1, 2) else str(mode),
        per_sample_weights=per_sample_weights,
        include_last_offset=include_last_offset,
    )
    number = offsets.shape.size(0)
    counts = TensorSpec.make(Shape((number,)), indices.dtype)
    largest = bags.with_dtype(indices.dtype) if mode == 2 else counts
    return bags, TensorSpec.make(Shape((unknown(low=0),)), indices.dtype), counts, largest


@op("one_hot")
def one_hot(tensor: Tensor, num_classes: Size = -1) -> Tensor:
    """(...) gives (..., num_classes), int64; without num_classes the last size depends on the data."""
    if tensor.dtype not in (int64, None):
        raise DTypeError(f"expected an input of dtype torch.int64, got {tensor.dtype}")
    if isinstance(num_classes, float):
        raise CallError(f"expected num_classes to be an integer, got {num_classes}")
    classes = size(num_classes)
    empty = 0 in tensor.shape.head or 0 in tensor.shape.tail
    if at_least(0, classes) and empty:
        raise ShapeError("cannot infer num_classes from an empty tensor; pass num_classes")
    if classes == -1:
        classes = unknown("classes", low=1)
    elif at_least(0, classes) and tensor.rank is not None and all(at_least(one, 1) for one in tensor.dims):
        raise ShapeError(f"expected num_classes to be at least 1, got {classes}")
    return fresh_shape(tensor.shape.inserted(-1, classes), int64, tensor)
