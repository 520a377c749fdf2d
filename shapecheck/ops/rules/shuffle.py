"""Elements moved between channels and pixels, as in torch.nn.PixelShuffle, and channels between groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.shared.windows import divided, kept, last, replaced, result, settings
from shapecheck.spec import CallError, ShapeError, Size, at_least, unknown


@op("pixel_shuffle")
def pixel_shuffle(self: Tensor, upscale_factor: Size) -> Tensor:
    """(..., c * r * r, h, w) gives (..., c, h * r, w * r)."""
    factor = _factor(upscale_factor, "upscale_factor")
    square = factor * factor
    channels, height, width = _image(self)
    if channels is not None:
        channels = divided(channels, square, f"dimension -3 of the input {self.shape}", "the square of upscale_factor")
    return _shuffled(self, (channels, _times(height, factor), _times(width, factor)))


@op("pixel_unshuffle")
def pixel_unshuffle(self: Tensor, downscale_factor: Size) -> Tensor:
    """(..., c, h * r, w * r) gives (..., c * r * r, h, w)."""
    factor = _factor(downscale_factor, "downscale_factor")
    channels, *sizes = _image(self)
    smaller = [
        None
        if size is None
        else divided(size, factor, f"dimension {index} of the input {self.shape}", "downscale_factor")
        for index, size in enumerate(sizes, -2)
    ]
    return _shuffled(self, (_times(channels, factor * factor), *smaller))


def _times(size: Size | None, factor: Size) -> Size | None:
    return None if size is None else size * factor


def _factor(value: Any, name: str) -> Size:
    return settings(1, 1, name, value)[0]


def _image(self: Tensor) -> tuple[Size | None, ...]:
    shape = self.shape
    if shape.run is None and len(shape.head) < 3:
        raise ShapeError(f"expected at least 3 dimensions, got shape {shape}")
    return last(shape, 3)


def _shuffled(self: Tensor, made: Sequence[Size | None]) -> Tensor:
    shape = replaced(self.shape, [unknown(low=0) if size is None else size for size in made])
    return result(self, shape, kept(self, 0), self.dtype)


@op("channel_shuffle", "native_channel_shuffle")
def channel_shuffle(self: Tensor, groups: Size) -> Tensor:
    """(n, c, *sizes) keeps its shape; `groups` must divide c."""
    if self.rank is not None and self.rank < 3:
        raise ShapeError(f"expected at least 3 dimensions, got shape {self.shape}")
    if at_least(groups, 1) is False:
        raise CallError(f"expected groups to be positive, got {groups}")
    channels = self.shape.at(1)
    if channels is not None:
        divided(channels, groups, f"dimension 1 of the input {self.shape}", "groups")
    return result(self, self.shape, kept(self, 0), self.dtype)
