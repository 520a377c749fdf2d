"""Context managers that replace what operators do: a `TorchFunctionMode`, a `TorchDispatchMode`."""

from __future__ import annotations

from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import members_of
from shapecheck.static.domain.objects import ClassValue, Instance
from shapecheck.static.domain.values import OpaqueInstance

_METHODS = frozenset(("__torch_function__", "__torch_dispatch__"))


def replaces_operators(value: Value) -> bool:
    """Whether operators inside a block with this context manager may do anything: its class handles their calls."""
    classes = (one.cls for one in members_of(value) if isinstance(one, (Instance, OpaqueInstance)))
    bases = (base for cls in classes if isinstance(cls, ClassValue) for base in cls.mro())
    return any(not _METHODS.isdisjoint(base.fields) for base in bases)
