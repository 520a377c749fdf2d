"""Taking tensors apart: split, chunk, tensor_split, unbind. The parts are views and keep the strides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from shapecheck.ops.registry import op, register
from shapecheck.ops.rules.subscript import sliced
from shapecheck.ops.shared.arguments import Sizes, Tensor, axis, need_equal, size
from shapecheck.ops.traits import Trait
from shapecheck.spec import (
    CallError,
    Dim,
    DTypeError,
    Shape,
    ShapeError,
    Size,
    TensorSpec,
    Unanswered,
    at_least,
    quotient,
    unknown,
)
from shapecheck.spec.dtype import int64
from shapecheck.spec.strides import laid_out, strides_of

_MOST_PARTS = 100_000


@op("split", "unsafe_split", traits=Trait.TENSOR_FIRST | Trait.SPLITS | Trait.SEVERAL_RESULTS)
def split(tensor: Tensor, split_size_or_sections: Sizes, dim: int = 0) -> tuple[Tensor, ...]:
    """Parts of one size along dim, the last one with what is left; or parts of the given sizes."""
    if isinstance(split_size_or_sections, (tuple, list, Shape)):
        return split_with_sizes(tensor, split_size_or_sections, dim)
    part = size(split_size_or_sections)
    total, dim = _axis_to_split(tensor, dim, "split")
    if at_least(-1, part):
        raise ShapeError(f"the size of a part is {part}, it must be non-negative")
    if part == 0:
        need_equal(total, 0, f"the size of a part is 0, but dim {dim} of {tensor.shape} is of size {total}")
        return (tensor,)
    number = _number_of_parts(total, part)
    return _parts(tensor, dim, [*[part] * (number - 1), total - part * (number - 1)])


@op("Tensor.split")
def method_split(self: Tensor, split_size: Sizes, dim: int = 0) -> tuple[Tensor, ...]:
    """The same with the method's parameter names."""
    return split(self, split_size, dim)


def _number_of_parts(total: Size, part: Size) -> int:
    number = (total + part - 1) // part
    if isinstance(number, Dim):
        raise Unanswered(f"how many parts of {part} there are in {total} is not known")
    if number > _MOST_PARTS:
        raise Unanswered(f"{number} parts are too many to list")
    return max(number, 1)


@op("split_with_sizes", "unsafe_split_with_sizes")
def split_with_sizes(input: Tensor, split_sizes: Sequence[Size], dim: int = 0) -> tuple[Tensor, ...]:
    """Parts of the given sizes along dim, which must add up to its size."""
    parts = [size(one) for one in split_sizes]
    total, dim = _axis_to_split(input, dim, "split")
    added: Size = 0
    for one in parts:
        if at_least(-1, one):
            raise ShapeError(f"the sizes {Shape(tuple(parts))} have a negative one")
        added = added + one
    shown = "+".join(map(str, parts))
    need_equal(added, total, f"the sizes {shown} sum to {added}, dim {dim} of {input.shape} is of size {total}")
    return _parts(input, dim, parts)


