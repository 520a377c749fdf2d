"""Pooling layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from shapecheck.ops.module import ModuleSpec, module
from shapecheck.ops.registry import rule_of
from shapecheck.ops.rules.pool import Pooled
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.shared.windows import SizesOrUnknown, per_axis_tuple
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, Size
from shapecheck.spec.presentation import value_text


class _Pool(ModuleSpec):
    """The rule of the functional form is found by its name."""

    count: ClassVar[int]
    kind: ClassVar[str]

    def rule(self, *args: Any) -> Any:
        return rule_of(f"{self.kind}{self.count}d")(*args)


class _MaxPool(_Pool):
    """(n, c, *sizes) gives (n, c, *steps); n may be missing."""

    kind = "max_pool"

    def __init__(
        self,
        kernel_size: SizesOrUnknown,
        stride: SizesOrUnknown | None = None,
        padding: SizesOrUnknown = 0,
        dilation: SizesOrUnknown = 1,
        return_indices: bool = False,
        ceil_mode: bool | Unknown = False,
    ) -> None:
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor) -> Pooled:
        """(n, c, *sizes) gives (n, c, *steps), with return_indices twice."""
        pool: Pooled = self.rule(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices
        )
        return pool

    def __repr__(self) -> str:
        return f"{type(self).name}({value_text(self.kernel_size)}, stride={value_text(self.stride)})"


class _AvgPool(_Pool):
    """(n, c, *sizes) gives (n, c, *steps); n may be missing."""

    kind = "avg_pool"

    def __init__(
        self,
        kernel_size: SizesOrUnknown,
        stride: SizesOrUnknown | None = None,
        padding: SizesOrUnknown = 0,
        ceil_mode: bool | Unknown = False,
        count_include_pad: object = True,
        divisor_override: object = None,
    ) -> None:
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def forward(self, input: Tensor) -> Tensor:
        """(n, c, *sizes) gives (n, c, *steps)."""
        more = (self.ceil_mode, self.count_include_pad, self.divisor_override)
        pool: Tensor = self.rule(input, self.kernel_size, self.stride, self.padding, *more)
        return pool

    def __repr__(self) -> str:
        return f"{type(self).name}({value_text(self.kernel_size)}, stride={value_text(self.stride)})"


class _AvgPool1d(_AvgPool):
    """(n, c, l) gives (n, c, steps(l)); n may be missing."""

    def __init__(
        self,
        kernel_size: SizesOrUnknown,
        stride: SizesOrUnknown | None = None,
        padding: SizesOrUnknown = 0,
        ceil_mode: bool | Unknown = False,
        count_include_pad: object = True,
    ) -> None:
        super().__init__(kernel_size, stride, padding, ceil_mode, count_include_pad)


class _LPPool(_Pool):
    """(n, c, *sizes) gives (n, c, *steps); n may be missing."""

    kind = "lp_pool"

    def __init__(
        self,
        norm_type: float,
        kernel_size: SizesOrUnknown,
        stride: SizesOrUnknown | None = None,
        ceil_mode: bool | Unknown = False,
    ) -> None:
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor) -> Tensor:
        """(n, c, *sizes) gives (n, c, *steps)."""
        pool: Tensor = self.rule(input, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)
        return pool


class _AdaptiveAvgPool(_Pool):
    """(n, c, *sizes) gives (n, c, *output_size), where None keeps a size."""

    kind = "adaptive_avg_pool"

    def __init__(self, output_size: SizesOrUnknown | Sequence[Size | None]) -> None:
        self.output_size = output_size

    def forward(self, input: Tensor) -> Tensor:
        """(n, c, *sizes) gives (n, c, *output_size)."""
        pool: Tensor = self.rule(input, self.output_size)
        return pool

    def __repr__(self) -> str:
        return f"{type(self).name}({self.output_size})"


class _AdaptiveMaxPool(_Pool):
    """(n, c, *sizes) gives (n, c, *output_size), where None keeps a size."""

    kind = "F.adaptive_max_pool"

    def __init__(self, output_size: SizesOrUnknown | Sequence[Size | None], return_indices: bool = False) -> None:
        self.output_size = output_size
        self.return_indices = return_indices

    def forward(self, input: Tensor) -> Pooled:
        """(n, c, *sizes) gives (n, c, *output_size), with return_indices twice."""
        pool: Pooled = self.rule(input, self.output_size, self.return_indices)
        return pool

    def __repr__(self) -> str:
        return f"{type(self).name}({self.output_size})"


class _FractionalMaxPool(_Pool):
    """(n, c, *sizes) gives (n, c, *output_size) or (n, c, *floor(sizes * output_ratio))."""

    kind = "fractional_max_pool"

    def __init__(
        self,
        kernel_size: SizesOrUnknown,
        output_size: SizesOrUnknown | None = None,
        output_ratio: float | Sequence[float] | None = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> None:
        if (output_size is None) is (output_ratio is None):
            raise CallError("expected exactly one of output_size and output_ratio")
        self.kernel_size = per_axis_tuple(kernel_size, self.count)
        self.output_size = None if output_size is None else per_axis_tuple(output_size, self.count)
        self.output_ratio = output_ratio
        self.return_indices = return_indices
        ratios = output_ratio if isinstance(output_ratio, (tuple, list)) else (output_ratio,)
        if any(ratio is not None and not 0 < ratio < 1 for ratio in ratios):
            raise CallError(f"expected output_ratio to be between 0 and 1, got {value_text(output_ratio)}")

    def forward(self, input: Tensor) -> Pooled:
        """(n, c, *sizes) gives (n, c, *output_size), with return_indices twice."""
        pool: Pooled = self.rule(input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices)
        return pool


class _MaxUnpool(_Pool):
    """(n, c, *sizes) gives (n, c, *((sizes - 1) * stride + kernel_size - 2 * padding)) or those of `output_size`."""

    kind = "max_unpool"

    def __init__(
        self, kernel_size: SizesOrUnknown, stride: SizesOrUnknown | None = None, padding: SizesOrUnknown = 0
    ) -> None:
        self.kernel_size = per_axis_tuple(kernel_size, self.count)
        self.stride = per_axis_tuple(kernel_size if stride is None else stride, self.count)
        self.padding = per_axis_tuple(padding, self.count)

    def forward(self, input: Tensor, indices: Tensor, output_size: Sequence[Size] | None = None) -> Tensor:
        """(n, c, *sizes) and the indices of a max pool give (n, c, *larger sizes)."""
        pool: Tensor = self.rule(input, indices, self.kernel_size, self.stride, self.padding, output_size)
        return pool


def _enter() -> None:
    kinds = (
        ("MaxPool", _MaxPool, (1, 2, 3)),
        ("AvgPool", _AvgPool1d, (1,)),
        ("AvgPool", _AvgPool, (2, 3)),
        ("LPPool", _LPPool, (1, 2, 3)),
        ("AdaptiveAvgPool", _AdaptiveAvgPool, (1, 2, 3)),
        ("AdaptiveMaxPool", _AdaptiveMaxPool, (1, 2, 3)),
        ("FractionalMaxPool", _FractionalMaxPool, (2, 3)),
        ("MaxUnpool", _MaxUnpool, (1, 2, 3)),
    )
    for kind, base, counts in kinds:
        for count in counts:
            name = f"{kind}{count}d"
            module(f"nn.{name}")(type(name, (base,), {"count": count, "__doc__": base.__doc__}))


_enter()
