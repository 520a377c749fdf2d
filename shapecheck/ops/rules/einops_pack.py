"""einops.pack and einops.unpack: tensors of several ranks in one, and back. Source: https://einops.rocks/api/pack_unpack/."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.rules.join import cat
from shapecheck.ops.rules.views import reshape
from shapecheck.ops.shared.arguments import Tensor, need_equal
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, Shape, ShapeError, Size, TensorSpec, Unanswered, quotient, same


@op("einops.pack")
def pack(tensors: Sequence[Tensor], pattern: str) -> tuple[Tensor, list[tuple[Size, ...]]]:
    """The tensors joined along `*`, which stands for the axes that each has there, and those axes' sizes."""
    before, after = _axes(pattern)
    if not isinstance(tensors, (list, tuple)) or not tensors:
        raise CallError("a list of at least one tensor is due")
    flat, shapes = [], []
    for index, tensor in enumerate(tensors):
        if isinstance(tensor, Unknown):
            raise Unanswered(f"item {index} is unknown")
        if not isinstance(tensor, TensorSpec):
            raise CallError(f"item {index} is no tensor: {tensor!r}")
        dims = tensor.dims
        if len(dims) < before + after:
            raise ShapeError(f"tensor {index} is {tensor.shape}; {pattern!r} needs rank {before + after} or more")
        packed = dims[before : len(dims) - after]
        shapes.append(packed)
        flat.append(reshape(tensor, (*dims[:before], prod(packed), *dims[len(dims) - after :])))
    return cat(flat, before), shapes


@op("einops.unpack")
def unpack(tensor: Tensor, packed_shapes: Any, pattern: str) -> list[Tensor]:
    """The parts of a packed tensor, each with the axes of its packed shape in the place of `*`."""
    before, after = _axes(pattern)
    dims = tensor.dims
    if len(dims) != before + 1 + after:
        raise ShapeError(f"the packed tensor is {tensor.shape}; {pattern!r} is for rank {before + 1 + after}")
    if not isinstance(packed_shapes, (list, tuple)):
        raise CallError("packed_shapes is a list of shapes, as pack gives it")
    shapes = _inferred([tuple(shape) for shape in packed_shapes], dims[before], tensor.shape)
    return [
        TensorSpec.make(Shape((*dims[:before], *shape, *dims[before + 1 :])), tensor.dtype, "unknown", tensor.device)
        for shape in shapes
    ]


def _axes(pattern: str) -> tuple[int, int]:
    """How many axes stand before and after `*`."""
    names = pattern.split() if isinstance(pattern, str) else []
    if names.count("*") != 1 or len(set(names)) != len(names):
        raise CallError(f"a pattern is different names and one '*', such as 'b * c', not {pattern!r}")
    for name in names:
        if name != "*" and (not name.isidentifier() or name[0] == "_" or name[-1] == "_"):
            raise CallError(f"{name!r} is no name for an axis in {pattern!r}")
    at = names.index("*")
    return at, len(names) - at - 1


def _inferred(shapes: list[tuple[Size, ...]], length: Size, whole: Shape) -> list[tuple[Size, ...]]:
    """The packed shapes with the size that -1 stands for; they must fill the packed axis."""
    open_ones = [index for index, shape in enumerate(shapes) if -1 in shape]
    if len(open_ones) > 1 or any(shape.count(-1) > 1 for shape in shapes):
        raise CallError(f"-1 stands more than once in {shapes}")
    taken = sum(prod(shape) for index, shape in enumerate(shapes) if index not in open_ones)
    if not open_ones:
        need_equal(taken, length, f"the shapes {shapes} take {taken} of the packed axis, which is {length} in {whole}")
        return shapes
    shape = shapes[open_ones[0]]
    at = shape.index(-1)
    left, given = length - taken, prod((*shape[:at], *shape[at + 1 :]))
    if isinstance(left, int) and left < 0:
        raise ShapeError(f"the shapes {shapes} take {taken} of the packed axis, which is {length} in {whole}")
    if same(given, 0) or same(left % given, 0) is False:
        raise ShapeError(f"{left} of the packed axis are left for {shape}, which {given} does not divide")
    filled = (*shape[:at], quotient(left, given), *shape[at + 1 :])
    return [*shapes[: open_ones[0]], filled, *shapes[open_ones[0] + 1 :]]
