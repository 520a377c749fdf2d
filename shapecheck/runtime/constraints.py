"""Layout and device constraints in annotations: `Annotated[Float[Tensor, "b c h w"], ChannelsLast]`.

Type checkers, jaxtyping and beartype ignore the metadata of `Annotated`; `checked` reads it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from shapecheck.spec.shape import Shape


@dataclass(frozen=True)
class Layout:
    """The memory layout of a tensor. `formats` are torch's memory formats, each with the rank it applies to."""

    name: str
    formats: tuple[tuple[int | None, str], ...]

    def holds(self, value: Any) -> bool:
        """Whether `value` has the layout. A rank without such a format does not match; a sparse tensor, which has no
        strides, matches.
        """
        torch = sys.modules["torch"]
        for rank, memory_format in self.formats:
            if rank is None or rank == value.dim():
                return bool(value.is_contiguous(memory_format=getattr(torch, memory_format))) or self._is_sparse(value)
        return False

    def _is_sparse(self, value: Any) -> bool:
        return value.layout is not sys.modules["torch"].strided

    def actual(self, value: Any) -> str:
        """The strides it has instead, for a message."""
        return f"strides {Shape(tuple(value.stride()))}"

    @property
    def expected(self) -> str:
        """The requirement, for a message."""
        return f"layout {self.name}"

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True)
class OnDevice:
    """The tensor is on this device: `OnDevice("cuda")` for any GPU of that kind, `OnDevice("cuda:0")` for one."""

    device: str

    def holds(self, value: Any) -> bool:
        """Whether `value` is on that device."""
        device = value.device
        return self.device in (device.type, str(device))

    def actual(self, value: Any) -> str:
        """The device it is on instead, for a message."""
        return str(value.device)

    @property
    def expected(self) -> str:
        """The requirement, for a message."""
        return f"device {self.device}"

    def __repr__(self) -> str:
        return f"OnDevice({self.device!r})"


Constraint = Layout | OnDevice

Contiguous = Layout("Contiguous", ((None, "contiguous_format"),))
"""Row-major without gaps, which `view` and most kernels require."""

ChannelsLast = Layout("ChannelsLast", ((4, "channels_last"), (5, "channels_last_3d")))
"""torch.channels_last for 4-D tensors, torch.channels_last_3d for 5-D tensors."""
