"""The value of an argument of code that is analyzed in isolation."""

from __future__ import annotations

from collections.abc import Hashable
from copy import copy

from shapecheck.ops import Unknown
from shapecheck.spec import Dim, Size, VariadicAxes, axis, substitute, unknown
from shapecheck.static.domain.abstract_values import AbstractValue


class SymbolicArgument(AbstractValue, Unknown):
    """An argument about which nothing is known, not even that it is a tensor."""

    __slots__ = (
        "attributes",
        "axes",
        "computed_from",
        "excluded",
        "formula",
        "is_attribute",
        "is_integer",
        "name",
        "own_size",
    )
    key_slots = ("name", "excluded", "formula", "is_integer")

    def __init__(self, name: str, excluded: frozenset[Hashable] = frozenset()) -> None:
        super().__init__(f"argument {name}")
        self.name = name
        self.own_size = unknown(name)
        """The size that replaces the argument if a layer is built with it."""
        self.formula: Size | None = axis(name, "")
        """The size that the value is, by the name of the argument; None if that depends on the path."""
        self.computed_from: SymbolicArgument | None = None
        """The argument from which it is computed; None for the argument itself."""
        self.axes = VariadicAxes()
        """Its dimensions if it is a tensor."""
        self.excluded = excluded
        """Constants that it does not equal, None included."""
        self.attributes: dict[str, SymbolicArgument | None] = {}
        """What was read from it, such as the sizes of a configuration; None for what code assigns."""
        self.is_attribute = False
        """Whether it was read from an argument, or computed from what was."""
        self.is_integer = False
        """Whether code that reads this attribute uses it where only an integer can be."""

    @property
    def size(self) -> Size:
        """The size that replaces the value if a layer is built with it."""
        return unknown() if self.formula is None else substitute(self.formula, {axis(self.name, ""): self.own_size})

    @property
    def known_size(self) -> Dim | None:
        """The same size if it is one of its own, None if it depends on the path or is a number."""
        found = None if self.formula is None else self.size
        return found if isinstance(found, Dim) else None

    @property
    def argument(self) -> SymbolicArgument:
        """The argument that it is, or from which it is computed: a tensor of the same shape."""
        return self if self.computed_from is None else self.computed_from

    def without(self, excluded: frozenset[Hashable]) -> SymbolicArgument:
        """The same argument, which equals none of these constants."""
        made = copy(self)
        made.excluded = excluded
        made.computed_from = None
        return made

    def computed(self, formula: object) -> SymbolicArgument:
        """What is computed from the argument: of its shape if it is a tensor, and this size, if it is one."""
        made = copy(self)
        made.computed_from = self.argument
        made.formula = formula if isinstance(formula, (int, Dim)) else None
        return made

    def attribute(self, name: str) -> SymbolicArgument | None:
        """An attribute of the argument, the same one each time; None if code assigns it."""
        if name not in self.attributes:
            made = SymbolicArgument(f"{self.name}.{name}")
            made.own_size = unknown(name)
            made.is_attribute = True
            self.attributes[name] = made
        return self.attributes[name]

    def combined(self, name: str, size: Dim) -> SymbolicArgument:
        """What is computed from this attribute and another one: of this size, if it is one."""
        made = SymbolicArgument(name)
        made.own_size = size
        made.is_attribute = True
        return made


class ArgumentPart(AbstractValue, Unknown):
    """A slice of an argument, or how it compares with a number: if this is a tensor, then the argument is one."""

    __slots__ = ("argument",)
    child_slots = ("argument",)

    def __init__(self, argument: SymbolicArgument) -> None:
        super().__init__(f"a part of argument {argument.name}")
        self.argument = argument


def part_of(value: object) -> ArgumentPart | None:
    """A part of an argument, or of another part of it; None for any other value."""
    argument = value.argument if isinstance(value, (SymbolicArgument, ArgumentPart)) else None
    return None if argument is None else ArgumentPart(argument)
