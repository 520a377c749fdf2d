"""Attributes of what the analyzed code does not define: functions and classes of libraries, and its arguments."""

from __future__ import annotations

from shapecheck.ops import Unknown
from shapecheck.project.integer_attributes import integer_attributes
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.constants import outside
from shapecheck.static.domain.external_bases import is_layer
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.domain.values import ExternalReference
from shapecheck.static.engine.run import Run

_DESCRIBING = frozenset(("__name__", "__qualname__", "__module__", "__doc__"))
"""Texts that functions and classes have."""


def of_external(value: ExternalReference, name: str) -> Value:
    """The attribute of a function, class or module of a library."""
    if name not in _DESCRIBING:
        return outside(f"{value.name}.{name}")
    known = name == "__name__" and is_layer(value.name)
    return value.name.rpartition(".")[2] if known else Unknown("a description of a function or class")


def of_argument(run: Run, value: Value, name: str) -> Value:
    """The attribute that is read of an argument, such as a size of a configuration: the same one each time."""
    found = None
    if type(value) is SymbolicArgument and value.computed_from is None and not name.startswith("__"):
        found = value.attribute(name)
        if found is not None and not found.is_integer and name in integer_attributes(run.loaded.tree):
            found.is_integer = True
    return Unknown(f"attribute {name} of an unknown value") if found is None else found
