"""TensorSpec: what is known about a tensor."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from shapecheck.spec.dim import Size
from shapecheck.spec.dtype import DType, as_dtype
from shapecheck.spec.errors import ShapeError
from shapecheck.spec.shape import Axis, Shape

Layout = Literal["contiguous", "non-contiguous", "channels_last", "unknown"]
"""The memory layout of a tensor. "channels_last" includes the 4-d and the 5-d memory format."""

_LAYOUTS = frozenset(("contiguous", "non-contiguous", "channels_last", "unknown"))


class DeviceMark:
    """Represents a device whose name is unknown, such as that of a module's weights; equal marks are one device."""

    __slots__ = ()


class TensorSpec:
    """Shape, dtype, layout and device of a tensor, each as far as it is known. Immutable.

    shape: sizes as ints, names ("b"), expressions ("2*d") or Dims, with at most one `...` or "*name".
        Names written here are axis names: two different ones are different sizes.
    dtype: DType, or a name such as "float32"; None where unknown.
    layout: "contiguous", "non-contiguous", "channels_last" or "unknown".
    device: "cpu", "cuda:0", ..., or a mark for a device without a known name; None where unknown.
    strides: in elements, one for each axis; only kept where the layout alone does not tell them.
    Raises ShapeError for a shape, a dtype or a layout that does not exist.
    """

    __slots__ = ("device", "dtype", "layout", "shape", "strides")

    shape: Shape
    dtype: DType | None
    layout: Layout
    device: str | DeviceMark | None
    strides: tuple[Size, ...] | None

    def __init__(
        self,
        shape: Shape | Axis | Iterable[Axis],
        dtype: DType | str | None = None,
        layout: Layout = "unknown",
        device: str | DeviceMark | None = None,
        strides: tuple[Size, ...] | None = None,
    ) -> None:
        if layout not in _LAYOUTS:
            raise ShapeError(f"unknown layout {layout!r}; the layouts are {', '.join(sorted(_LAYOUTS))}")
        put = object.__setattr__
        put(self, "shape", Shape.of(shape))
        put(self, "dtype", dtype if dtype is None or type(dtype) is DType else as_dtype(dtype))
        put(self, "layout", layout)
        put(self, "device", device)
        put(self, "strides", strides)

    @staticmethod
    def make(
        shape: Shape,
        dtype: DType | None,
        layout: Layout = "unknown",
        device: str | DeviceMark | None = None,
        strides: tuple[Size, ...] | None = None,
    ) -> TensorSpec:
        """A spec from parts that are in their final form: no check, no conversion."""
        made = _NEW(TensorSpec)
        _SHAPE(made, shape)
        _DTYPE(made, dtype)
        _LAYOUT(made, layout)
        _DEVICE(made, device)
        _STRIDES(made, strides)
        return made

    @staticmethod
    def anything(dtype: DType | None = None) -> TensorSpec:
        """A tensor of unknown shape, possibly of a known dtype."""
        return TensorSpec.make(Shape.anything(), dtype)

    @property
    def rank(self) -> int | None:
        """The number of dimensions, None if it is unknown."""
        return self.shape.rank

    @property
    def dims(self) -> tuple[Size, ...]:
        """All sizes. Raises Unanswered where the rank is unknown, so that a rule that needs them gives no result."""
        shape = self.shape
        return shape.head if shape.run is None else shape.dims

    def with_dtype(self, dtype: DType | None) -> TensorSpec:
        """The same tensor with another dtype."""
        return TensorSpec.make(self.shape, dtype, self.layout, self.device, self.strides)

    def with_shape(self, shape: Shape, layout: Layout = "unknown") -> TensorSpec:
        """A tensor of the same dtype on the same device."""
        return TensorSpec.make(shape, self.dtype, layout, self.device)

    def with_layout(self, layout: Layout, strides: tuple[Size, ...] | None = None) -> TensorSpec:
        """The same tensor with another memory layout."""
        return TensorSpec.make(self.shape, self.dtype, layout, self.device, strides)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"cannot set {name}: a TensorSpec is immutable")

    def _key(self) -> tuple[object, ...]:
        return (self.shape, self.dtype, self.layout, self.device, self.strides)

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, TensorSpec) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[object, ...]:
        return TensorSpec.make, self._key()

    def __str__(self) -> str:
        return str(self.shape) if self.dtype is None else f"{self.dtype} {self.shape!s}"

    def in_message(self) -> str:
        """The text as a value in a message."""
        return f"a tensor of shape {self.shape}"

    def __repr__(self) -> str:
        parts = [repr(self.shape)]
        if self.dtype is not None:
            parts.append(repr(self.dtype.name))
        if self.layout != "unknown":
            parts.append(f"layout={self.layout!r}")
        if self.device is not None:
            parts.append(f"device={self.device!r}")
        if self.strides is not None:
            parts.append(f"strides={self.strides!r}")
        return f"TensorSpec({', '.join(parts)})"


_NEW = object.__new__
# The slots' own setters: past the guard in __setattr__, at half the price of object.__setattr__.
_SHAPE, _DTYPE, _LAYOUT, _DEVICE, _STRIDES = (
    vars(TensorSpec)[slot].__set__ for slot in ("shape", "dtype", "layout", "device", "strides")
)
