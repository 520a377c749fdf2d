"""float64 combined with a smaller float: torch promotes, and all later results are float64."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from shapecheck.conditions.operand import Operand, is_floating
from shapecheck.spec.dtype import DType, float64

CODE: Final = "float64-leak"


class Leak(NamedTuple):
    """float64 and a smaller float are operands of one operator."""

    operator: str
    narrow: DType

    @property
    def message(self) -> str:
        """What the user reads."""
        wide, narrow = "torch.float64", f"torch.{self.narrow.name}"
        return f"{wide} {self.operator} {narrow} promotes to {wide}; convert the {wide} operand"


def find(operator: str, operands: Iterable[Operand], result: DType | None = None) -> Leak | None:
    """A float64 operand and one of a smaller float, for an operator that promotes dtypes. Scalars do not promote.

    result: its dtype, None if unknown. An in-place operator keeps that of its first operand, so `x32 += x64` does not
    leak.
    """
    if result is not None and result is not float64:
        return None
    floats = [one for one in operands if is_floating(one) and one.shape.least_rank]
    narrow = {one.dtype.name: one.dtype for one in floats if one.dtype is not None}
    if narrow.pop("float64", None) is None or not narrow:
        return None
    return Leak(operator, narrow[min(narrow)])
