"""Functions of other packages that models use: torch_einops_utils, torchvision."""

from __future__ import annotations

from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Axes, Tensor, axes, axis, fresh
from shapecheck.ops.shared.dtypes import floating
from shapecheck.ops.traits import Trait
from shapecheck.spec import ShapeError, Size, TensorSpec, Unanswered


@op("torch_einops_utils.pad_at_dim", traits=Trait.TENSOR_FIRST)
def pad_at_dim(t: Tensor, pad: tuple[Size, Size], *, dim: int = -1, value: object = 0.0) -> Tensor:
    """The axis grows by pad[0] before and pad[1] after."""
    grown = list(t.dims)
    at = axis(dim, len(grown))
    grown[at] = grown[at] + pad[0] + pad[1]
    return fresh(grown, t.dtype, t)


@op("torch_einops_utils.pad_right_at_dim", traits=Trait.TENSOR_FIRST)
def pad_right_at_dim(t: Tensor, pad: Size, *, dim: int = -1, value: object = 0.0) -> Tensor:
    """The axis grows by `pad` after its end."""
    return pad_at_dim(t, (0, pad), dim=dim)


@op("torch_einops_utils.pad_left_at_dim", traits=Trait.TENSOR_FIRST)
def pad_left_at_dim(t: Tensor, pad: Size, *, dim: int = -1, value: object = 0.0) -> Tensor:
    """The axis grows by `pad` before its start."""
    return pad_at_dim(t, (pad, 0), dim=dim)


@op("torch_einops_utils.masked_mean", traits=Trait.TENSOR_FIRST)
def masked_mean(
    t: Tensor, mask: Tensor | None = None, dim: Axes = None, eps: object = 1e-5, keepdim: bool = False
) -> Tensor:
    """The mean over the dimensions where the mask is True."""
    if dim is None:
        return fresh((), floating(t.dtype), t)
    gone = axes(dim, len(t.dims))
    kept = [1 if index in gone else size for index, size in enumerate(t.dims) if keepdim or index not in gone]
    return fresh(kept, floating(t.dtype), t)


@op("torchvision.transforms.functional.resize", "torchvision.transforms.v2.functional.resize")
def resize(
    img: Tensor, size: Any, interpolation: object = None, max_size: object = None, antialias: object = True
) -> Tensor:
    """(..., h, w) gives (..., size[0], size[1]); one number is the shorter side."""
    if not isinstance(size, (tuple, list)) or len(size) != 2:
        raise Unanswered("longer side depends on the aspect ratio of the image")
    if img.rank is not None and img.rank < 2:
        raise ShapeError(f"expected an image of shape (..., h, w), got {img.shape}")
    return TensorSpec.make(img.shape.with_at(-2, size[0]).with_at(-1, size[1]), img.dtype, "unknown", img.device)


@op("torchvision.transforms.functional.get_dimensions", "torchvision.transforms.v2.functional.get_dimensions")
def get_dimensions(img: Tensor) -> list[Size]:
    """The channels, height and width of (..., c, h, w); of (h, w) with one channel."""
    if img.rank == 2:
        return [1, *img.dims]
    return [img.shape.size(-3), img.shape.size(-2), img.shape.size(-1)]


@op("torchvision.transforms.functional.get_image_size", "torchvision.transforms.v2.functional.get_image_size")
def get_image_size(img: Tensor) -> list[Size]:
    """The width and height of (..., h, w)."""
    return [img.shape.size(-1), img.shape.size(-2)]
