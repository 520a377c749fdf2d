"""What every abstract value is: a value made of other values, its children, and of what else distinguishes it.

Plain Python values, sizes, dtypes, tensors and layers are abstract values themselves; `structure` knows their children.
Every other kind of value is a subclass of `AbstractValue`, which declares its slots. Join, memoization, escape analysis
and substitution know nothing else of a kind.
"""

from __future__ import annotations

from collections.abc import Hashable
from types import EllipsisType
from typing import Any, ClassVar, TypeAlias, TypeVar

from shapecheck.ops import ModuleSpec, Other, Unknown
from shapecheck.spec import Dim, DType, TensorSpec

_V = TypeVar("_V", bound="AbstractValue")


class AbstractValue:
    """The base of all kinds of values of our own.

    A kind declares its slots: `child_slots` hold values, `key_slots` what else distinguishes two values of the kind.
    What neither of them names is derived from them, or does not matter.
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
        """The values that it is made of."""
        return tuple([getattr(self, name) for name in self.child_slots])

    def rebuild(self: _V, parts: tuple[Value, ...]) -> _V:
        """The same value made of other children: as many as it has, in the same order.

        A value without children is immutable or shared, and is returned as it is.
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
        """What distinguishes it from another value of its kind with the same children."""
        return tuple([getattr(self, name) for name in self.key_slots])

    @property
    def has_hidden_state(self) -> bool:
        """Whether it reaches values that its children do not show, so that calls that take it are not memoized."""
        return False


class Absent(AbstractValue):
    """No value: of a field that is not set, or of a parameter without a default."""

    __slots__ = ()


ABSENT = Absent()


class Slot:
    """An internal field of an object, for what is no attribute: no name of a program is equal to it."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<{self.name}>"


Field: TypeAlias = str | Slot
"""What a field of an object is called: an attribute by its name, or an internal field."""

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
"""What an expression may evaluate to, or a field hold.

Keys and items of a dict are values: it is invariant, so that no narrower type would take a `dict[str, Value]`.
"""
