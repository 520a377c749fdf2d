"""Padding layers."""

from __future__ import annotations

from typing import ClassVar

from shapecheck.ops.module import ModuleSpec, module
from shapecheck.ops.rules.pad import pad
from shapecheck.ops.shared.arguments import Sizes, Tensor
from shapecheck.ops.shared.windows import image, per_axis_tuple


class _Pad(ModuleSpec):
    """(..., h, w) with padding (left, right, top, bottom) gives (..., top + h + bottom, left + w + right)."""

    count: ClassVar[int]
    mode: ClassVar[str] = "constant"

    def __init__(self, padding: Sizes) -> None:
        self.padding = per_axis_tuple(padding, 2 * self.count)

    def forward(self, input: Tensor) -> Tensor:
        """(..., h, w) gives (..., top + h + bottom, left + w + right)."""
        if self.mode == "circular":
            image(input.shape, self.count)
        return pad(input, self.padding, self.mode)

    def __repr__(self) -> str:
        return f"{type(self).name}({self.padding})"


class _ConstantPad(_Pad):
    def __init__(self, padding: Sizes, value: object) -> None:
        super().__init__(padding)
        self.value = value


def _enter() -> None:
    kinds = (
        ("CircularPad", _Pad, "circular"),
        ("ConstantPad", _ConstantPad, "constant"),
        ("ReflectionPad", _Pad, "reflect"),
        ("ReplicationPad", _Pad, "replicate"),
        ("ZeroPad", _Pad, "constant"),
    )
    for kind, base, mode in kinds:
        for count in (1, 2, 3):
            name = f"{kind}{count}d"
            module(f"nn.{name}")(type(name, (base,), {"count": count, "mode": mode, "__doc__": _Pad.__doc__}))


_enter()
