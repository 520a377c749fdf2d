"""Sequences of different lengths: `torch.nn.utils.rnn`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Tensor, fresh, fresh_shape, need_equal
from shapecheck.spec import CallError, DType, Shape, ShapeError, Size, Unanswered, maximum, unknown
from shapecheck.spec.dtype import int64
from shapecheck.spec.presentation import value_text


class _Fields(NamedTuple):
    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None
    unsorted_indices: Tensor | None


class PackedSequence(_Fields):
    """The steps of several sequences one after another, and how many sequences have each step.

    `data` has the shape (sum of lengths, ...).

    `batch` is the number of sequences.
    """

    batch: Size

    @staticmethod
    def of(data: Tensor, steps: Size, batch: Size, is_sorted: bool) -> PackedSequence:
        """A packed sequence of `batch` sequences, the longest of which has `steps` steps."""
        order = None if is_sorted else fresh((batch,), int64, data)
        packed = PackedSequence(data, fresh((steps,), int64), order, order)
        packed.batch = batch
        return packed

    def with_data(self, data: Tensor) -> PackedSequence:
        """The same sequences with other features in each step."""
        packed = PackedSequence(data, *self[1:])
        packed.batch = self.batch
        return packed


@op("nn.utils.rnn.pad_sequence", "pad_sequence")
def pad_sequence(
    sequences: Sequence[Tensor] | Tensor,
    batch_first: bool = False,
    padding_value: object = 0.0,
    padding_side: str = "right",
) -> Tensor:
    """n tensors (length, *) give (longest, n, *), or (n, longest, *) with batch_first; the dtype is the first's."""
    if isinstance(padding_side, str) and padding_side not in ("left", "right"):
        raise CallError(f'expected padding_side to be "left" or "right", got {value_text(padding_side)}')
    dtype, count, longest, rest = _stacked(sequences)
    dims = (count, longest, *rest) if batch_first else (longest, count, *rest)
    return fresh(dims, dtype)


@op("nn.utils.rnn.pack_padded_sequence")
def pack_padded_sequence(
    input: Tensor, lengths: Tensor | Sequence[Size], batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """(t, n, *), or (n, t, *) with batch_first, and n lengths give the data (sum of lengths, *)."""
    if input.rank is not None and input.rank < 2:
        raise ShapeError(f"expected at least 2 dimensions, got shape {input.shape}")
    batch = input.dims[0 if batch_first else 1]
    message = f"expected {batch} lengths, the batch size of the input of shape {input.shape}, got "
    steps: Size = unknown("steps", 1)
    total: Size = unknown("total", 1)
    if isinstance(lengths, (tuple, list)):
        need_equal(len(lengths), batch, f"{message}{len(lengths)}")
        steps, total = maximum(*lengths), sum(lengths)
    elif isinstance(lengths, Tensor) and lengths.rank == 1:
        need_equal(lengths.dims[0], batch, f"{message}{lengths.dims[0]}")
    return PackedSequence.of(fresh((total, *input.dims[2:]), input.dtype, input), steps, batch, enforce_sorted)


@op("nn.utils.rnn.pack_sequence")
def pack_sequence(sequences: Sequence[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Tensors (length, *) give the data (sum of lengths, *)."""
    if isinstance(sequences, Tensor):
        raise Unanswered("unknown sequences")
    dtype, count, longest, rest = _stacked(sequences)
    total = sum(one.dims[0] for one in sequences)
    return PackedSequence.of(fresh((total, *rest), dtype), longest, count, enforce_sorted)


@op("nn.utils.rnn.pad_packed_sequence")
def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: object = 0.0, total_length: Size | None = None
) -> tuple[Tensor, Tensor]:
    """A packed sequence gives (t, n, *), or (n, t, *) with batch_first, and the n lengths."""
    if not isinstance(sequence, PackedSequence):
        raise Unanswered("unknown packed sequence")
    steps = sequence.batch_sizes.dims[0]
    if isinstance(total_length, int) and isinstance(steps, int) and total_length < steps:
        raise ShapeError(
            f"expected total_length to be at least {steps}, the length of the longest sequence, got {total_length}"
        )
    shown = (steps if total_length is None else total_length, sequence.batch)
    data = sequence.data
    padded = fresh_shape(Shape((*(shown[::-1] if batch_first else shown), *data.dims[1:])), data.dtype, data, "unknown")
    return padded, fresh((sequence.batch,), int64)


@op("nn.utils.rnn.unpad_sequence")
def unpad_sequence(padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False) -> list[Tensor]:
    """(t, n, *), or (n, t, *) with batch_first, gives n tensors (length, *)."""
    dims = padded_sequences.dims
    return _unpadded(dims[0 if batch_first else 1], dims[2:], padded_sequences)


@op("nn.utils.rnn.unpack_sequence")
def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """A packed sequence gives its n tensors (length, *)."""
    if not isinstance(packed_sequences, PackedSequence):
        raise Unanswered("unknown packed sequence")
    data = packed_sequences.data
    return _unpadded(packed_sequences.batch, data.dims[1:], data)


def _unpadded(count: Size, rest: tuple[Size, ...], like: Tensor) -> list[Tensor]:
    if not isinstance(count, int):
        raise Unanswered(f"symbolic number of sequences: {count}")
    return [fresh((unknown("length", 1), *rest), like.dtype, like) for _ in range(count)]


def _stacked(sequences: Any) -> tuple[DType | None, Size, Size, tuple[Size, ...]]:
    """The dtype, the number of sequences, the length of the longest, and the other sizes."""
    if isinstance(sequences, Tensor):
        count, longest, *rest = sequences.dims
        return sequences.dtype, count, longest, tuple(rest)
    if not isinstance(sequences, (tuple, list)):
        raise Unanswered("unknown sequences")
    if not sequences:
        raise CallError("expected at least one sequence, got an empty list")
    first = sequences[0].dims
    if not first:
        raise ShapeError("expected sequences of shape (length, ...), got ()")
    for one in sequences[1:]:
        shapes = f"{Shape(first)} and {Shape(one.dims)}"
        message = f"sizes must match except in dimension 0: sequences of shapes {shapes}"
        if len(one.dims) != len(first):
            raise ShapeError(message)
        for mine, other in zip(first[1:], one.dims[1:], strict=True):
            need_equal(mine, other, message)
    return sequences[0].dtype, len(sequences), maximum(*(one.dims[0] for one in sequences)), first[1:]
