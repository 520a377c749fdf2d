"""Operators of torchvision that choose boxes and pool what is inside them."""

from __future__ import annotations

import pytest

from shapecheck import infer
from shapecheck.spec import ShapeError, TensorSpec

IMAGE = TensorSpec((2, 16, 32, 32), "float32")
BOXES = TensorSpec((7, 4), "float32")
ROIS = TensorSpec((7, 5), "float32")


@pytest.mark.parametrize("name", ["torchvision.ops.nms", "torch.ops.torchvision.nms"])
def test_boxes_that_are_kept(name: str) -> None:
    kept = infer(name, BOXES, TensorSpec((7,), "float32"), 0.5)
    assert kept.rank == 1
    assert str(kept.dtype) == "torch.int64"


def test_pooled_boxes() -> None:
    assert infer("torchvision.ops.roi_align", IMAGE, ROIS, 3).shape == (7, 16, 3, 3)
    assert infer("torchvision.ops.roi_pool", IMAGE, ROIS, (3, 5)).shape == (7, 16, 3, 5)
    assert infer("torch.ops.torchvision.roi_align", IMAGE, ROIS, 1.0, 3, 5, 2, False).shape == (7, 16, 3, 5)


def test_boxes_of_each_image() -> None:
    assert infer("torchvision.ops.roi_align", IMAGE, (BOXES, TensorSpec((2, 4), "float32")), 3).shape == (9, 16, 3, 3)
    assert infer("torchvision.ops.roi_pool", IMAGE, (BOXES, TensorSpec("...", "float32")), 3).rank == 4


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("torchvision.ops.nms", (TensorSpec((1, 7, 4), "float32"), TensorSpec((7,), "float32"), 0.5)),
        ("torchvision.ops.nms", (BOXES, TensorSpec((7, 1), "float32"), 0.5)),
        ("torchvision.ops.nms", (ROIS, TensorSpec((7,), "float32"), 0.5)),
        ("torchvision.ops.roi_align", (TensorSpec((16, 32, 32), "float32"), ROIS, 3)),
        ("torchvision.ops.roi_align", (IMAGE, (TensorSpec((2, 7, 4), "float32"),), 3)),
    ],
)
def test_refused(name: str, args: tuple[object, ...]) -> None:
    with pytest.raises(ShapeError):
        infer(name, *args)
