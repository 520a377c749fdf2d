"""Normalization layers with statistics per channel: batch and instance norm, and their lazy forms."""

from __future__ import annotations

from typing import ClassVar

from shapecheck.ops.module import ModuleSpec, module
from shapecheck.ops.rules.norm import (
    by_channel,
    need_several,
)
from shapecheck.ops.shared.arguments import DTypeLike, Tensor, fresh_shape, need_equal, need_rank, size
from shapecheck.ops.shared.parameters import parameter
from shapecheck.ops.shared.windows import image, known
from shapecheck.ops.traits import Trait
from shapecheck.spec import Shape, ShapeError, Size
from shapecheck.spec.dtype import int64
from shapecheck.spec.presentation import value_text


class _ChannelNorm(ModuleSpec):
    """A layer with a weight, a bias and running statistics for each channel."""

    def __init__(
        self,
        num_features: Size,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: object = None,
        dtype: DTypeLike = None,
        *,
        bias: bool = True,
    ) -> None:
        self.num_features = size(num_features)
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        each = parameter((self.num_features,), dtype)
        self.weight = each if affine else None
        self.bias = each if affine and bias else None
        self.running_mean = each if track_running_stats else None
        self.running_var = each if track_running_stats else None
        self.num_batches_tracked = parameter((), int64) if track_running_stats else None

    def _known(self, input: Tensor) -> Tensor:
        """The input with the rank that the layer requires; ShapeError for another rank."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).name}({self.num_features})"


class _BatchNorm(_ChannelNorm):
    def forward(self, input: Tensor) -> Tensor:
        """(N, num_features, *) keeps its shape."""
        input = self._known(input)
        if not self.track_running_stats:
            need_several(input, (0, *range(2, input.rank or 0)), "value per channel")
        return by_channel(input, self.running_mean, self.running_var, self.weight, self.bias)


@module("nn.BatchNorm1d", traits=Trait.HAS_WEIGHTS | Trait.BATCH_FIRST)
class BatchNorm1d(_BatchNorm):
    """(N, C) or (N, C, L) keeps its shape."""

    def _known(self, input: Tensor) -> Tensor:
        need_rank(input, (2, 3))
        return input


@module("nn.BatchNorm2d", traits=Trait.HAS_WEIGHTS | Trait.BATCH_FIRST)
class BatchNorm2d(_BatchNorm):
    """(N, C, H, W) keeps its shape."""

    def _known(self, input: Tensor) -> Tensor:
        return with_rank(input, 4)


@module("nn.BatchNorm3d", traits=Trait.HAS_WEIGHTS | Trait.BATCH_FIRST)
class BatchNorm3d(_BatchNorm):
    """(N, C, D, H, W) keeps its shape."""

    def _known(self, input: Tensor) -> Tensor:
        return with_rank(input, 5)


@module("nn.SyncBatchNorm")
class SyncBatchNorm(_BatchNorm):
    """(N, C, *) keeps its shape."""

    def __init__(
        self,
        num_features: Size,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        process_group: object = None,
        device: object = None,
        dtype: DTypeLike = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)
        self.process_group = process_group

    def _known(self, input: Tensor) -> Tensor:
        if input.rank is not None and input.rank < 2:
            raise ShapeError(f"expected at least 2 dimensions, got shape {input.shape}")
        return input


class _InstanceNorm(_ChannelNorm):
    spatial: ClassVar[int]

    def __init__(
        self,
        num_features: Size,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: object = None,
        dtype: DTypeLike = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def _known(self, input: Tensor) -> Tensor:
        return input.with_shape(image(input.shape, self.spatial), input.layout)

    def forward(self, input: Tensor) -> Tensor:
        """(N, C, *) or (C, *) keeps its shape."""
        input = self._known(input)
        if input.rank is None:
            return fresh_shape(input.shape, input.dtype, input)
        batched = input if input.rank == self.spatial + 2 else input.with_shape(input.shape.inserted(0, 1))
        channels = batched.dims[1]
        if self.affine:
            expected = f"{value_text(self.num_features)} channels (num_features)"
            message = f"expected {expected}, got {value_text(channels)} in shape {input.shape}"
            need_equal(channels, self.num_features, message)
        if not self.track_running_stats:
            need_several(batched, range(2, self.spatial + 2), "spatial element")
        out = by_channel(batched, self.running_mean, self.running_var, self.weight, self.bias)
        return fresh_shape(input.shape, out.dtype, input)


@module("nn.InstanceNorm1d")
class InstanceNorm1d(_InstanceNorm):
    """(N, C, L) or (C, L) keeps its shape."""

    spatial = 1


@module("nn.InstanceNorm2d")
class InstanceNorm2d(_InstanceNorm):
    """(N, C, H, W) or (C, H, W) keeps its shape."""

    spatial = 2


@module("nn.InstanceNorm3d")
class InstanceNorm3d(_InstanceNorm):
    """(N, C, D, H, W) or (C, D, H, W) keeps its shape."""

    spatial = 3


class _LazyNorm(_ChannelNorm):
    """A layer that reads its number of channels from its first input."""

    lazy_dtype: DTypeLike = None
    lazy_bias: bool = True
    default_affine: ClassVar[bool] = True

    def __init__(
        self,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: object = None,
        dtype: DTypeLike = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(0, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def forward(self, input: Tensor) -> Tensor:
        """The eager layer's rule, after the first input has set the number of channels."""
        if self.num_features == 0:
            self._initialize(self._known(input))
        return super().forward(input)  # type: ignore[no-any-return]

    def _initialize(self, input: Tensor) -> None:
        self.num_features = input.shape.size(1)
        for name in ("weight", "bias", "running_mean", "running_var"):
            found = getattr(self, name)
            if found is not None:
                setattr(self, name, parameter((self.num_features,), found.dtype))


@module("nn.LazyBatchNorm1d")
class LazyBatchNorm1d(_LazyNorm, BatchNorm1d):
    """BatchNorm1d whose number of features is that of its first input."""


@module("nn.LazyBatchNorm2d")
class LazyBatchNorm2d(_LazyNorm, BatchNorm2d):
    """BatchNorm2d whose number of features is that of its first input."""


@module("nn.LazyBatchNorm3d")
class LazyBatchNorm3d(_LazyNorm, BatchNorm3d):
    """BatchNorm3d whose number of features is that of its first input."""


@module("nn.LazyInstanceNorm1d")
class LazyInstanceNorm1d(_LazyNorm, InstanceNorm1d):
    """InstanceNorm1d whose number of features is that of its first input."""


@module("nn.LazyInstanceNorm2d")
class LazyInstanceNorm2d(_LazyNorm, InstanceNorm2d):
    """InstanceNorm2d whose number of features is that of its first input."""


@module("nn.LazyInstanceNorm3d")
class LazyInstanceNorm3d(_LazyNorm, InstanceNorm3d):
    """InstanceNorm3d whose number of features is that of its first input."""


def with_rank(input: Tensor, rank: int) -> Tensor:
    """The input; ShapeError if it has another number of dimensions."""
    if input.rank == rank:
        return input
    return input.with_shape(Shape(known(input.shape, rank, "the input")), input.layout)
