"""Abstract values: each consists of other values, its children, and a key that holds everything else.

Plain Python values, sizes, dtypes, tensors and layers are abstract values themselves; `structure` knows their children.
Every other kind of value is a subclass of `AbstractValue`, which declares its slots. Join, memoization, escape analysis
and substitution rely on nothing else.
"""

from __future__ import annotations

from collections.abc import Hashable
from types import EllipsisType
from typing import Any, ClassVar, TypeAlias, TypeVar

from shapecheck.ops import ModuleSpec, Other, Unknown
from shapecheck.spec import Dim, DType, TensorSpec

_V = TypeVar("_V", bound="AbstractValue")


class AbstractValue:
    """The base class of all kinds of values that this package defines.

    A kind declares its slots: `child_slots` hold values, `key_slots` what else distinguishes two values of the kind.
    All other slots are derived from these, or irrelevant to equality.
    """

    __slots__ = ()

    child_slots: ClassVar[tuple[str, ...]] = ()
    key_slots: ClassVar[tuple[str, ...]] = ()
    _all_slots: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        slots = (vars(base).get("__slots__", ()) for base in cls.__mro__)
        cls._all_slots = tuple(dict.fromkeys(name for names in slots for name in names))

    def children(self) -> tuple[Value, ...]:
        """The values that this value consists of."""
        return tuple([getattr(self, name) for name in self.child_slots]) if self.child_slots else ()

    def rebuild(self: _V, parts: tuple[Value, ...]) -> _V:
        """The same value with other children: as many as it has, in the same order.

        A value without children is immutable or shared, and is returned unchanged.
        """
        if not self.child_slots:
            return self
        made = object.__new__(type(self))
        for name in self._all_slots:
            setattr(made, name, getattr(self, name))
        for name, child in zip(self.child_slots, parts, strict=True):
            setattr(made, name, child)
        return made

    def key(self) -> Hashable:
        """Whatever distinguishes it from another value of its kind with the same children."""
        return tuple([getattr(self, name) for name in self.key_slots]) if self.key_slots else ()

    @property
    def has_hidden_state(self) -> bool:
        """Whether it reaches values that are not among its children, so that calls with it are not memoized."""
        return False


class Absent(AbstractValue):
    """The absence of a value: of a field that is not set, or of a default."""

    __slots__ = ()


ABSENT = Absent()


class Slot:
    """The name of an internal field of an object: unlike an attribute name, no program can spell it."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<{self.name}>"


Field: TypeAlias = str | Slot
"""The name of a field of an object: an attribute name, or that of an internal field."""

Value: TypeAlias = (
    bool
    | int
    | float
    | complex
    | str
    | bytes
    | EllipsisType
    | range
    | slice
    | tuple["Value", ...]
    | dict[Any, Any]
    | Dim
    | DType
    | TensorSpec
    | ModuleSpec
    | Unknown
    | Other
    | AbstractValue
    | None
)
"""Everything that an expression may evaluate to, or a field may hold.

The keys and items of a dict are values. Its type is `Any` because dict is invariant: `dict[Value, Value]` would not
accept a `dict[str, Value]`.
"""
