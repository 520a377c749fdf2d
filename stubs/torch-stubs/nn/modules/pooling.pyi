# Written by `shapecheck stubs` for torch 2.13.0; `shapecheck stubs --remove` removes it.
# Signatures: PyTorch's torch/nn/modules/pooling.py (BSD-3-Clause). Generic classes, HasForward and __call__: shapecheck.
# ruff: noqa
# mypy: ignore-errors
# pyrefly: ignore-errors

import torch.nn.functional as F
from torch import Tensor as Tensor
from torch.nn.common_types import _ratio_2_t as _ratio_2_t, _ratio_3_t as _ratio_3_t, _size_1_t as _size_1_t, _size_2_opt_t as _size_2_opt_t, _size_2_t as _size_2_t, _size_3_opt_t as _size_3_opt_t, _size_3_t as _size_3_t, _size_any_opt_t as _size_any_opt_t, _size_any_t as _size_any_t
from .module import Module as Module
from .utils import _pair as _pair, _single as _single, _triple as _triple
from typing import Any, Generic, Literal, overload
from typing_extensions import TypeVar
_R_co = TypeVar("_R_co", covariant=True, default=Any)

__all__ = ["MaxPool1d", "MaxPool2d", "MaxPool3d", "MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d", "AvgPool1d", "AvgPool2d", "AvgPool3d", "FractionalMaxPool2d", "FractionalMaxPool3d", "LPPool1d", "LPPool2d", "LPPool3d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d", "AdaptiveMaxPool3d", "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d"]

class _MaxPoolNd(Module):
    kernel_size: _size_any_t
    padding: _size_any_t
    dilation: _size_any_t
    __constants__ = ["kernel_size", "stride", "padding", "dilation", "return_indices", "ceil_mode"]
    return_indices: bool
    ceil_mode: bool
    def __init__(self, kernel_size: _size_any_t, stride: _size_any_t | None=None, padding: _size_any_t=0, dilation: _size_any_t=1, return_indices: bool=False, ceil_mode: bool=False) -> None: ...
    def extra_repr(self) -> str: ...
    stride: _size_any_t


class MaxPool1d(_MaxPoolNd, Generic[_R_co]):
    kernel_size: _size_1_t
    stride: _size_1_t
    padding: _size_1_t
    dilation: _size_1_t
    @overload
    def __init__(self: MaxPool1d[Tensor], kernel_size: _size_any_t, stride: _size_any_t | None=None, padding: _size_any_t=0, dilation: _size_any_t=1, return_indices: Literal[False]=False, ceil_mode: bool=False) -> None: ...
    @overload
    def __init__(self: MaxPool1d[tuple[Tensor, Tensor]], kernel_size: _size_any_t, stride: _size_any_t | None=None, padding: _size_any_t=0, dilation: _size_any_t=1, *, return_indices: Literal[True], ceil_mode: bool=False) -> None: ...
    @overload
    def __init__(self: MaxPool1d[Any], kernel_size: _size_any_t, stride: _size_any_t | None=None, padding: _size_any_t=0, dilation: _size_any_t=1, return_indices: bool=False, ceil_mode: bool=False) -> None: ...
    def forward(self, input: Tensor) -> _R_co: ...


class MaxPool2d(_MaxPoolNd, Generic[_R_co]):
    kernel_size: _size_2_t
    stride: _size_2_t
    padding: _size_2_t
    dilation: _size_2_t
    @overload
    def __init__(self: MaxPool2d[Tensor], kernel_size: _size_any_t, stride: _size_any_t | None=None, padding: _size_any_t=0, dilation: _size_any_t=1, return_indices: Literal[False]=False, ceil_mode: bool=False) -> None: ...
    @overload
    def __init__(self: MaxPool2d[tuple[Tensor, Tensor]], kernel_size: _size_any_t, stride: _size_any_t | None=None, padding: _size_any_t=0, dilation: _size_any_t=1, *, return_indices: Literal[True], ceil_mode: bool=False) -> None: ...
    @overload
    def __init__(self: MaxPool2d[Any], kernel_size: _size_any_t, stride: _size_any_t | None=None, padding: _size_any_t=0, dilation: _size_any_t=1, return_indices: bool=False, ceil_mode: bool=False) -> None: ...
    def forward(self, input: Tensor) -> _R_co: ...


class MaxPool3d(_MaxPoolNd, Generic[_R_co]):
    kernel_size: _size_3_t
    stride: _size_3_t
    padding: _size_3_t
    dilation: _size_3_t
    @overload
    def __init__(self: MaxPool3d[Tensor], kernel_size: _size_any_t, stride: _size_any_t | None=None, padding: _size_any_t=0, dilation: _size_any_t=1, return_indices: Literal[False]=False, ceil_mode: bool=False) -> None: ...
    @overload
    def __init__(self: MaxPool3d[tuple[Tensor, Tensor]], kernel_size: _size_any_t, stride: _size_any_t | None=None, padding: _size_any_t=0, dilation: _size_any_t=1, *, return_indices: Literal[True], ceil_mode: bool=False) -> None: ...
    @overload
    def __init__(self: MaxPool3d[Any], kernel_size: _size_any_t, stride: _size_any_t | None=None, padding: _size_any_t=0, dilation: _size_any_t=1, return_indices: bool=False, ceil_mode: bool=False) -> None: ...
    def forward(self, input: Tensor) -> _R_co: ...


