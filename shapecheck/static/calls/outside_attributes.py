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
_OF_PACKETS = frozenset(("op", "op_overloads", "overloads"))
"""What `torch.ops.aten.add` has besides its overloads, and private attributes."""
_DOTS_IN_PACKET = "torch.ops.aten.add".count(".")


def of_external(value: ExternalReference, name: str) -> Value:
    """The attribute of a function, class or module of a library."""
    if _describes_operator(value.name, name):
        return Unknown(f"attribute {name} of an operator")
    if name not in _DESCRIBING:
        return outside(f"{value.name}.{name}")
    module, _, short = value.name.rpartition(".")
    if name == "__module__" and module == "builtins":
        return module
    known = name == "__name__" and (module == "builtins" or is_layer(value.name))
    return short if known else Unknown("a description of a function or class")


def _describes_operator(owner: str, name: str) -> bool:
    """Whether it is an attribute of `torch.ops.aten.add` or of an overload, such as its schema, and no overload."""
    dots = owner.count(".") if owner.startswith("torch.ops.") else 0
    is_private = name.startswith("_") or name in _OF_PACKETS
    return dots > _DOTS_IN_PACKET or (dots == _DOTS_IN_PACKET and is_private)


def of_argument(run: Run, value: Value, name: str) -> Value:
    """The attribute that is read of an argument, such as a size of a configuration: the same one each time."""
    found = None
    if type(value) is SymbolicArgument and value.computed_from is None and not name.startswith("__"):
        found = value.attribute(name)
        if found is not None and not found.is_integer and name in integer_attributes(run.loaded.tree):
            found.is_integer = True
    return Unknown(f"attribute {name} of an unknown value") if found is None else found
