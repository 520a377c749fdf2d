"""Looking up rows of a table."""

from __future__ import annotations

from shapecheck.ops.registry import op
from shapecheck.ops.rules.index import need_index
from shapecheck.ops.shared.arguments import Tensor, fresh, fresh_shape, need_equal, size
from shapecheck.ops.shared.dtypes import need_same_dtype
from shapecheck.spec import CallError, DTypeError, Shape, ShapeError, Size, TensorSpec, at_least, unknown
from shapecheck.spec.dtype import int64

_MODES = ("sum", "mean", "max")


@op("embedding")
def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: Size | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """Indices of shape (...) into a table (rows, features) give (..., features)."""
    if weight.rank not in (2, None):
        raise ShapeError(f"the weight is {weight.shape}; 2-D, (rows, features), is due")
    need_index(input, "the input (indices)")
    if padding_idx is not None and weight.rank is not None:
        need_padding_index(padding_idx, weight.dims[0])
    return fresh_shape(input.shape.inserted(-1, weight.shape.size(-1)), weight.dtype, weight)


def need_padding_index(padding_idx: Size, rows: Size) -> None:
    """Raises ShapeError where the table has no row `padding_idx`."""
    if at_least(padding_idx, rows) or at_least(-1 - rows, padding_idx):
        raise ShapeError(f"padding_idx is {padding_idx}; it must be within the number of embeddings, {rows}")


@op("torch.embedding", "aten.embedding")
def aten_embedding(
    weight: Tensor, indices: Tensor, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False
) -> Tensor:
    """The same with the table first, and any padding_idx."""
    return embedding(indices, weight)


@op("embedding_bag")
def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: Size | None = None,
) -> Tensor:
    """(bags, n), or a vector of indices with the offsets where the bags start, gives (bags, features)."""
    if mode not in _MODES:
        raise CallError(f"mode is {mode!r}; it has to be one of {', '.join(_MODES)}")
    if weight.dtype is int64 and input.dtype is not None and input.dtype.is_floating:
        input, weight = weight, input  # the old order of the arguments, of which torch only warns
    if weight.rank not in (2, None):
        raise ShapeError(
            f"the weight is {weight.shape}, a tensor of dimension {weight.rank}; (rows, features), 2D, is due"
        )
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
        raise DTypeError(f"the weight is {weight.dtype}; a float dtype is due")


def _need_sample_weights(given: Tensor, input: Tensor, weight: Tensor, mode: str) -> None:
    if mode != "sum":
        raise CallError(f"per_sample_weights is only supported for mode='sum', here mode is {mode!r}")
    message = f"per_sample_weights is {given.shape}; it must have the same shape as the input, {input.shape}"
    if given.rank is not None and input.rank is not None:
        if given.rank != input.rank:
            raise ShapeError(message)
        for mine, expected in zip(given.dims, input.dims, strict=True):
            need_equal(mine, expected, message)
    need_same_dtype(("the weight", weight), ("per_sample_weights", given))


def _bags(input: Tensor, offsets: Tensor | None, include_last_offset: bool) -> Size:
    if input.rank not in (1, 2, None):
        raise ShapeError(f"the input is {input.shape}; a 1D or 2D tensor is due, this one is of dimension {input.rank}")
    if input.rank == 2:
        if offsets is not None:
            raise CallError("the input is 2D, a batch of bags of one length, so offsets has to be None as an argument")
        return input.dims[0]
    if offsets is None:
        if input.rank is None:
            return input.shape.size(0)
        raise CallError("the input is 1D, so offsets has to be a 1D tensor, here it is None")
    if offsets.rank not in (1, None):
        raise ShapeError(f"offsets is {offsets.shape}; a 1D tensor is due")
    need_index(offsets, "offsets")
    return offsets.shape.size(0) - (1 if include_last_offset else 0)


@op("torch.embedding_bag", "aten.embedding_bag", "aten._embedding_bag", "aten._embedding_bag_forward_only")
def aten_embedding_bag(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    scale_grad_by_freq: bool = False,
    mode: int = 0,
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: Size | None = None,
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
    """(...) gives (..., num_classes), int64; without num_classes the number hangs on the data."""
    if tensor.dtype not in (int64, None):
        raise DTypeError(f"the input is {tensor.dtype}; one_hot takes an index tensor of dtype torch.int64 (long)")
    if isinstance(num_classes, float):
        raise CallError(f"argument 'num_classes' must be an int, not {num_classes}")
    classes = size(num_classes)
    empty = 0 in tensor.shape.head or 0 in tensor.shape.tail
    if at_least(0, classes) and empty:
        raise ShapeError(
            "the number of classes cannot be told from an empty tensor, which has no elements: give num_classes"
        )
    if classes == -1:
        classes = unknown("classes", low=1)
    elif at_least(0, classes) and tensor.rank is not None and all(at_least(one, 1) for one in tensor.dims):
        raise ShapeError(f"num_classes is {classes}; it must be greater than all values, so at least 1")
    return fresh_shape(tensor.shape.inserted(-1, classes), int64, tensor)
