"""What a condition knows about a tensor."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from shapecheck.spec import DType, Shape


class Operand(Protocol):
    """A shape, whose sizes and rank may be unknown, and a dtype, None if unknown. A TensorSpec is one."""

    @property
    def shape(self) -> Shape:
        """The sizes of the dimensions."""

    @property
    def dtype(self) -> DType | None:
        """The type of the elements."""


class Observed(NamedTuple):
    """The operand of a call that has run: every size is a number."""

    shape: Shape
    dtype: DType | None


def is_floating(operand: Operand) -> bool:
    """Whether the dtype is known to be real floating point."""
    return operand.dtype is not None and operand.dtype.is_floating
