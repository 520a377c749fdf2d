"""Methods that change a tensor in place and have no other form."""

from __future__ import annotations

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.traits import Trait
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import ShapeError, Unanswered, same


@op("fill_diagonal_")
def fill_diagonal_(self: Tensor, fill_value: object, wrap: object = False) -> Tensor:
    """The input, of two or more dimensions, whose sizes are equal if they are more than two."""
    if self.rank is not None and self.rank < 2:
        raise ShapeError(f"expected at least 2 dimensions, got shape {self.shape}")
    if self.rank is not None and self.rank > 2 and any(same(size, self.dims[0]) is False for size in self.dims):
        raise ShapeError(f"expected equal sizes in all dimensions, got shape {self.shape}")
    return self


@op("apply_", "map_", "map2_")
def apply_(self: Tensor, *args: object) -> Tensor:
    """The input, its values changed."""
    return self


@op("set_", "resize_as_sparse_", traits=Trait.RESHAPES_IN_PLACE)
def set_(self: Tensor, source: object = None, *args: object, **kwargs: object) -> Tensor:
    """The source if that is a tensor, otherwise the input with an unknown shape."""
    return source if isinstance(source, Tensor) else Tensor.anything(self.dtype)


@op("as_subclass")
def as_subclass(self: Tensor, cls: object) -> Tensor:
    """The same tensor; unknown in a class of the program, whose methods may be others."""
    if isinstance(cls, Unknown):
        raise Unanswered("a tensor of another class")
    return self
