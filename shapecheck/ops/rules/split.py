"""Splitting tensors: split, chunk, tensor_split, unbind. The chunks are views and keep the strides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from shapecheck.ops.registry import op, register
from shapecheck.ops.rules.subscript import sliced
from shapecheck.ops.shared.arguments import Sizes, Tensor, axis, need_equal, size
from shapecheck.ops.shared.wording import number_of
from shapecheck.ops.traits import Trait
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import (
    CallError,
    Dim,
    DTypeError,
    NegativeSizeError,
    Shape,
    ShapeError,
    Size,
    TensorSpec,
    Unanswered,
    at_least,
    quotient,
    unknown,
    without_common_factor,
)
from shapecheck.spec.dtype import int64
from shapecheck.spec.presentation import value_text
from shapecheck.spec.strides import laid_out, strides_of

_MOST_PARTS = 100_000


@op("split", traits=Trait.TENSOR_FIRST | Trait.SPLITS | Trait.SEVERAL_RESULTS)
def split(tensor: Tensor, split_size_or_sections: Sizes | Unknown, dim: int = 0) -> tuple[Tensor, ...]:
    """Chunks of one size along dim, the last one with the remainder; or chunks of the given sizes."""
    if isinstance(split_size_or_sections, Unknown):
        _axis_to_split(tensor, dim, "split")
        raise Unanswered("split_size_or_sections is unknown")
    if isinstance(split_size_or_sections, (tuple, list, Shape)):
        return split_with_sizes(tensor, split_size_or_sections, dim)
    part = size(split_size_or_sections)
    total, dim = _axis_to_split(tensor, dim, "split")
    if at_least(-1, part):
        raise NegativeSizeError(f"expected split_size to be non-negative, got {part}")
    if part == 0:
        need_equal(total, 0, f"split_size 0 requires dimension {dim} of {tensor.shape} to be 0, got {total}")
        return (tensor,)
    number = _number_of_parts(total, part)
    return _parts(tensor, dim, [*[part] * (number - 1), total - part * (number - 1)])


@op("Tensor.split")
def method_split(self: Tensor, split_size: Sizes | Unknown, dim: int = 0) -> tuple[Tensor, ...]:
    """`split` with the method's parameter names."""
    return split(self, split_size, dim)


@op("unsafe_split", traits=Trait.TENSOR_FIRST | Trait.SPLITS | Trait.SEVERAL_RESULTS)
def unsafe_split(input: Tensor, split_size: Size | Unknown, dim: int = 0) -> tuple[Tensor, ...]:
    """`split` into chunks of one size, with the parameter names of the native operator."""
    return split(input, split_size, dim)


@op("split_copy")
def split_copy(input: Tensor, split_size: Size | Unknown, dim: int = 0) -> tuple[Tensor, ...]:
    """`unsafe_split` with chunks that are contiguous copies."""
    return tuple([part.with_layout("contiguous") for part in split(input, split_size, dim)])


def _number_of_parts(total: Size, part: Size) -> int:
    multiple, unit = without_common_factor(total, part)
    number = multiple if unit == 1 else (total + part - 1) // part
    if isinstance(number, Dim):
        raise Unanswered(f"unknown number of chunks of size {part} in {total}")
    if number > _MOST_PARTS:
        raise Unanswered(f"{number} chunks, more than {_MOST_PARTS}")
    return max(number, 1)


@op("split_with_sizes", "unsafe_split_with_sizes")
def split_with_sizes(input: Tensor, split_sizes: Sequence[Size], dim: int = 0) -> tuple[Tensor, ...]:
    """Chunks of the given sizes along dim, which must add up to its size."""
    parts = [size(one) for one in split_sizes]
    total, dim = _axis_to_split(input, dim, "split")
    added: Size = 0
    for one in parts:
        if at_least(-1, one):
            raise NegativeSizeError(f"expected split sizes to be non-negative, got {Shape(tuple(parts))}")
        added = added + one
    shown = "+".join(map(str, parts))
    need_equal(added, total, f"split sizes {shown} sum to {added}, expected {total} (dimension {dim} of {input.shape})")
    return _parts(input, dim, parts)


