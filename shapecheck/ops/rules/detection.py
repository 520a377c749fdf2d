"""Operators of torchvision for object detection: selecting boxes, and pooling the features inside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Tensor, fresh
from shapecheck.spec import ShapeError, Size, TensorSpec, Unanswered, same, unknown
from shapecheck.spec.dtype import int64


def _need_rank(tensor: TensorSpec, rank: int, what: str) -> None:
    if tensor.rank not in (None, rank):
        raise ShapeError(f"expected {rank}-D {what}, got shape {tensor.shape}")


@op("torchvision.ops.nms", "torchvision.ops.boxes.nms", "ops.torchvision.nms", "ops.torchvision.qnms")
def nms(boxes: Tensor, scores: Tensor, iou_threshold: object) -> Tensor:
    """Boxes (n, 4) and scores (n,) give the indices of the boxes that are kept; their number is data-dependent."""
    _need_rank(boxes, 2, "boxes")
    _need_rank(scores, 1, "scores")
    if boxes.rank == 2 and same(boxes.dims[1], 4) is False:
        raise ShapeError(f"expected boxes of shape (n, 4), got {boxes.shape}")
    return fresh((unknown("kept", low=0),), int64, boxes)


@op("ops.torchvision.roi_align")
def roi_align(
    input: Tensor,
    rois: Tensor,
    spatial_scale: object,
    pooled_height: Size,
    pooled_width: Size,
    sampling_ratio: object = -1,
    aligned: object = False,
) -> Tensor:
    """An input (n, c, h, w) and boxes (k, 5) give (k, c, pooled_height, pooled_width)."""
    return _pooled(input, rois, (pooled_height, pooled_width))


@op("torchvision.ops.roi_align", "torchvision.ops.roi_pool")
def roi_align_of_size(
    input: Tensor,
    boxes: Tensor | Sequence[Tensor],
    output_size: Any,
    spatial_scale: object = 1.0,
    sampling_ratio: object = -1,
    aligned: object = False,
) -> Tensor:
    """As `roi_align`, with the size as a number or a pair; boxes also as a list of (k, 4), one for each image."""
    pair = output_size if isinstance(output_size, (tuple, list)) else (output_size, output_size)
    if len(pair) != 2:
        raise Unanswered("output_size that is not a pair")
    return _pooled(input, boxes, (pair[0], pair[1]))


def _pooled(input: TensorSpec, boxes: TensorSpec | Sequence[TensorSpec], size: tuple[Size, Size]) -> TensorSpec:
    _need_rank(input, 4, "features")
    each = (boxes,) if isinstance(boxes, TensorSpec) else boxes
    number: Size = 0
    for one in each:
        _need_rank(one, 2, "boxes")
        number += one.dims[0] if one.rank else unknown("boxes", low=0)
    channels = input.dims[1] if input.rank else unknown("channels", low=0)
    return fresh((number, channels, *size), input.dtype, input)