@op("chunk", "unsafe_chunk", traits=Trait.TENSOR_FIRST | Trait.SPLITS | Trait.SEVERAL_RESULTS)
def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """At most `chunks` parts of ceil(size / chunks) along dim, the last one with what is left.

    A size that is known by name is taken to be great enough for all the parts.
    """
    if isinstance(chunks, Dim):
        raise Unanswered(f"the number of parts is {chunks}")
    if chunks < 1:
        raise ShapeError(f"chunks is {chunks}, it must be greater than 0")
    total, dim = _axis_to_split(input, dim, "chunk")
    part = (total + chunks - 1) // chunks
    number = chunks
    if type(total) is int and type(part) is int and part:
        number = -(-total // part)
    if number > _MOST_PARTS:
        raise Unanswered(f"{number} parts are too many to list")
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
    """Parts of almost equal size, the first ones greater by one; or what lies between the given indices."""
    given: Any = indices_or_sections if indices_or_sections is not None else sections if indices is None else indices
    if input.rank == 0:
        raise ShapeError("the input is a 0-dimensional tensor; at least 1 dimension is due")
    total, dim = _axis_to_split(input, dim, "tensor_split")
    if isinstance(given, TensorSpec):
        return _split_by_tensor(input, dim, given)
    if isinstance(given, (tuple, list)):
        return _between(input, dim, total, [size(one) for one in given])
    number = size(given)
    if isinstance(number, Dim):
        raise Unanswered(f"the number of parts is {number}")
    return _even(input, dim, total, number)


def _even(input: Tensor, dim: int, total: Size, number: int) -> tuple[Tensor, ...]:
    if number < 1:
        raise ShapeError(f"the number of sections is {number}, it must be larger than 0")
    if number > _MOST_PARTS:
        raise Unanswered(f"{number} parts are too many to list")
    return _parts(input, dim, [(total + number - 1 - place) // number for place in range(number)])


def _between(input: Tensor, dim: int, total: Size, indices: Sequence[Size]) -> tuple[Tensor, ...]:
    starts: list[Size | None] = [0, *indices]
    return _parts(input, dim, [sliced(total, slice(*pair))[0] for pair in zip(starts, [*indices, None], strict=True)])


def _split_by_tensor(input: Tensor, dim: int, given: TensorSpec) -> tuple[Tensor, ...]:
    if given.dtype not in (int64, None):
        raise DTypeError(f"the indices are {given.dtype}; dtype torch.int64 (long) is due")
    if len(given.dims) > 1:
        raise ShapeError(f"the indices are {given.shape}; a zero-dimensional or one-dimensional tensor is due")
    if not given.dims or isinstance(given.dims[0], Dim):
        raise Unanswered("the number of parts hangs on data")
    return _parts(input, dim, [unknown(low=0) for _ in range(given.dims[0] + 1)])


def _split_along(name: str, least: int, dim: int) -> Any:
    def rule(
        input: Tensor, indices_or_sections: Sizes | None = None, *, sections: Size | None = None, indices: Any = None
    ) -> Any:
        given: Any = (
            indices_or_sections if indices_or_sections is not None else sections if indices is None else indices
        )
        if len(input.dims) < least:
            raise ShapeError(f"the input is {input.shape}; it must have at least {least} dimension{'s' * (least > 1)}")
        place = 0 if name == "hsplit" and len(input.dims) == 1 else dim
        total = input.dims[place]
        if isinstance(given, TensorSpec):
            raise CallError("the indices must be ints, here they are a tensor")
        if isinstance(given, (tuple, list)):
            return _between(input, place, total, [size(one) for one in given])
        if not isinstance(given, (int, Dim)):
            raise CallError(f"the argument indices_or_sections must be an int or a tuple of ints, here it is {given!r}")
        if isinstance(given, Dim):
            raise Unanswered(f"the number of parts is {given}")
        number: int = given
        message = f"dimension {place} of {input.shape} is of size {total}, which is not divisible by {number} parts"
        if number < 1:
            raise ShapeError(message)
        need_equal(total % number, 0, message)
        if number > _MOST_PARTS:
            raise Unanswered(f"{number} parts are too many to list")
        return _parts(input, place, [quotient(total, number)] * number)

    rule.__doc__ = f"tensor_split along axis {dim}, of which the number of parts must be a divisor."
    return rule


for _name, _least, _dim in (("hsplit", 1, 1), ("vsplit", 2, 0), ("dsplit", 3, 2)):
    register(_split_along(_name, _least, _dim), _name, traits=Trait.SEVERAL_RESULTS)


@op("unbind", traits=Trait.SPLITS | Trait.SEVERAL_RESULTS)
def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """The slices along dim, without that axis."""
    if input.rank == 0:
        raise ShapeError(f"the input has no dimensions, dim {dim} is out of range")
    if input.rank is None:
        number = input.shape.at(dim)
        if type(number) is not int:
            raise Unanswered("the number of parts is not known")
        return (input.with_shape(input.shape.without(dim)),) * number
    dim = axis(dim, input.rank)
    number = input.dims[dim]
    if not isinstance(number, int) or number > _MOST_PARTS:
        raise Unanswered(f"the number of parts is {number}")
    strides = strides_of(input)
    kept = None if strides is None else (*strides[:dim], *strides[dim + 1 :])
    return (laid_out(input, input.shape.without(dim).head, kept),) * number


def _axis_to_split(input: Tensor, dim: int, name: str) -> tuple[Size, int]:
    if input.rank == 0:
        raise ShapeError(f"{name} needs at least a 1-dimensional tensor, the input has no dimension")
    if input.rank is None:
        if not isinstance(dim, int):
            raise Unanswered("the axis is not known")
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
