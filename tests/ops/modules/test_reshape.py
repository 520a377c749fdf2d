"""Flatten, Unflatten, Identity."""

from __future__ import annotations

import pytest

from shapecheck.ops import Unknown, infer
from shapecheck.spec import Shape, ShapeError, TensorSpec, axis, quotient

n, c, h, w = (axis(name) for name in "nchw")
IMAGES = TensorSpec(("n", "c", "h", "w"), "float32", "contiguous")


def test_the_layer_keeps_the_batch_and_the_function_does_not() -> None:
    assert infer("nn.Flatten")(IMAGES).shape == (n, c * h * w)
    assert infer("torch.flatten", IMAGES).shape == (n * c * h * w,)


def test_unflatten() -> None:
    assert infer("nn.Unflatten", 1, (2, -1))(IMAGES).shape == (n, 2, quotient(c, 2), h, w)
    with pytest.raises(ShapeError, match=r"cannot unflatten dimension 1 of \(2, 6\) into \(4, -1\)"):
        infer("nn.Unflatten", 1, (4, -1))(TensorSpec((2, 6)))


def test_unflatten_to_the_shape_of_a_tensor_of_unknown_rank() -> None:
    assert isinstance(infer("nn.Unflatten", 1, Shape.of("...")), Unknown)


def test_identity_takes_any_arguments() -> None:
    assert infer("nn.Identity", 54, unused=True)(IMAGES) is IMAGES
