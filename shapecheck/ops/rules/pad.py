"""Padding in all its modes.

The sizes are those of torch.nn.functional.pad: pads come in pairs, the last dimension first, and each pair adds its sum
to the size of its dimension. The errors follow aten/src/ATen/native/PadNd.cpp and ReflectionPad.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from shapecheck.ops.registry import op, register
from shapecheck.ops.shared.arguments import Tensor, size
from shapecheck.ops.shared.windows import image, kept, last, need_content, replaced, result
from shapecheck.spec import CallError, Shape, ShapeError, Size, at_least, unknown
from shapecheck.spec.presentation import quoted, value_text

_MODES = ("constant", "reflect", "replicate", "circular")


@op("pad")
def pad(input: Tensor, pad: Sequence[Size], mode: str = "constant", value: object = None) -> Tensor:
    """(..., h, w) with pads (left, right, top, bottom) gives (..., top + h + bottom, left + w + right)."""
    pads = _pads(pad)
    if mode not in _MODES:
        raise CallError(f"expected mode to be one of {', '.join(map(quoted, _MODES))}, got {value_text(mode)}")
    if mode == "constant":
        if isinstance(value, str):
            raise CallError(f"expected value to be a number, got {value_text(value)}")
        return constant_pad_nd(input, pad)
    if isinstance(value, (int, float)) and value != 0:
        raise CallError(f"value cannot be used with mode={quoted(mode)}, got {value}")
    return pad_by(mode, input, pads)


@op("constant_pad_nd")
def constant_pad_nd(self: Tensor, pad: Sequence[Size], value: object = 0) -> Tensor:
    """`pad` with mode "constant"."""
    pads = _pads(pad)
    made = _padded(self, self.shape, pads)
    for index, both in enumerate(pads, 1):
        had = self.shape.at(-index)
        cut = sum(one for one in both if isinstance(one, int) and one < 0)
        if cut and had is not None and at_least(had + cut, 0) is False:
            raise ShapeError(
                f"pads {Shape(both)} remove more than the size {had} of dimension {-index} of {self.shape}"
            )
    return made


@op("_pad_circular")
def _pad_circular(self: Tensor, pad: Sequence[Size]) -> Tensor:
    """`pad` with mode "circular"."""
    return pad_by("circular", self, _pads(pad))


def pad_by(mode: str, input: Tensor, pads: Sequence[tuple[Size, Size]]) -> Tensor:
    """`input` with `pads`, the last dimension first, filled with its elements."""
    count = len(pads)
    if count not in (1, 2, 3):
        raise CallError(f"expected pad to have 2, 4 or 6 elements for mode={quoted(mode)}, got {2 * count}")
    shape = image(input.shape, count)
    if mode != "circular":
        need_content(shape, count)
    for index, (before, after) in enumerate(pads, 1):
        _need_source(mode, shape.at(-index), -index, before, after, shape)
    made = _padded(input, shape, pads)
    sizes = last(made.shape, count)
    if mode != "circular" and all(size is not None and at_least(size, 1) is False for size in sizes):
        raise ShapeError(f"input of shape {shape} is too small for the pads: the output would have shape {made.shape}")
    return made if made.layout == "contiguous" else made.with_layout("unknown")


def _need_source(mode: str, had: Size | None, index: int, before: Size, after: Size, shape: Shape) -> None:
    """Raises ShapeError if there are fewer elements than the pads repeat."""
    if had is None or mode == "replicate":
        return
    most = had - 1 if mode == "reflect" else had
    for more in (before, after):
        if at_least(more, most + 1):
            expected = "less than" if mode == "reflect" else "at most"
            raise ShapeError(
                f"expected pads {expected} the input's size {had} in dimension {index} for mode={quoted(mode)}, "
                f"got {more} (input of shape {shape})"
            )


def _pads(pad: Any) -> list[tuple[Size, Size]]:
    if not isinstance(pad, (tuple, list, Shape)):
        raise CallError(f"expected pad to be a tuple of ints, got {value_text(pad)}")
    numbers = [size(one) for one in pad]
    if len(numbers) % 2:
        raise CallError(f"expected pad to have an even number of elements, got {value_text(tuple(numbers))}")
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _padded(input: Tensor, shape: Shape, pads: Sequence[tuple[Size, Size]]) -> Tensor:
    count = len(pads)
    if not count:
        return result(input, shape, kept(input), input.dtype)
    if shape.run is None and len(shape.head) < count:
        raise ShapeError(
            f"expected pad to have at most {2 * (shape.rank or 0)} elements (input of shape {shape}), got {2 * count}"
        )
    sizes: list[Size] = []
    for had, (before, after) in zip(last(shape, count), reversed(pads), strict=True):
        made = unknown(low=0) if had is None else had + before + after
        if at_least(made, 0) is False:
            raise ShapeError(
                f"pads {before} and {after} reduce a dimension of size {had} to {made} (input of shape {shape})"
            )
        sizes.append(made)
    return result(input, replaced(shape, sizes), kept(input, 2 if shape.rank == 4 else 0), input.dtype)


def _fixed_rule(mode: str, count: int) -> Callable[..., Tensor]:
    def rule(self: Tensor, padding: Sequence[Size]) -> Tensor:
        pads = _pads(padding)
        if len(pads) != count:
            raise CallError(f"expected padding to have {2 * count} elements, got {2 * len(pads)}")
        return pad_by(mode, self, pads)

    return rule


def _gradient(grad_output: Tensor, self: Tensor, padding: object) -> Tensor:
    return result(self, self.shape, "unknown", self.dtype)


def _enter() -> None:
    for name, mode in (("reflection", "reflect"), ("replication", "replicate")):
        for count in (1, 2, 3):
            register(_fixed_rule(mode, count), f"{name}_pad{count}d")
            register(_gradient, f"{name}_pad{count}d_backward")


_enter()
