"""Convolution layers, transposed and lazy ones included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from shapecheck.ops.module import ModuleSpec, module
from shapecheck.ops.rules.conv import PaddingOrUnknown, SizeOrUnknown, convolved, transposed_convolution
from shapecheck.ops.rules.pad import pad_by
from shapecheck.ops.shared.arguments import DTypeLike, Tensor
from shapecheck.ops.shared.parameters import parameter
from shapecheck.ops.shared.windows import SizesOrUnknown, divided, image, last, open_sizes, per_axis_tuple, settings
from shapecheck.ops.shared.wording import any_of, number_of
from shapecheck.ops.traits import NO_TRAITS, Trait
from shapecheck.ops.unknown import UNKNOWN, Unknown
from shapecheck.spec import CallError, Shape, ShapeError, Size, TensorSpec, at_least, same, unknown
from shapecheck.spec.presentation import value_text

_PADDING_MODES = ("zeros", "reflect", "replicate", "circular")


class _Channels(ModuleSpec):
    """Channels, groups, a kernel; weight and bias are None until a lazy layer is first called."""

    count: ClassVar[int]
    weight: TensorSpec | None = None
    bias: TensorSpec | None = None

    def configure(
        self,
        in_channels: SizeOrUnknown | None,
        out_channels: SizeOrUnknown,
        kernel_size: SizesOrUnknown,
        stride: SizesOrUnknown,
        padding: PaddingOrUnknown,
        output_padding: SizesOrUnknown,
        dilation: SizesOrUnknown,
        groups: SizeOrUnknown,
        bias: object,
        padding_mode: str,
        dtype: DTypeLike,
    ) -> None:
        """Keeps the configuration; `in_channels` None makes the layer a lazy one."""
        count = self.count
        out_channels, groups = _number(out_channels), _number(groups)
        if at_least(groups, 1) is False:
            raise CallError(f"expected groups to be a positive integer, got {value_text(groups)}")
        divided(out_channels, groups, "out_channels", "groups")
        if padding_mode not in _PADDING_MODES:
            modes = any_of([*map(value_text, _PADDING_MODES)])
            raise CallError(f"expected padding_mode to be {modes}, got {value_text(padding_mode)}")
        self.out_channels = out_channels
        is_each = isinstance(kernel_size, (tuple, list))  # else it may be a tuple
        self.kernel_size = tuple(_number(one, is_each) for one in per_axis_tuple(kernel_size, count, each=True))
        self.stride = per_axis_tuple(stride, count)
        self.padding = padding if isinstance(padding, str) else per_axis_tuple(padding, count)
        self.output_padding = per_axis_tuple(output_padding, count)
        self.dilation = per_axis_tuple(dilation, count)
        self.groups = groups
        self.padding_mode = padding_mode
        self.dtype = dtype
        self.has_bias = bias
        self.in_channels: Size = 0
        self._need_named_padding()
        if in_channels is not None:
            self.materialise(_number(in_channels))

    def materialise(self, in_channels: Size) -> None:
        """Makes the parameters for an input with so many channels."""
        divided(in_channels, self.groups, "in_channels", "groups")
        self.in_channels = in_channels
        self.weight = parameter((*self.weight_channels(), *self.kernel_size), self.dtype)
        self.bias = parameter((self.out_channels,), self.dtype) if self.has_bias else None

    def weight_channels(self) -> tuple[Size, Size]:
        """The first two sizes of the weight."""
        raise NotImplementedError

    def weight_for(self, input: Tensor) -> TensorSpec:
        """The weight; a lazy layer reads its number of channels from this, its first input."""
        if self.weight is None:
            channels = image(input.shape, self.count).at(-self.count - 1)
            self.materialise(unknown(low=1) if channels is None else channels)
        assert self.weight is not None
        return self.weight

    def _need_named_padding(self) -> None:
        if not isinstance(self.padding, str):
            return
        if self.padding not in ("same", "valid"):
            raise CallError(f'expected padding to be a number, "same" or "valid", got {value_text(self.padding)}')
        if (
            self.padding == "same"
            and not open_sizes(self.stride)
            and any(same(stride, 1) is False for stride in self.stride)
        ):
            raise CallError(f'expected stride to be 1 for padding="same", got {value_text(self.stride)}')

    def __repr__(self) -> str:
        inside = "" if self.weight is None else f"{self.in_channels}, "
        return f"{type(self).name}({inside}{self.out_channels}, kernel_size={Shape(self.kernel_size)})"


class _Conv(_Channels):
    def weight_channels(self) -> tuple[Size, Size]:
        return self.out_channels, divided(self.in_channels, self.groups, "in_channels", "groups")

    def forward(self, input: Tensor) -> Tensor:
        """(n, in_channels, *sizes) gives (n, out_channels, *steps); n may be missing."""
        weight = self.weight_for(input)
        padding: PaddingOrUnknown = self.padding
        if self.padding_mode != "zeros" and not open_sizes(padding, self.dilation):
            input, padding = pad_by(self.padding_mode, input, self._pads()), 0
        return convolved(self.count, input, weight, self.bias, self.stride, padding, self.dilation, self.groups)

    def _pads(self) -> list[tuple[Size, Size]]:
        """The padding of the input if its mode is not zeros: the last dimension first."""
        if self.padding == "valid":
            return [(0, 0)] * self.count
        if self.padding != "same":
            return [(size, size) for size in reversed(settings(self.count, 0, "padding", self.padding))]
        totals = [by * (size - 1) for by, size in zip(reversed(self.dilation), reversed(self.kernel_size), strict=True)]
        return [(total // 2, total - total // 2) for total in totals]


class _ConvNd(_Conv):
    def __init__(
        self,
        in_channels: SizeOrUnknown,
        out_channels: SizeOrUnknown,
        kernel_size: SizesOrUnknown,
        stride: SizesOrUnknown = 1,
        padding: PaddingOrUnknown = 0,
        dilation: SizesOrUnknown = 1,
        groups: SizeOrUnknown = 1,
        bias: object = True,
        padding_mode: str = "zeros",
        device: object = None,
        dtype: DTypeLike = None,
    ) -> None:
        self.configure(
            in_channels, out_channels, kernel_size, stride, padding, 0, dilation, groups, bias, padding_mode, dtype
        )


class _LazyConvNd(_Conv):
    def __init__(
        self,
        out_channels: SizeOrUnknown,
        kernel_size: SizesOrUnknown,
        stride: SizesOrUnknown = 1,
        padding: PaddingOrUnknown = 0,
        dilation: SizesOrUnknown = 1,
        groups: SizeOrUnknown = 1,
        bias: object = True,
        padding_mode: str = "zeros",
        device: object = None,
        dtype: DTypeLike = None,
    ) -> None:
        self.configure(None, out_channels, kernel_size, stride, padding, 0, dilation, groups, bias, padding_mode, dtype)


class _Transposed(_Channels):
    def weight_channels(self) -> tuple[Size, Size]:
        return self.in_channels, divided(self.out_channels, self.groups, "out_channels", "groups")

    def forward(self, input: Tensor, output_size: Sequence[Size] | Unknown | None = None) -> Tensor:
        """(n, in_channels, *sizes) gives (n, out_channels, *sizes of `conv_transpose`), or those of `output_size`."""
        if self.padding_mode != "zeros":
            raise CallError(f'expected padding_mode to be "zeros", got {value_text(self.padding_mode)}')
        weight = self.weight_for(input)
        extra: Any = self.output_padding
        if output_size is not None:
            known = not open_sizes(output_size, self.stride, self.padding, self.dilation)
            extra = self._extra(input, output_size) if known else UNKNOWN
        return transposed_convolution(
            self.count, input, weight, self.bias, self.stride, self._numbers(), extra, self.groups, self.dilation
        )

    def _numbers(self) -> Any:
        if isinstance(self.padding, str):
            raise CallError(f"expected padding to be a number, got {value_text(self.padding)}")
        return self.padding

    def _extra(self, input: Tensor, output_size: Any) -> list[Size]:
        """The output padding that gives the requested sizes."""
        count = self.count
        shape = image(input.shape, count)
        lead = len(output_size) - count
        if lead not in (0, 1, 2) or (shape.run is None and lead not in (0, len(shape.head) - count)):
            elements = f"{number_of(count, 'element')} for an input of shape {shape}"
            raise CallError(f"expected output_size to have {elements}, got {len(output_size)}")
        extra: list[Size] = []
        for index, (size, asked) in enumerate(zip(last(shape, count), output_size[lead:], strict=True)):
            if size is None:
                extra.append(unknown(low=0))
                continue
            reach = self.dilation[index] * (self.kernel_size[index] - 1) + 1
            least = (size - 1) * self.stride[index] - 2 * self._numbers()[index] + reach
            most = least + self.stride[index] - 1
            if at_least(asked, least) is False or at_least(most, asked) is False:
                limits = f"{value_text(least)} to {value_text(most)} for an input of shape {shape}"
                raise ShapeError(f"output size out of range: expected {limits}, got {value_text(asked)}")
            extra.append(asked - least)
        return extra


class _ConvTransposeNd(_Transposed):
    def __init__(
        self,
        in_channels: SizeOrUnknown,
        out_channels: SizeOrUnknown,
        kernel_size: SizesOrUnknown,
        stride: SizesOrUnknown = 1,
        padding: SizesOrUnknown = 0,
        output_padding: SizesOrUnknown = 0,
        groups: SizeOrUnknown = 1,
        bias: object = True,
        dilation: SizesOrUnknown = 1,
        padding_mode: str = "zeros",
        device: object = None,
        dtype: DTypeLike = None,
    ) -> None:
        _need_zeros(padding_mode)
        self.configure(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            output_padding,
            dilation,
            groups,
            bias,
            padding_mode,
            dtype,
        )


class _LazyConvTransposeNd(_Transposed):
    def __init__(
        self,
        out_channels: SizeOrUnknown,
        kernel_size: SizesOrUnknown,
        stride: SizesOrUnknown = 1,
        padding: SizesOrUnknown = 0,
        output_padding: SizesOrUnknown = 0,
        groups: SizeOrUnknown = 1,
        bias: object = True,
        dilation: SizesOrUnknown = 1,
        padding_mode: str = "zeros",
        device: object = None,
        dtype: DTypeLike = None,
    ) -> None:
        _need_zeros(padding_mode)
        self.configure(
            None,
            out_channels,
            kernel_size,
            stride,
            padding,
            output_padding,
            dilation,
            groups,
            bias,
            padding_mode,
            dtype,
        )


def _number(value: Size | Unknown, is_number: bool = True) -> Size:
    """A number of the constructor; a new one, at least 1, for an unknown value that may also be a tuple."""
    if isinstance(value, Unknown):
        return value.as_size if is_number and value.as_size is not None else unknown(low=1)
    return value


def _need_zeros(padding_mode: Any) -> None:
    if padding_mode != "zeros":
        raise CallError(f'expected padding_mode to be "zeros", got {value_text(padding_mode)}')


def _enter() -> None:
    kinds = (
        ("Conv", _ConvNd, Trait.HAS_WEIGHTS | Trait.AUTOCAST | Trait.BATCH_FIRST),
        ("ConvTranspose", _ConvTransposeNd, Trait.HAS_WEIGHTS | Trait.AUTOCAST),
        ("LazyConv", _LazyConvNd, NO_TRAITS),
        ("LazyConvTranspose", _LazyConvTransposeNd, NO_TRAITS),
    )
    for kind, base, traits in kinds:
        for count in (1, 2, 3):
            name = f"{kind}{count}d"
            enter = module(f"nn.{name}", traits=traits)
            enter(type(name, (base,), {"count": count, "__doc__": base.forward.__doc__}))


_enter()
