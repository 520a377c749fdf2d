"""The loss of sequences without an alignment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.rules.loss import need_float
from shapecheck.ops.shared.arguments import Tensor, fresh_shape, need_equal
from shapecheck.ops.shared.loss_reduction import Reduction, mode_of, reduced
from shapecheck.ops.shared.matching import numel
from shapecheck.spec import CallError, DTypeError, Shape, ShapeError, Size, same

Lengths = Tensor | Sequence[Size]


@op("ctc_loss")
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Lengths,
    target_lengths: Lengths,
    blank: int = 0,
    reduction: Reduction = "mean",
    zero_infinity: object = False,
) -> Tensor:
    """(T, N, C) with targets (N, S) or all in one row, or (T, C) with (S,), gives (N,) or ()."""
    mode = mode_of(reduction)
    if log_probs.rank not in (2, 3, None):
        raise ShapeError(f"expected log_probs of shape (T, N, C) or (T, C), got {log_probs.shape}")
    if targets.rank not in (1, 2, None):
        raise ShapeError(f"expected targets of shape (N, S) or (sum of target_lengths,), got {targets.shape}")
    _need_blank(blank, log_probs)
    if numel(log_probs.shape) == 0:
        raise ShapeError(f"expected log_probs not to be empty, got shape {log_probs.shape}")
    if isinstance(input_lengths, (tuple, list)) is not isinstance(target_lengths, (tuple, list)):
        raise CallError("expected input_lengths and target_lengths to be both tensors or both tuples of ints")
    count: Size = 1 if log_probs.rank == 2 else log_probs.shape.size(1)
    for name, lengths in (("input_lengths", input_lengths), ("target_lengths", target_lengths)):
        _need_lengths(name, lengths, count)
    if targets.rank == 2:
        wrong = f"expected dimension 0 of targets to be {count}, got {targets.dims[0]}"
        need_equal(targets.dims[0], count, f"{wrong} (log_probs of shape {log_probs.shape})")
    elif targets.rank == 1 and isinstance(target_lengths, (tuple, list)):
        total = sum(target_lengths)
        message = f"expected targets of shape ({total},), the sum of target_lengths, got {targets.shape}"
        need_equal(targets.dims[0], total, message)
    rows = Shape() if log_probs.rank == 2 else Shape((count,))
    elements = fresh_shape(
        rows if log_probs.rank is not None else Shape.anything(), need_float(log_probs.dtype), log_probs
    )
    return reduced(elements, mode)


def _need_blank(blank: Any, log_probs: Tensor) -> None:
    classes = log_probs.shape.at(-1)
    if isinstance(blank, int) and (blank < 0 or (isinstance(classes, int) and blank >= classes)):
        raise CallError(f"expected blank to be a class from 0 to {classes} (exclusive), got {blank}")


def _need_lengths(name: str, lengths: Lengths, count: Size) -> None:
    if isinstance(lengths, Tensor):
        dtype = lengths.dtype
        if dtype is not None and not dtype.is_integral:
            raise DTypeError(f"expected {name} to have an integer dtype, got {dtype}")
        found = numel(lengths.shape)
    else:
        found = len(lengths)
    if found is not None and same(found, count) is False:
        raise ShapeError(f"expected {name} to have {count} elements, the batch size, got {found}")