class _MaxUnpoolNd(Module):
    def extra_repr(self) -> str: ...


class MaxUnpool1d(_MaxUnpoolNd):
    kernel_size: _size_1_t
    stride: _size_1_t
    padding: _size_1_t
    def __init__(self, kernel_size: _size_1_t, stride: _size_1_t | None=None, padding: _size_1_t=0) -> None: ...
    def forward(self, input: Tensor, indices: Tensor, output_size: list[int] | None=None) -> Tensor: ...


class MaxUnpool2d(_MaxUnpoolNd):
    kernel_size: _size_2_t
    stride: _size_2_t
    padding: _size_2_t
    def __init__(self, kernel_size: _size_2_t, stride: _size_2_t | None=None, padding: _size_2_t=0) -> None: ...
    def forward(self, input: Tensor, indices: Tensor, output_size: list[int] | None=None) -> Tensor: ...


class MaxUnpool3d(_MaxUnpoolNd):
    kernel_size: _size_3_t
    stride: _size_3_t
    padding: _size_3_t
    def __init__(self, kernel_size: _size_3_t, stride: _size_3_t | None=None, padding: _size_3_t=0) -> None: ...
    def forward(self, input: Tensor, indices: Tensor, output_size: list[int] | None=None) -> Tensor: ...


class _AvgPoolNd(Module):
    __constants__ = ["kernel_size", "stride", "padding", "ceil_mode", "count_include_pad"]
    def extra_repr(self) -> str: ...


class AvgPool1d(_AvgPoolNd):
    kernel_size: _size_1_t
    stride: _size_1_t
    padding: _size_1_t
    ceil_mode: bool
    count_include_pad: bool
    def __init__(self, kernel_size: _size_1_t, stride: _size_1_t=None, padding: _size_1_t=0, ceil_mode: bool=False, count_include_pad: bool=True) -> None: ...
    def forward(self, input: Tensor) -> Tensor: ...


class AvgPool2d(_AvgPoolNd):
    divisor_override: int | None
    __constants__ = ["kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override"]
    kernel_size: _size_2_t
    stride: _size_2_t
    padding: _size_2_t
    ceil_mode: bool
    count_include_pad: bool
    def __init__(self, kernel_size: _size_2_t, stride: _size_2_t | None=None, padding: _size_2_t=0, ceil_mode: bool=False, count_include_pad: bool=True, divisor_override: int | None=None) -> None: ...
    def forward(self, input: Tensor) -> Tensor: ...


class AvgPool3d(_AvgPoolNd):
    divisor_override: int | None
    __constants__ = ["kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override"]
    kernel_size: _size_3_t
    stride: _size_3_t
    padding: _size_3_t
    ceil_mode: bool
    count_include_pad: bool
    def __init__(self, kernel_size: _size_3_t, stride: _size_3_t | None=None, padding: _size_3_t=0, ceil_mode: bool=False, count_include_pad: bool=True, divisor_override: int | None=None) -> None: ...
    def forward(self, input: Tensor) -> Tensor: ...
    def __setstate__(self, d) -> None: ...


class FractionalMaxPool2d(Module, Generic[_R_co]):
    __constants__ = ["kernel_size", "return_indices", "output_size", "output_ratio"]
    kernel_size: _size_2_t
    return_indices: bool
    output_size: _size_2_t
    output_ratio: _ratio_2_t
    @overload
    def __init__(self: FractionalMaxPool2d[Tensor], kernel_size: _size_2_t, output_size: _size_2_t | None=None, output_ratio: _ratio_2_t | None=None, return_indices: Literal[False]=False, _random_samples=None) -> None: ...
    @overload
    def __init__(self: FractionalMaxPool2d[tuple[Tensor, Tensor]], kernel_size: _size_2_t, output_size: _size_2_t | None=None, output_ratio: _ratio_2_t | None=None, *, return_indices: Literal[True], _random_samples=None) -> None: ...
    @overload
    def __init__(self: FractionalMaxPool2d[Any], kernel_size: _size_2_t, output_size: _size_2_t | None=None, output_ratio: _ratio_2_t | None=None, return_indices: bool=False, _random_samples=None) -> None: ...
    def forward(self, input: Tensor) -> _R_co: ...


