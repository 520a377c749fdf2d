"""Layers that do not come from torch.nn."""

from __future__ import annotations

from typing import Any

import pytest

from shapecheck import TensorSpec, infer
from shapecheck.ops import Unknown
from shapecheck.spec import Shape, ShapeError

IMAGE = TensorSpec(("b", 3, "h", "w"), "float32")


def test_conv_norm_activation_pads_so_that_stride_1_keeps_the_sizes() -> None:
    block = infer("torchvision.ops.Conv2dNormActivation", 3, 16)
    assert str(block(IMAGE)) == "torch.float32 (b, 16, h, w)"
    assert block[0].bias is None
    dilated = infer("torchvision.ops.misc.Conv2dNormActivation", 3, 16, kernel_size=5, dilation=2, norm_layer=None)
    assert str(dilated(IMAGE)) == "torch.float32 (b, 16, h, w)"
    assert dilated[0].bias is not None
    halved = infer("torchvision.ops.Conv2dNormActivation", 3, 16, (3, 5), stride=2, activation_layer=None)
    assert str(halved(IMAGE)) == "torch.float32 (b, 16, (h+1)//2, (w+1)//2)"
    with pytest.raises(ShapeError):
        block(TensorSpec((2, 4, 8, 8), "float32"))


def test_a_norm_layer_that_is_not_known_makes_the_result_unknown() -> None:
    block = infer("torchvision.ops.Conv2dNormActivation", 3, 16, norm_layer=object(), activation_layer=None)
    assert isinstance(block(IMAGE), Unknown)


def test_float_functional() -> None:
    f = infer("nn.FloatFunctional")
    one, other = TensorSpec(("b", 3), "float32"), TensorSpec((3,), "float32")
    assert str(f.add(one, other)) == str(f.add_relu(one, other)) == str(f.mul(one, other)) == "torch.float32 (b, 3)"
    assert str(f.cat([one, one], 1)) == "torch.float32 (b, 6)"
    with pytest.raises(ShapeError, match="has no forward; use add"):
        f(one)


@pytest.mark.parametrize(
    ("name", "args", "result"),
    [
        ("torch.ao.quantization.QuantStub", (), "torch.float32 (b, 3, h, w)"),
        ("torch.ao.quantization.DeQuantStub", (), "torch.float32 (b, 3, h, w)"),
        ("torch_einops_utils.nn.Identity", (), "torch.float32 (b, 3, h, w)"),
        ("torchvision.ops.StochasticDepth", (0.5, "row"), "torch.float32 (b, 3, h, w)"),
        ("torchvision.ops.misc.SqueezeExcitation", (3, 1), "torch.float32 (b, 3, h, w)"),
        ("torchvision.ops.FrozenBatchNorm2d", (3,), "torch.float32 (b, 3, h, w)"),
        ("torchvision.ops.Permute", ([0, 2, 3, 1],), "torch.float32 (b, h, w, 3)"),
        ("torchvision.transforms.CenterCrop", (Shape.of("..."),), "torch.float32 (b, 3, ?, ?)"),
        ("torchvision.transforms.RandomResizedCrop", (224,), "torch.float32 (b, 3, 224, 224)"),
        ("torchvision.transforms.RandomResizedCrop", ((10, 20),), "torch.float32 (b, 3, 10, 20)"),
        ("torchvision.ops.MLP", (7, [8, 9]), None),
    ],
)
def test_others(name: str, args: tuple[Any, ...], result: str | None) -> None:
    layer = infer(name, *args)
    if result is None:
        assert str(layer(TensorSpec(("b", 7), "float32"))) == "torch.float32 (b, 9)"
    else:
        assert str(layer(IMAGE)) == result


def test_sequential_leaves_none_out() -> None:
    layers = infer("torch_einops_utils.nn.Sequential", infer("nn.Linear", 3, 4), None, infer("nn.ReLU"))
    assert len(layers) == 2
    assert str(layers(TensorSpec(("b", 3), "float32"))) == "torch.float32 (b, 4)"


def test_a_bare_module_does_nothing_that_is_known() -> None:
    assert isinstance(infer("torch.nn.Module")(IMAGE), Unknown)
