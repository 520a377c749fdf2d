"""Sizes of layers that do not fill the blocks in which tensor cores multiply."""

from __future__ import annotations

from shapecheck.ops import ModuleSpec
from shapecheck.static.rules.moments import Call, after
from shapecheck.static.values import Value

_SIZES = ("in_features", "out_features", "in_channels", "out_channels")
_LAYERS = "Linear Bilinear Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d".split()
_SMALL = 64
"""Below this a layer costs so little that padding it gains nothing."""
_BLOCK = 8
"""Elements of 16 bits in the 16 bytes to which tensor cores want rows aligned."""


@after("tensor-core-size", *_LAYERS)
def uneven(call: Call, built: Value) -> Value:
    """Reports a layer where it is built with such a size."""
    if isinstance(built, ModuleSpec):
        uneven = [(name, size) for name in _SIZES if _wastes(size := getattr(built, name, None))]
        for name, size in uneven[:1]:
            more = size + -size % _BLOCK
            call.machine.report(
                "tensor-core-size",
                call.node,
                f"{built.name}: {name} is {size}, no multiple of {_BLOCK}: in 16 bits it wastes tensor cores; "
                f"{more} would not",
            )
    return built


def _wastes(size: object) -> bool:
    return type(size) is int and size >= _SMALL and size % _BLOCK != 0
