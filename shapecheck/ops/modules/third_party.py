"""Layers of other packages than torch.nn that models use: torch.ao.quantization, torchvision, torch_einops_utils."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from shapecheck.ops.module import ModuleSpec, module
from shapecheck.ops.modules.container import Sequential
from shapecheck.ops.names import find
from shapecheck.ops.registry import op, register
from shapecheck.ops.shared.arguments import Tensor, need_equal
from shapecheck.ops.shared.factories import counted
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, Shape, ShapeError, Size, TensorSpec, Unanswered
from shapecheck.spec.presentation import value_text

_QUANTISATION = ("ao.quantization.", "quantization.", "ao.quantization.stubs.")


@module("nn.Module", "nn.modules.module.Module")
class Module(ModuleSpec):
    """A bare module, to which attributes are added later."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Unknown: a bare module has no forward unless one is assigned."""
        raise Unanswered("nn.Module has no forward")


class _Same(ModuleSpec):
    """A layer that returns its input."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def forward(self, input: Any, *args: Any, **kwargs: Any) -> Any:
        """The input."""
        return input


@module("torch_einops_utils.nn.Identity", "torch_einops_utils.Identity")
class Identity(_Same):
    """The first input as it is."""


@module(*(prefix + "QuantStub" for prefix in _QUANTISATION))
class QuantStub(_Same):
    """The input: it becomes quantised when the model is converted."""


@module(*(prefix + "DeQuantStub" for prefix in _QUANTISATION))
class DeQuantStub(_Same):
    """The input: it is made a float again when the model is converted."""


@module("torchvision.ops.StochasticDepth", "torchvision.ops.stochastic_depth.StochasticDepth")
class StochasticDepth(_Same):
    """The shape and the dtype stay."""


@op("torch_einops_utils.nn.Sequential", "torch_einops_utils.Sequential")
def sequential(*modules: Any) -> ModuleSpec:
    """nn.Sequential of those that are not None."""
    return Sequential(*(one for one in modules if one is not None))


@module(
    "nn.FloatFunctional",
    "ao.nn.quantized.FloatFunctional",
    "nn.quantized.FloatFunctional",
    "ao.nn.quantized.QFunctional",
)
class FloatFunctional(ModuleSpec):
    """Arithmetic as methods, so that quantisation can watch it: `f.add(x, y)` is `x + y`."""

    def __init__(self) -> None:
        pass

    def forward(self, x: Any) -> Any:
        """Refused, as torch does."""
        raise CallError("has no forward; use add, cat or mul")

    def add(self, x: Any, y: Any) -> Any:
        """x + y"""
        return _rule("add")(x, y)

    add_scalar = add

    def add_relu(self, x: Any, y: Any) -> Any:
        """relu(x + y)"""
        return _rule("relu")(_rule("add")(x, y))

    def mul(self, x: Any, y: Any) -> Any:
        """x * y"""
        return _rule("mul")(x, y)

    mul_scalar = mul

    def matmul(self, x: Any, y: Any) -> Any:
        """x @ y"""
        return _rule("matmul")(x, y)

    def cat(self, x: Sequence[Any], dim: int = 0) -> Any:
        """The tensors joined along a dimension."""
        return _rule("cat")(x, dim)


def _rule(name: str) -> Callable[..., Any]:
    entry = find(name)
    if entry is None:
        raise Unanswered(f"no rule for {name}")
    return entry.function


def _made(layer: Any, *args: Any, **kwargs: Any) -> Any:
    """A layer of a class passed as itself or by name; Unknown if it is not known."""
    if isinstance(layer, str):
        return _rule(layer)(*args, **kwargs)
    return layer(*args, **kwargs) if callable(layer) else Unknown("a layer that is given by a value that is not known")


def _activation(layer: Any, inplace: Any) -> Any:
    return _made(layer, **({} if inplace is None else {"inplace": inplace}))


def _conv_block(count: int) -> Callable[..., ModuleSpec]:
    def rule(
        in_channels: Size,
        out_channels: Size,
        kernel_size: Any = 3,
        stride: Any = 1,
        padding: Any = None,
        groups: Size = 1,
        norm_layer: Any = f"nn.BatchNorm{count}d",
        activation_layer: Any = "nn.ReLU",
        dilation: Any = 1,
        inplace: Any = True,
        bias: Any = None,
    ) -> ModuleSpec:
        """A convolution whose padding keeps the sizes at stride 1, a norm layer and an activation."""
        around = _padding(kernel_size, dilation, count) if padding is None else padding
        with_bias = norm_layer is None if bias is None else bias
        conv = _rule(f"nn.Conv{count}d")
        layers = [conv(in_channels, out_channels, kernel_size, stride, around, dilation, groups, with_bias)]
        if norm_layer is not None:
            layers.append(_made(norm_layer, out_channels))
        if activation_layer is not None:
            layers.append(_activation(activation_layer, inplace))
        return Sequential(*layers)

    return rule


def _padding(kernel_size: Any, dilation: Any, count: int) -> Any:
    """(kernel_size - 1) // 2 * dilation, per dimension if one of the two is."""
    if not isinstance(kernel_size, (tuple, list)) and not isinstance(dilation, (tuple, list)):
        return (kernel_size - 1) // 2 * dilation
    kernels = tuple(kernel_size) if isinstance(kernel_size, (tuple, list)) else (kernel_size,) * count
    dilations = tuple(dilation) if isinstance(dilation, (tuple, list)) else (dilation,) * count
    return tuple((kernel - 1) // 2 * step for kernel, step in zip(kernels, dilations, strict=False))


for _count in (2, 3):
    register(
        _conv_block(_count),
        f"torchvision.ops.Conv{_count}dNormActivation",
        f"torchvision.ops.misc.Conv{_count}dNormActivation",
        *(("torchvision.ops.misc.ConvNormActivation", "torchvision.ops.ConvNormActivation") if _count == 2 else ()),
    )


@op("torchvision.ops.MLP", "torchvision.ops.misc.MLP")
def mlp(
    in_channels: Size,
    hidden_channels: Sequence[Size],
    norm_layer: Any = None,
    activation_layer: Any = "nn.ReLU",
    inplace: Any = None,
    bias: bool = True,
    dropout: float = 0.0,
) -> ModuleSpec:
    """(..., in_channels) gives (..., hidden_channels[-1])."""
    layers: list[Any] = []
    size = in_channels
    for hidden in hidden_channels[:-1]:
        layers.append(_rule("nn.Linear")(size, hidden, bias=bias))
        if norm_layer is not None:
            layers.append(_made(norm_layer, hidden))
        layers += [_activation(activation_layer, inplace), _rule("nn.Dropout")(dropout)]
        size = hidden
    layers += [_rule("nn.Linear")(size, hidden_channels[-1], bias=bias), _rule("nn.Dropout")(dropout)]
    return Sequential(*layers)


@module("torchvision.ops.SqueezeExcitation", "torchvision.ops.misc.SqueezeExcitation")
class SqueezeExcitation(ModuleSpec):
    """(n, c, h, w) keeps its shape; c is `input_channels`."""

    def __init__(
        self,
        input_channels: Size,
        squeeze_channels: Size,
        activation: Any = None,
        scale_activation: Any = None,
    ) -> None:
        self.fc1 = _rule("nn.Conv2d")(input_channels, squeeze_channels, 1)
        self.fc2 = _rule("nn.Conv2d")(squeeze_channels, input_channels, 1)

    def forward(self, input: Tensor) -> Tensor:
        """The input, each of its channels scaled."""
        self.fc1.forward(input)
        return input if input.layout == "contiguous" else input.with_layout("unknown")


@module("torchvision.ops.FrozenBatchNorm2d", "torchvision.ops.misc.FrozenBatchNorm2d")
class FrozenBatchNorm2d(ModuleSpec):
    """(n, num_features, h, w) keeps its shape."""

    def __init__(self, num_features: Size, eps: float = 1e-5) -> None:
        self.num_features = num_features

    def forward(self, x: Tensor) -> Tensor:
        """The input, normalised with constants."""
        channels = x.shape.at(1) if x.rank != 1 else None
        if channels is not None and channels != 1:
            message = (
                f"expected dimension 1 of the input to be {value_text(self.num_features)}, got {value_text(channels)}"
            )
            need_equal(channels, self.num_features, message)
        return x if x.layout == "contiguous" else x.with_layout("unknown")

    def __repr__(self) -> str:
        return f"FrozenBatchNorm2d({self.num_features})"


@module("torchvision.ops.Permute", "torchvision.ops.misc.Permute")
class Permute(ModuleSpec):
    """The dimensions in another order."""

    def __init__(self, dims: Sequence[int]) -> None:
        self.dims = dims

    def forward(self, x: Tensor) -> Tensor:
        """The dimensions in the order of `dims`."""
        result: Tensor = _rule("permute")(x, self.dims)
        return result

    def __repr__(self) -> str:
        return f"Permute({self.dims})"


class _Cropped(ModuleSpec):
    """(..., h, w) gives (..., size[0], size[1])."""

    def __init__(self, size: Any, *args: Any, **kwargs: Any) -> None:
        if isinstance(size, Shape):  # of a tensor whose rank is not known: `x.shape[2:]`
            size = (Unknown("a height"), Unknown("a width"))
        both = tuple(size) if isinstance(size, (tuple, list)) else (size,)
        self.size = both * 2 if len(both) == 1 else both
        if len(self.size) != 2:
            raise CallError(f"expected size to be a number or (h, w), got {value_text(size)}")

    def forward(self, img: Any) -> Any:
        """The last two dimensions have the requested sizes; another value is an image."""
        if not isinstance(img, TensorSpec):
            return Unknown("an image that is not a tensor")
        if img.shape.run is None and len(img.shape.head) < 2:
            raise ShapeError(f"expected an image of shape (..., h, w), got shape {img.shape}")
        h, w = (counted(one) for one in self.size)
        return TensorSpec.make(img.shape.with_at(-2, h).with_at(-1, w), img.dtype, "unknown", img.device)

    def __repr__(self) -> str:
        return f"{type(self).name}({value_text(self.size[0])}, {value_text(self.size[1])})"


@module("torchvision.transforms.RandomResizedCrop", "torchvision.transforms.v2.RandomResizedCrop")
class RandomResizedCrop(_Cropped):
    """(..., h, w) gives (..., size[0], size[1])."""


@module("torchvision.transforms.CenterCrop", "torchvision.transforms.v2.CenterCrop")
class CenterCrop(_Cropped):
    """(..., h, w) gives (..., size[0], size[1])."""
