"""NumPy arrays as abstract values, distinct from tensors."""

from __future__ import annotations

from shapecheck.spec import DType, Shape, Size, TensorSpec
from shapecheck.static.domain.abstract_values import AbstractValue


class ArraySpec(AbstractValue):
    """Shape and dtype of an array, or of a NumPy scalar, whose shape is (). Immutable."""

    __slots__ = ("spec",)
    child_slots = ("spec",)

    def __init__(self, spec: TensorSpec) -> None:
        self.spec = spec

    @staticmethod
    def of(shape: Shape | tuple[Size, ...], dtype: DType | None) -> ArraySpec:
        """An array that NumPy has just created."""
        made = shape if isinstance(shape, Shape) else Shape(tuple(shape))
        return ArraySpec(TensorSpec.make(made, dtype, "contiguous", "cpu"))

    @property
    def shape(self) -> Shape:
        """Its sizes."""
        return self.spec.shape

    @property
    def dtype(self) -> DType | None:
        """Its dtype; None if unknown."""
        return self.spec.dtype

    def with_dtype(self, dtype: DType | None) -> ArraySpec:
        """An array of the same shape with another dtype."""
        return ArraySpec.of(self.shape, dtype)

    def __str__(self) -> str:
        return f"array {self.shape}" if self.dtype is None else f"array {self.dtype.name} {self.shape}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ArraySpec) and self.spec == other.spec

    def __hash__(self) -> int:
        return hash(self.spec)
