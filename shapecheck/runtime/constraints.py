"""Further constraints in annotations, on layout and device: `Annotated[Float[Tensor, "b c h w"], ChannelsLast]`.

Type checkers, jaxtyping and beartype ignore the metadata of `Annotated`; `checked` reads it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Layout:
    """How a tensor lies in memory; torch's name of the memory format, by the number of axes."""

    name: str
    formats: tuple[tuple[int | None, str], ...]

    def holds(self, value: Any) -> bool:
        """Whether `value` lies so. A number of axes without such a format is refused; a sparse tensor, which
        has no strides, is not.
        """
        torch = sys.modules["torch"]
        for rank, memory_format in self.formats:
            if rank is None or rank == value.dim():
                return bool(value.is_contiguous(memory_format=getattr(torch, memory_format))) or self._is_sparse(value)
        return False

    def _is_sparse(self, value: Any) -> bool:
        return value.layout is not sys.modules["torch"].strided

    def actual(self, value: Any) -> str:
        """What lies there instead, for a message."""
        return f"strides are {tuple(value.stride())}"

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
        """Where it is instead, for a message."""
        return f"device is {value.device}"

    def __repr__(self) -> str:
        return f"OnDevice({self.device!r})"


Constraint = Layout | OnDevice

Contiguous = Layout("Contiguous", ((None, "contiguous_format"),))
"""The last axis runs fastest, without gaps: what `view` and most kernels want."""

ChannelsLast = Layout("ChannelsLast", ((4, "channels_last"), (5, "channels_last_3d")))
"""torch.channels_last for four axes, torch.channels_last_3d for five."""
