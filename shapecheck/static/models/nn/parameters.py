"""The attributes of layers: assigning one, as in `layer.weight = ...`, and the result of `parameters()`."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from shapecheck.ops import ModuleSpec
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import Instance, ModuleContainer

_PARAMETERS = ("weight", "bias")
_BUFFERS = frozenset(("running_mean", "running_var", "num_batches_tracked"))


def with_parameter(receiver: Value, name: str, value: Value) -> Value:
    """The layer with another attribute, or the tensor assigned in `parameter.data = ...`; None for any other target."""
    if isinstance(receiver, TensorSpec):
        return value if name == "data" and isinstance(value, TensorSpec) else None
    if not isinstance(receiver, ModuleSpec) or name not in vars(receiver):
        return None
    if name in _PARAMETERS and not isinstance(value, TensorSpec):
        return None
    changed = copy(receiver)
    setattr(changed, name, value)
    return changed


def parameters_of(value: Value, enclosing: tuple[Value, ...] = ()) -> list[Value] | None:
    """The parameters of a module in order; None if an attribute is a tensor or may hold further parameters.

    `enclosing` are the modules that contain it; None if it contains one of these.
    """
    if isinstance(value, ModuleSpec):
        return _layer_parameters(value)
    if any(value is one for one in enclosing):
        return None
    if isinstance(value, ModuleContainer):
        parts = None if value.lost else list(value.items.values())
    else:
        parts = list(value.fields.values()) if isinstance(value, Instance) else []
    if parts is None or any(isinstance(one, TensorSpec) for one in parts):
        return None
    modules = [one for one in parts if isinstance(one, (ModuleSpec, ModuleContainer, Instance))]
    distinct = list({id(one): one for one in modules}.values())
    return _parameters_of_all(distinct, (*enclosing, value)) if _are_known(parts) else None


def _are_known(parts: list[Value]) -> bool:
    """Whether every value is a module or is known to have no parameters."""
    plain = (str, int, float, bool, type(None), ModuleSpec, ModuleContainer, Instance)
    return all(isinstance(one, plain) for one in parts)


def _parameters_of_all(modules: Sequence[Value], enclosing: tuple[Value, ...]) -> list[Value] | None:
    found: list[Value] = []
    for one in modules:
        more = parameters_of(one, enclosing)
        if more is None:
            return None
        found += more
    return found


def _layer_parameters(layer: ModuleSpec) -> list[Value] | None:
    fields = vars(layer)
    if any(_may_hold_parameters(one) for name, one in fields.items() if name not in (*_PARAMETERS, *_BUFFERS)):
        return None
    if fields.get("weight", layer) is None and layer.name.startswith("Lazy"):
        return None
    return [fields[name] for name in _PARAMETERS if isinstance(fields.get(name), TensorSpec)]


def _may_hold_parameters(value: Value) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_may_hold_parameters, value))
    return isinstance(value, (TensorSpec, ModuleSpec))