@op("chunk", "unsafe_chunk", traits=Trait.TENSOR_FIRST | Trait.SPLITS | Trait.SEVERAL_RESULTS)
def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """At most `chunks` chunks of ceil(size / chunks) along dim, the last one with the remainder.

    A symbolic size is assumed to be large enough for all chunks.
    """
    if isinstance(chunks, Dim):
        raise Unanswered(f"symbolic number of chunks: {value_text(chunks)}")
    if chunks < 1:
        raise NegativeSizeError(f"expected chunks to be positive, got {chunks}")
    total, dim = _axis_to_split(input, dim, "chunk")
    part = (total + chunks - 1) // chunks
    number = chunks
    if type(total) is int and type(part) is int and part:
        number = -(-total // part)
    if number > _MOST_PARTS:
        raise Unanswered(f"{number} chunks, more than {_MOST_PARTS}")
    last = total // 2 if number == 2 == chunks else total - part * (number - 1)
    return _parts(input, dim, [*[part] * (number - 1), last])


@op("tensor_split", traits=Trait.SPLITS | Trait.SEVERAL_RESULTS)
def tensor_split(
    input: Tensor,
    indices_or_sections: Sizes | Tensor | None = None,
    dim: int = 0,
    *,
    sections: Size | None = None,
    indices: Sequence[Size] | None = None,
) -> tuple[Tensor, ...]:
    """Chunks of almost equal size, the first ones larger by one; or the chunks between the given indices."""
    given: Any = indices_or_sections if indices_or_sections is not None else sections if indices is None else indices
    if input.rank == 0:
        raise ShapeError("expected at least 1 dimension, got shape ()")
    total, dim = _axis_to_split(input, dim, "tensor_split")
    if isinstance(given, TensorSpec):
        return _split_by_tensor(input, dim, given)
    if isinstance(given, (tuple, list)):
        return _between(input, dim, total, [size(one) for one in given])
    number = size(given)
    if isinstance(number, Dim):
        raise Unanswered(f"unknown number of chunks: {number}")
    return _even(input, dim, total, number)


def _even(input: Tensor, dim: int, total: Size, number: int) -> tuple[Tensor, ...]:
    if number < 1:
        raise NegativeSizeError(f"expected sections to be positive, got {number}")
    if number > _MOST_PARTS:
        raise Unanswered(f"{number} chunks, more than {_MOST_PARTS}")
    return _parts(input, dim, [(total + number - 1 - place) // number for place in range(number)])


def _between(input: Tensor, dim: int, total: Size, indices: Sequence[Size]) -> tuple[Tensor, ...]:
    starts: list[Size | None] = [0, *indices]
    return _parts(input, dim, [sliced(total, slice(*pair))[0] for pair in zip(starts, [*indices, None], strict=True)])


def _split_by_tensor(input: Tensor, dim: int, given: TensorSpec) -> tuple[Tensor, ...]:
    if given.dtype not in (int64, None):
        raise DTypeError(f"expected indices of dtype torch.int64, got {given.dtype}")
    if len(given.dims) > 1:
        raise ShapeError(f"expected 0-D or 1-D indices, got shape {given.shape}")
    if not given.dims or isinstance(given.dims[0], Dim):
        raise Unanswered("data-dependent number of chunks")
    return _parts(input, dim, [unknown(low=0) for _ in range(given.dims[0] + 1)])


def _split_along(name: str, least: int, dim: int) -> Any:
    def rule(
        input: Tensor, indices_or_sections: Sizes | None = None, *, sections: Size | None = None, indices: Any = None
    ) -> Any:
        given: Any = (
            indices_or_sections if indices_or_sections is not None else sections if indices is None else indices
        )
        if len(input.dims) < least:
            raise ShapeError(f"expected at least {number_of(least, 'dimension')}, got shape {input.shape}")
        place = 0 if name == "hsplit" and len(input.dims) == 1 else dim
        total = input.dims[place]
        if isinstance(given, TensorSpec):
            raise CallError(f"expected indices_or_sections to be an int or a tuple of ints, got {value_text(given)}")
        if isinstance(given, (tuple, list)):
            return _between(input, place, total, [size(one) for one in given])
        if not isinstance(given, (int, Dim)):
            raise CallError(f"expected indices_or_sections to be an int or a tuple of ints, got {value_text(given)}")
        if isinstance(given, Dim):
            raise Unanswered(f"symbolic number of chunks: {given}")
        number: int = given
        message = f"expected dimension {place} of {input.shape} to be divisible by sections, got {total} and {number}"
        if number < 1:
            raise ShapeError(message)
        need_equal(total % number, 0, message)
        if number > _MOST_PARTS:
            raise Unanswered(f"{number} chunks, more than {_MOST_PARTS}")
        return _parts(input, place, [quotient(total, number)] * number)

    rule.__doc__ = f"tensor_split along dimension {dim}, whose size must be divisible by the number of sections."
    return rule


for _name, _least, _dim in (("hsplit", 1, 1), ("vsplit", 2, 0), ("dsplit", 3, 2)):
    register(_split_along(_name, _least, _dim), _name, traits=Trait.SEVERAL_RESULTS)


@op("unbind", traits=Trait.SPLITS | Trait.SEVERAL_RESULTS)
def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """The slices along dim, without that dimension."""
    if input.rank == 0:
        raise ShapeError(f"dim {dim} is out of range for a 0-D input")
    if input.rank is None:
        number = input.shape.at(dim)
        if type(number) is not int:
            raise Unanswered("unknown number of slices")
        return (input.with_shape(input.shape.without(dim)),) * number
    dim = axis(dim, input.rank)
    number = input.dims[dim]
    if not isinstance(number, int) or number > _MOST_PARTS:
        raise Unanswered(f"unknown number of chunks: {number}")
    strides = strides_of(input)
    kept = None if strides is None else (*strides[:dim], *strides[dim + 1 :])
    return (laid_out(input, input.shape.without(dim).head, kept),) * number


def _axis_to_split(input: Tensor, dim: int, name: str) -> tuple[Size, int]:
    if input.rank == 0:
        raise ShapeError(f"{name}() cannot be used with a 0-D input")
    if input.rank is None:
        if not isinstance(dim, int):
            raise Unanswered("unknown dim")
        return input.shape.size(dim), dim
    dim = axis(dim, input.rank)
    return input.dims[dim], dim


def _parts(input: Tensor, dim: int, sizes: Iterable[Size]) -> tuple[Tensor, ...]:
    made: dict[Size, TensorSpec] = {}
    strides = strides_of(input) if input.rank is not None else None
    parts = []
    for one in sizes:
        if one not in made:
            shape = input.shape.with_at(dim, one)
            made[one] = laid_out(input, shape.head, strides) if shape.run is None else input.with_shape(shape)
        parts.append(made[one])
    return tuple(parts)