class FractionalMaxPool3d(Module, Generic[_R_co]):
    __constants__ = ["kernel_size", "return_indices", "output_size", "output_ratio"]
    kernel_size: _size_3_t
    return_indices: bool
    output_size: _size_3_t
    output_ratio: _ratio_3_t
    @overload
    def __init__(self: FractionalMaxPool3d[Tensor], kernel_size: _size_3_t, output_size: _size_3_t | None=None, output_ratio: _ratio_3_t | None=None, return_indices: Literal[False]=False, _random_samples=None) -> None: ...
    @overload
    def __init__(self: FractionalMaxPool3d[tuple[Tensor, Tensor]], kernel_size: _size_3_t, output_size: _size_3_t | None=None, output_ratio: _ratio_3_t | None=None, *, return_indices: Literal[True], _random_samples=None) -> None: ...
    @overload
    def __init__(self: FractionalMaxPool3d[Any], kernel_size: _size_3_t, output_size: _size_3_t | None=None, output_ratio: _ratio_3_t | None=None, return_indices: bool=False, _random_samples=None) -> None: ...
    def forward(self, input: Tensor) -> _R_co: ...


class _LPPoolNd(Module):
    kernel_size: _size_any_t
    stride: _size_any_t | None
    __constants__ = ["norm_type", "kernel_size", "stride", "ceil_mode"]
    norm_type: float
    ceil_mode: bool
    def __init__(self, norm_type: float, kernel_size: _size_any_t, stride: _size_any_t | None=None, ceil_mode: bool=False) -> None: ...
    def extra_repr(self) -> str: ...


class LPPool1d(_LPPoolNd):
    kernel_size: _size_1_t
    stride: _size_1_t
    def forward(self, input: Tensor) -> Tensor: ...


class LPPool2d(_LPPoolNd):
    kernel_size: _size_2_t
    stride: _size_2_t
    def forward(self, input: Tensor) -> Tensor: ...


class LPPool3d(_LPPoolNd):
    kernel_size: _size_3_t
    stride: _size_3_t
    def forward(self, input: Tensor) -> Tensor: ...


class _AdaptiveMaxPoolNd(Module):
    output_size: _size_any_opt_t
    __constants__ = ["output_size", "return_indices"]
    return_indices: bool
    def __init__(self, output_size: _size_any_opt_t, return_indices: bool=False) -> None: ...
    def extra_repr(self) -> str: ...


class AdaptiveMaxPool1d(_AdaptiveMaxPoolNd, Generic[_R_co]):
    output_size: _size_1_t
    @overload
    def __init__(self: AdaptiveMaxPool1d[Tensor], output_size: _size_any_opt_t, return_indices: Literal[False]=False) -> None: ...
    @overload
    def __init__(self: AdaptiveMaxPool1d[tuple[Tensor, Tensor]], output_size: _size_any_opt_t, *, return_indices: Literal[True]) -> None: ...
    @overload
    def __init__(self: AdaptiveMaxPool1d[Any], output_size: _size_any_opt_t, return_indices: bool=False) -> None: ...
    def forward(self, input: Tensor) -> _R_co: ...


class AdaptiveMaxPool2d(_AdaptiveMaxPoolNd, Generic[_R_co]):
    output_size: _size_2_opt_t
    @overload
    def __init__(self: AdaptiveMaxPool2d[Tensor], output_size: _size_any_opt_t, return_indices: Literal[False]=False) -> None: ...
    @overload
    def __init__(self: AdaptiveMaxPool2d[tuple[Tensor, Tensor]], output_size: _size_any_opt_t, *, return_indices: Literal[True]) -> None: ...
    @overload
    def __init__(self: AdaptiveMaxPool2d[Any], output_size: _size_any_opt_t, return_indices: bool=False) -> None: ...
    def forward(self, input: Tensor) -> _R_co: ...


class AdaptiveMaxPool3d(_AdaptiveMaxPoolNd, Generic[_R_co]):
    output_size: _size_3_opt_t
    @overload
    def __init__(self: AdaptiveMaxPool3d[Tensor], output_size: _size_any_opt_t, return_indices: Literal[False]=False) -> None: ...
    @overload
    def __init__(self: AdaptiveMaxPool3d[tuple[Tensor, Tensor]], output_size: _size_any_opt_t, *, return_indices: Literal[True]) -> None: ...
    @overload
    def __init__(self: AdaptiveMaxPool3d[Any], output_size: _size_any_opt_t, return_indices: bool=False) -> None: ...
    def forward(self, input: Tensor) -> _R_co: ...


class _AdaptiveAvgPoolNd(Module):
    output_size: _size_any_opt_t
    __constants__ = ["output_size"]
    def __init__(self, output_size: _size_any_opt_t) -> None: ...
    def extra_repr(self) -> str: ...


class AdaptiveAvgPool1d(_AdaptiveAvgPoolNd):
    output_size: _size_1_t
    def forward(self, input: Tensor) -> Tensor: ...


class AdaptiveAvgPool2d(_AdaptiveAvgPoolNd):
    output_size: _size_2_opt_t
    def forward(self, input: Tensor) -> Tensor: ...


class AdaptiveAvgPool3d(_AdaptiveAvgPoolNd):
    output_size: _size_3_opt_t
    def forward(self, input: Tensor) -> Tensor: ...

