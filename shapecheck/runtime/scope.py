"""Identifiers and size variables of a generated function while its source is written."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from shapecheck.spec.symbolic import SymbolicAxis


class BindingState(Enum):
    """The state of the variable of a size at one point of the generated function."""

    UNBOUND = 0
    MAYBE = 1
    """It is None until it is bound."""
    BOUND = 2


class Names:
    """Unique identifiers of one generated function, and the objects that some of them refer to."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = {*taken, *keyword.kwlist, *dir(builtins)}
        self.constants: dict[str, Any] = {}

    def copy(self) -> Names:
        """A copy, for code that is written to see what it does and then thrown away."""
        copy = Names(self._taken)
        copy.constants = dict(self.constants)
        return copy

    def fresh(self, base: str) -> str:
        """An identifier that is not in use, named after `base`."""
        stem = re.sub(r"\W", "_", base) or "value"
        stem = f"_{stem}" if stem[0].isdigit() else stem
        name, count = stem, 1
        while name in self._taken:
            count += 1
            name = f"{stem}_{count}"
        self._taken.add(name)
        return name

    def constant(self, base: str, value: Any) -> str:
        """The name of a global of the generated function with `value`."""
        for name, held in self.constants.items():
            if held is value or (type(held) is frozenset and held == value):
                return name
        name = self.fresh(base)
        self.constants[name] = value
        return name


@dataclass
class SizeScope:
    """The sizes that belong together: of a signature, or of one record with its own axis names.

    known: by axis, `b` or `*batch`. variables: their names in the generated function. start: the lines that the
    scope begins with. later: comparisons with symbolic axes whose names were not bound yet.
    """

    names: Names
    known: dict[str, BindingState] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)
    start: list[str] = field(default_factory=list)
    later: list[DeferredComparison] = field(default_factory=list)
    broadcasting: frozenset[str] = frozenset()
    """The runs that are written `*#x` somewhere: they need more than a comparison."""
    holes: Mapping[str, str] = field(default_factory=dict)
    """The source of the value of each `{...}` that is not evaluated."""

    def state(self, axis: str) -> BindingState:
        """Its state at this point."""
        return self.known.get(axis, BindingState.UNBOUND)

    def variable(self, axis: str) -> str:
        """Its variable."""
        if axis not in self.variables:
            self.variables[axis] = self.names.fresh(axis.lstrip("*") or "unnamed")
        return self.variables[axis]

    def bind(self, axis: str) -> str:
        """The variable, which is being assigned."""
        self.known[axis] = BindingState.BOUND
        return self.variable(axis)

    def may_be_unbound(self, axis: str) -> str:
        """The variable, which is None until it is bound."""
        line = f"{self.variable(axis)} = None"
        if self.state(axis) is BindingState.UNBOUND and line not in self.start:
            self.start.append(line)
        self.known[axis] = BindingState.MAYBE
        return self.variable(axis)

    def copy(self) -> SizeScope:
        """A copy, for code that is written to see what it binds and then thrown away."""
        return SizeScope(
            self.names.copy(),
            dict(self.known),
            dict(self.variables),
            list(self.start),
            list(self.later),
            self.broadcasting,
            self.holes,
        )


@dataclass(frozen=True)
class DeferredComparison:
    """`size` must equal the symbolic axis `expression` as soon as its names are bound; `broadcast`: or be 1."""

    size: str
    expression: SymbolicAxis
    names: tuple[str, ...]
    broadcast: bool


class Unsupported(Exception):
    """No code can be generated for this; the explainer checks it."""
