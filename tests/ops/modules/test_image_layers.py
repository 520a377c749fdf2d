"""Layers over images and sequences of channels: convolutions, pools, pads, upsampling, folds."""

from __future__ import annotations

from typing import Any

import pytest

from shapecheck import UNKNOWN, CallError, ShapeError, TensorSpec, infer


def f32(*dims: Any) -> TensorSpec:
    return TensorSpec(dims, "float32")


IMAGE = f32("b", 3, "h", "w")
H, W = IMAGE.dims[2:]

RESULTS = [
    ("Conv2d", (3, 16, 3, 2, 1), {}, (IMAGE,), "(b, 16, (h+1)//2, (w+1)//2)"),
    ("Conv2d", (3, 16, 3), {"padding": 1, "padding_mode": "reflect"}, (IMAGE,), "(b, 16, h, w)"),
    ("Conv2d", (3, 16, 4), {"padding": "same", "padding_mode": "circular"}, (IMAGE,), "(b, 16, h, w)"),
    ("Conv2d", (H, H, 3, 1, 1), {"groups": H}, (f32("b", "h", "x", "y"),), "(b, h, x, y)"),
    ("Conv2d", (3, 16, 3), {"padding": UNKNOWN}, (IMAGE,), "(b, 16, ?, ?)"),
    ("Conv2d", (UNKNOWN, 16, 3), {"groups": UNKNOWN}, (IMAGE,), "(b, 16, h-2, w-2)"),
    ("Conv2d", (3, UNKNOWN, 1), {}, (IMAGE,), "(b, ?, h, w)"),
    ("Conv1d", (3, 16, 3), {}, (f32(...),), "(..., 16, ?)"),
    ("LazyConv2d", (16, 3), {}, (IMAGE,), "(b, 16, h-2, w-2)"),
    ("ConvTranspose2d", (3, 8, 4, 2, 1), {}, (IMAGE,), "(b, 8, 2*h, 2*w)"),
    ("ConvTranspose2d", (3, 8, 3, 2, 1), {}, (IMAGE, (2 * H, 2 * W)), "(b, 8, 2*h, 2*w)"),
    ("LazyConvTranspose2d", (8, 2, 2), {}, (IMAGE,), "(b, 8, 2*h, 2*w)"),
    ("MaxPool2d", (2,), {}, (IMAGE,), "(b, 3, h//2, w//2)"),
    ("MaxPool2d", (UNKNOWN,), {}, (IMAGE,), "(b, 3, ?, ?)"),
    ("AvgPool1d", (3, 1, 1), {}, (f32("b", "c", "l"),), "(b, c, l)"),
    ("LPPool2d", (2, 2), {}, (IMAGE,), "(b, 3, h//2, w//2)"),
    ("AdaptiveAvgPool2d", ((1, None),), {}, (IMAGE,), "(b, 3, 1, w)"),
    ("AdaptiveMaxPool2d", (2,), {}, (IMAGE,), "(b, 3, 2, 2)"),
    ("FractionalMaxPool2d", (2,), {"output_size": 4}, (f32(2, 3, 8, 8),), "(2, 3, 4, 4)"),
    ("MaxUnpool2d", (2,), {}, (IMAGE, TensorSpec(("b", 3, "h", "w"), "int64")), "(b, 3, 2*h, 2*w)"),
    ("ZeroPad2d", ((1, 0, 2, 0),), {}, (IMAGE,), "(b, 3, h+2, w+1)"),
    ("ConstantPad1d", (2, 0.5), {}, (f32("b", "l"),), "(b, l+4)"),
    ("ReflectionPad2d", (3,), {}, (IMAGE,), "(b, 3, h+6, w+6)"),
    ("ReplicationPad3d", (1,), {}, (f32(1, 2, 3, 4, 5),), "(1, 2, 5, 6, 7)"),
    ("CircularPad1d", (1,), {}, (f32("b", "c", "l"),), "(b, c, l+2)"),
    ("Upsample", (), {"scale_factor": (2, 2), "mode": "bilinear"}, (IMAGE,), "(b, 3, 2*h, 2*w)"),
    ("UpsamplingNearest2d", (5,), {}, (IMAGE,), "(b, 3, 5, 5)"),
    ("UpsamplingBilinear2d", (), {"scale_factor": 2}, (IMAGE,), "(b, 3, 2*h, 2*w)"),
    ("PixelShuffle", (2,), {}, (f32("b", 12, "h", "w"),), "(b, 3, 2*h, 2*w)"),
    ("PixelUnshuffle", (2,), {}, (IMAGE,), "(b, 12, h//2, w//2)"),
    ("ChannelShuffle", (3,), {}, (IMAGE,), "(b, 3, h, w)"),
    ("Unfold", (3,), {"padding": 1}, (IMAGE,), "(b, 27, h*w)"),
    ("Fold", ((4, 4), 2), {}, (f32(2, 12, 9),), "(2, 3, 4, 4)"),
]


@pytest.mark.parametrize(("name", "configuration", "options", "arguments", "shown"), RESULTS)
def test_results(name: str, configuration: Any, options: Any, arguments: Any, shown: str) -> None:
    layer = infer(f"torch.nn.{name}", *configuration, **options)
    assert str(layer(*arguments).shape) == shown


REFUSED_LAYERS = [
    ("Conv2d", (3, 16, 3), {"groups": 2}, ShapeError, "expected in_channels to be divisible by groups, got 3 and 2"),
    ("Conv2d", (4, 15, 3), {"groups": 2}, ShapeError, "expected out_channels to be divisible by groups, got 15 and 2"),
    ("Conv2d", (3, 16, 3), {"groups": 0}, CallError, "expected groups to be a positive integer, got 0"),
    ("Conv2d", (3, 16, 3, 2), {"padding": "same"}, CallError, 'expected stride to be 1 for padding="same"'),
    ("Conv2d", (3, 16, 3), {"padding_mode": "mirror"}, CallError, 'expected padding_mode to be "zeros", "reflect"'),
    ("ConvTranspose2d", (3, 16, 3), {"padding_mode": "reflect"}, CallError, 'expected padding_mode to be "zeros", got'),
    ("FractionalMaxPool2d", (2,), {}, CallError, "exactly one of"),
]


@pytest.mark.parametrize(("name", "configuration", "options", "error", "message"), REFUSED_LAYERS)
def test_refused_layers(name: str, configuration: Any, options: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        infer(f"nn.{name}", *configuration, **options)


def test_a_convolution_names_its_channels() -> None:
    with pytest.raises(
        ShapeError, match=r"Conv2d: expected an input with 4 channels, got 3 .*weight of shape \(16, 4, 3, 3\)"
    ):
        infer("nn.Conv2d", 4, 16, 3)(IMAGE)


def test_an_output_size_must_be_one_of_those_that_the_layer_can_give() -> None:
    with pytest.raises(ShapeError, match="output size out of range: expected 7 to 8"):
        infer("nn.ConvTranspose2d", 3, 8, 3, 2, 1)(f32(1, 3, 4, 4), output_size=(8, 9))


def test_a_lazy_layer_takes_its_channels_from_its_first_input() -> None:
    layer = infer("nn.LazyConv2d", 16, 3)
    layer(IMAGE)
    assert layer.in_channels == 3
    assert layer.weight.shape == (16, 3, 3, 3)
    with pytest.raises(ShapeError, match="expected an input with 3 channels, got 4"):
        layer(f32(1, 4, 8, 8))


def test_a_layer_shows_its_configuration() -> None:
    assert repr(infer("nn.Conv2d", 3, 16, 3)) == "Conv2d(3, 16, kernel_size=(3, 3))"
