"""Layers that change an image's sizes: upsampling, shuffles, folds."""

from __future__ import annotations

from typing import Any

from shapecheck.ops.module import ModuleSpec, module
from shapecheck.ops.rules.fold import fold, unfold
from shapecheck.ops.rules.resample import FactorsOrUnknown, interpolate
from shapecheck.ops.rules.shuffle import channel_shuffle, pixel_shuffle, pixel_unshuffle
from shapecheck.ops.shared.arguments import Sizes, Tensor
from shapecheck.ops.shared.windows import SizesOrUnknown
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import Size


@module("nn.Upsample")
class Upsample(ModuleSpec):
    """(n, c, *sizes) gives (n, c, *size), or (n, c, *floor(sizes * scale_factor))."""

    def __init__(
        self,
        size: SizesOrUnknown | None = None,
        scale_factor: FactorsOrUnknown = None,
        mode: str = "nearest",
        align_corners: object = None,
        recompute_scale_factor: object = None,
    ) -> None:
        self.size = size
        self.scale_factor = scale_factor if type(scale_factor) is Unknown else scale_factor or None
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input: Tensor) -> Tensor:
        """(n, c, *sizes) gives (n, c, *size), or (n, c, *floor(sizes * scale_factor))."""
        return interpolate(
            input, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor
        )

    def __repr__(self) -> str:
        given = f"size={self.size}" if self.scale_factor is None else f"scale_factor={self.scale_factor}"
        return f"{type(self).name}({given}, mode={self.mode!r})"


@module("nn.UpsamplingNearest2d")
class UpsamplingNearest2d(Upsample):
    """`Upsample` with mode "nearest"."""

    def __init__(self, size: SizesOrUnknown | None = None, scale_factor: FactorsOrUnknown = None) -> None:
        super().__init__(size, scale_factor)


@module("nn.UpsamplingBilinear2d")
class UpsamplingBilinear2d(Upsample):
    """`Upsample` with mode "bilinear"."""

    def __init__(self, size: SizesOrUnknown | None = None, scale_factor: FactorsOrUnknown = None) -> None:
        super().__init__(size, scale_factor, "bilinear", align_corners=True)


@module("nn.PixelShuffle")
class PixelShuffle(ModuleSpec):
    """(..., c * r * r, h, w) gives (..., c, h * r, w * r)."""

    def __init__(self, upscale_factor: Size) -> None:
        self.upscale_factor = upscale_factor

    def forward(self, input: Tensor) -> Tensor:
        """(..., c * r * r, h, w) gives (..., c, h * r, w * r)."""
        return pixel_shuffle(input, self.upscale_factor)

    def __repr__(self) -> str:
        return f"PixelShuffle({self.upscale_factor})"


@module("nn.PixelUnshuffle")
class PixelUnshuffle(ModuleSpec):
    """(..., c, h * r, w * r) gives (..., c * r * r, h, w)."""

    def __init__(self, downscale_factor: Size) -> None:
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Tensor:
        """(..., c, h * r, w * r) gives (..., c * r * r, h, w)."""
        return pixel_unshuffle(input, self.downscale_factor)

    def __repr__(self) -> str:
        return f"PixelUnshuffle({self.downscale_factor})"


@module("nn.ChannelShuffle")
class ChannelShuffle(ModuleSpec):
    """(n, c, *sizes) keeps its shape."""

    def __init__(self, groups: Size) -> None:
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        """(n, c, *sizes) keeps its shape."""
        return channel_shuffle(input, self.groups)


class _Windows(ModuleSpec):
    def keep(self, kernel_size: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes) -> None:
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def windows(self) -> tuple[Any, ...]:
        return self.kernel_size, self.dilation, self.padding, self.stride


@module("nn.Unfold")
class Unfold(_Windows):
    """(n, c, h, w) gives (n, c * kh * kw, blocks)."""

    def __init__(self, kernel_size: Sizes, dilation: Sizes = 1, padding: Sizes = 0, stride: Sizes = 1) -> None:
        self.keep(kernel_size, dilation, padding, stride)

    def forward(self, input: Tensor) -> Tensor:
        """(n, c, h, w) gives (n, c * kh * kw, blocks)."""
        return unfold(input, *self.windows())


@module("nn.Fold")
class Fold(_Windows):
    """(n, c * kh * kw, blocks) gives (n, c, *output_size)."""

    def __init__(
        self, output_size: Sizes, kernel_size: Sizes, dilation: Sizes = 1, padding: Sizes = 0, stride: Sizes = 1
    ) -> None:
        self.output_size = output_size
        self.keep(kernel_size, dilation, padding, stride)

    def forward(self, input: Tensor) -> Tensor:
        """(n, c * kh * kw, blocks) gives (n, c, *output_size)."""
        return fold(input, self.output_size, *self.windows())
