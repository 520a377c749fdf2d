"""einops.pack and einops.unpack: tensors of different ranks packed into one, and back. Source: https://einops.rocks/api/pack_unpack/."""

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
from shapecheck.spec.presentation import value_text


@op("einops.pack")
def pack(tensors: Sequence[Tensor], pattern: str) -> tuple[Tensor, list[tuple[Size, ...]]]:
    """The tensors joined along `*`, which matches any number of axes, and the sizes of these axes."""
    before, after = _axes(pattern)
    if not isinstance(tensors, (list, tuple)) or not tensors:
        got = value_text(tensors) if tensors else "an empty list"
        raise CallError(f"expected a non-empty list of tensors, got {got}")
    flat, shapes = [], []
    for index, tensor in enumerate(tensors):
        if isinstance(tensor, Unknown):
            raise Unanswered("unknown item in a list of tensors")
        if not isinstance(tensor, TensorSpec):
            raise CallError(f"expected item {index} to be a tensor, got {value_text(tensor)}")
        dims = tensor.dims
        if len(dims) < before + after:
            least = f"expected tensor {index} to be at least {before + after}-D for {value_text(pattern)}"
            raise ShapeError(f"{least}, got shape {tensor.shape}")
        packed = dims[before : len(dims) - after]
        shapes.append(packed)
        flat.append(reshape(tensor, (*dims[:before], prod(packed), *dims[len(dims) - after :])))
    return cat(flat, before), shapes


@op("einops.unpack")
def unpack(tensor: Tensor, packed_shapes: Any, pattern: str) -> list[Tensor]:
    """The parts of a packed tensor, each with its packed shape in place of `*`."""
    before, after = _axes(pattern)
    dims = tensor.dims
    if len(dims) != before + 1 + after:
        expected = f"expected the input to be {before + 1 + after}-D for {value_text(pattern)}"
        raise ShapeError(f"{expected}, got shape {tensor.shape}")
    if not isinstance(packed_shapes, (list, tuple)):
        raise CallError(f"expected packed_shapes to be a list of shapes, got {value_text(packed_shapes)}")
    shapes = _inferred([tuple(shape) for shape in packed_shapes], dims[before], tensor.shape)
    return [
        TensorSpec.make(Shape((*dims[:before], *shape, *dims[before + 1 :])), tensor.dtype, "unknown", tensor.device)
        for shape in shapes
    ]


def _axes(pattern: str) -> tuple[int, int]:
    """The number of axes before and after `*`."""
    names = pattern.split() if isinstance(pattern, str) else []
    if names.count("*") != 1 or len(set(names)) != len(names):
        raise CallError(f'expected a pattern of unique names and one *, such as "b * c", got {value_text(pattern)}')
    for name in names:
        if name != "*" and (not name.isidentifier() or name[0] == "_" or name[-1] == "_"):
            raise CallError(f"invalid axis name {value_text(name)} in {value_text(pattern)}")
    at = names.index("*")
    return at, len(names) - at - 1


def _inferred(shapes: list[tuple[Size, ...]], length: Size, whole: Shape) -> list[tuple[Size, ...]]:
    """The packed shapes with -1 replaced by the inferred size; they must fill the packed axis."""
    open_ones = [index for index, shape in enumerate(shapes) if -1 in shape]
    if len(open_ones) > 1 or any(shape.count(-1) > 1 for shape in shapes):
        raise CallError(f"only one size can be -1, got {value_text(shapes)}")
    taken = sum(prod(shape) for index, shape in enumerate(shapes) if index not in open_ones)
    expected = f"expected packed_shapes to have {length} elements in total"
    message = f"{expected}, got {taken} for {value_text(shapes)} (input of shape {whole})"
    if not open_ones:
        need_equal(taken, length, message)
        return shapes
    shape = shapes[open_ones[0]]
    at = shape.index(-1)
    left, given = length - taken, prod((*shape[:at], *shape[at + 1 :]))
    if isinstance(left, int) and left < 0:
        raise ShapeError(message)
    if same(given, 0) or same(left % given, 0) is False:
        raise ShapeError(
            f"cannot infer -1 in {Shape(shape)}: {left} is not divisible by {given} (input of shape {whole})"
        )
    filled = (*shape[:at], quotient(left, given), *shape[at + 1 :])
    return [*shapes[: open_ones[0]], filled, *shapes[open_ones[0] + 1 :]]
