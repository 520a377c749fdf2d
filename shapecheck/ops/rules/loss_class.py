"""Losses of class scores (N, C, d1, ...) with class indices (N, d1, ...) or probabilities."""

from __future__ import annotations

from math import prod

from shapecheck.ops.registry import op
from shapecheck.ops.rules.loss import need_float
from shapecheck.ops.shared.arguments import Tensor, fresh, fresh_shape, need_equal
from shapecheck.ops.shared.dtypes import need_same_dtype, promoted
from shapecheck.ops.shared.loss_reduction import Legacy, Reduction, mode_of, reduced
from shapecheck.ops.shared.matching import matched
from shapecheck.ops.shared.ranks import ranked
from shapecheck.ops.traits import Trait
from shapecheck.spec import CallError, DType, DTypeError, Shape, ShapeError, Size, same
from shapecheck.spec.dtype import int64, uint8


@op("cross_entropy", "cross_entropy_loss", traits=Trait.BATCH_FIRST)
def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Legacy = None,
    ignore_index: int = -100,
    reduce: Legacy = None,
    reduction: Reduction = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Scores (N, C, d1, ...) or (C,) with class indices (N, d1, ...) or (), or probabilities of their own shape."""
    mode = mode_of(reduction, size_average, reduce)
    if isinstance(label_smoothing, (int, float)) and not 0 <= label_smoothing <= 1:
        raise CallError(f"expected label_smoothing to be between 0 and 1, got {label_smoothing}")
    need_classes(input)
    if input.rank is None and target.dtype is None:
        return reduced(fresh_shape(rows_of(input.shape), None, input), mode)
    if not _has_probabilities(input, target):
        if target.dtype is not None and not target.dtype.is_floating:
            _assume_ranks(input, target)
        return _by_index(input, target, weight, mode, f"or probabilities of shape {input.shape}")
    message = f"expected a target of shape {input.shape} (probabilities), got {target.shape}"
    if target.dtype is not None and not target.dtype.is_floating and same_shape(input.shape, target.shape):
        raise DTypeError(
            f"expected a floating-point target, got {target.dtype}: "
            f"a target of shape {target.shape}, that of the input, contains probabilities"
        )
    if isinstance(ignore_index, int) and ignore_index >= 0 and target.dtype is not None:
        raise CallError(f"ignore_index={ignore_index} requires class indices, got a target of probabilities")
    shape = matched(input.shape, target.shape, message)
    given = (input, target) if weight is None else (input, target, weight)
    need_class_weight(weight, shape)
    need_float(input.dtype)
    return reduced(fresh_shape(rows_of(shape), promoted(*given), input), mode)


@op("nll_loss", "nll_loss_nd", "nll_loss2d", traits=Trait.BATCH_FIRST)
def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Legacy = None,
    ignore_index: object = -100,
    reduce: Legacy = None,
    reduction: Reduction = "mean",
) -> Tensor:
    """Log-probabilities (N, C, d1, ...) or (C,) with class indices (N, d1, ...) or ()."""
    mode = mode_of(reduction, size_average, reduce)
    need_classes(input)
    _assume_ranks(input, target)
    return _by_index(input, target, weight, mode)


@op("linear_cross_entropy")
def linear_cross_entropy(
    input: Tensor,
    linear_weight: Tensor,
    target: Tensor,
    *,
    linear_bias: Tensor | None = None,
    weight: Tensor | None = None,
    reduction: Reduction = "mean",
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
    options: object = None,
) -> Tensor:
    """(N, in) or (in,) with a weight (C, d1, ..., in), then cross_entropy over (N, C, d1, ...)."""
    if input.rank is not None and input.rank not in (1, 2):
        raise ShapeError(f"expected a 1-D or 2-D input, got shape {input.shape}")
    if linear_weight.rank is not None and linear_weight.rank < 2:
        raise ShapeError(f"expected linear_weight to have at least 2 dimensions, got shape {linear_weight.shape}")
    classes = linear_weight.dims[:-1]
    found, taken = input.shape.size(-1), linear_weight.dims[-1]
    wrong = f"expected the last dimension of the input to be {taken}, got {found}"
    need_equal(found, taken, f"{wrong} (linear_weight of shape {linear_weight.shape})")
    if linear_bias is not None:
        matched(
            linear_bias.shape,
            Shape(classes),
            f"expected linear_bias of shape {Shape(classes)}, got {linear_bias.shape}",
        )
    if len(classes) > 1 and input.rank == 1:
        raise ShapeError(
            f"expected a 2-D input for linear_weight of shape {linear_weight.shape}, got shape {input.shape}"
        )
    logits = fresh(
        (*input.dims[:-1], *classes),
        need_same_dtype(("input", input), ("linear_weight", linear_weight), ("linear_bias", linear_bias)),
        input,
    )
    if ignore_index is not None and target.rank is not None and same_shape(target.shape, logits.shape):
        raise CallError(f"ignore_index={ignore_index} requires class indices, got a target of probabilities")
    return cross_entropy(logits, target, weight, reduction=reduction, label_smoothing=label_smoothing)


@op("multi_margin_loss")
def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: object = 1.0,
    weight: Tensor | None = None,
    size_average: Legacy = None,
    reduce: Legacy = None,
    reduction: Reduction = "mean",
) -> Tensor:
    """(N, C) with class indices (N,), or (C,) with (), gives a loss for each index."""
    mode = mode_of(reduction, size_average, reduce)
    if isinstance(p, (int, float)) and p not in (1, 2):
        raise CallError(f"expected p to be 1 or 2, got {p}")
    if weight is not None and weight.rank not in (1, None):
        raise ShapeError(f"expected a 1-D weight, got shape {weight.shape}")
    _need_rows(input)
    count = input.dims[0] if input.rank == 2 else 1
    if target.rank is not None:
        message = f"expected a target of shape ({count},), got {target.shape} (input of shape {input.shape})"
        if target.rank > 1:
            raise ShapeError(message)
        need_equal(target.dims[0] if target.rank else 1, count, message)
    if weight is not None:
        taken = input.dims[-1] if input.rank else 1
        need_equal(weight.shape.size(0), taken, f"expected a weight of shape ({taken},), got {weight.shape}")
    _need_type(target, int64)
    dtype = need_same_dtype(("input", input), ("weight", weight))
    return reduced(fresh_shape(target.shape, need_float(dtype), input), mode)


@op("multilabel_margin_loss")
def multilabel_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: Legacy = None,
    reduce: Legacy = None,
    reduction: Reduction = "mean",
) -> Tensor:
    """(N, C) or (C,) with class indices of the same shape gives (N,) or ()."""
    mode = mode_of(reduction, size_average, reduce)
    _need_rows(input)
    message = f"expected a target of shape {input.shape}, got {target.shape}"
    if input.rank == 2 or target.rank is None:
        matched(input.shape, target.shape, message)
    elif target.rank > 1:
        raise ShapeError(message)
    else:
        need_equal(prod(target.dims), prod(input.dims), message)
    _need_type(target, int64)
    rows = Shape(input.dims[:-1])
    return reduced(fresh_shape(rows, need_float(input.dtype), input), mode)


def _assume_ranks(input: Tensor, target: Tensor) -> None:
    """Assumes that scores (N, C, d1, ...) have one dimension more than class indices (N, d1, ...)."""
    if input.rank is None and target.rank is not None and input.shape.least_rank <= target.rank + 1:
        ranked(input, target.rank + 1)
    elif target.rank is None and input.rank is not None and max(2, target.shape.least_rank + 1) <= input.rank:
        ranked(target, input.rank - 1)


def _by_index(input: Tensor, target: Tensor, weight: Tensor | None, mode: str, otherwise: str = "") -> Tensor:
    expected = rows_of(input.shape)
    alternative = f" (class indices) {otherwise}" if otherwise else ""
    message = f"expected a target of shape {expected}{alternative}, got {target.shape} (input of shape {input.shape})"
    if input.rank == 1 and target.rank == 1:
        need_equal(target.dims[0], 1, message)
        shape = expected
    else:
        shape = matched(expected, target.shape, message)
    _need_type(target, int64, uint8)
    need_class_weight(weight, input.shape)
    dtype = need_same_dtype(("input", input), ("weight", weight))
    return reduced(fresh_shape(shape, need_float(dtype), input), mode)


def _has_probabilities(input: Tensor, target: Tensor) -> bool:
    """Whether torch reads probabilities: the shapes are equal; if that is unknown, the dtype or the rank decides."""
    equal = same_shape(input.shape, target.shape)
    if equal is not None:
        return equal
    if target.dtype is not None:
        return target.dtype.is_floating
    return input.rank is not None and input.rank == target.rank


def same_shape(left: Shape, right: Shape) -> bool | None:
    """Whether two shapes are equal; None if that is unknown."""
    if left.rank is None or right.rank is None:
        return True if left == right else None
    if left.rank != right.rank:
        return False
    answers = [same(a, b) for a, b in zip(left.head, right.head, strict=True)]
    if False in answers:
        return False
    return None if None in answers else True


def need_classes(input: Tensor) -> None:
    """Raises ShapeError if the scores have no dimension of classes."""
    if input.rank == 0:
        raise ShapeError("expected an input of shape (C,) or (N, C, ...), got ()")


def rows_of(shape: Shape) -> Shape:
    """(N, C, d1, ...) without its classes, or () for (C,)."""
    if shape.rank == 1:
        return Shape()
    if shape.rank is None and shape.least_rank < 2:
        return Shape.anything()
    return shape.without(1)


def need_class_weight(weight: Tensor | None, scores: Shape) -> None:
    """Raises ShapeError if there is not one weight for each class."""
    if weight is None or (scores.rank is None and scores.least_rank < 2):
        return
    classes: Size = scores.size(0 if scores.rank == 1 else 1)
    message = f"expected a weight of shape ({classes},), one value per class of {scores}, got {weight.shape}"
    matched(Shape((classes,)), weight.shape, message)


def _need_rows(input: Tensor) -> None:
    dims = input.dims
    if len(dims) > 2 or (dims and dims[-1] == 0):
        raise ShapeError(f"expected a non-empty input of shape (C,) or (N, C), got {input.shape}")


def _need_type(target: Tensor, *expected: DType) -> None:
    if target.dtype is not None and target.dtype not in expected:
        raise DTypeError(f"expected a target of dtype {expected[0]} (class indices), got {target.dtype}")
