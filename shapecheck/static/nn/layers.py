"""Classes of the project that are a layer of torch's: `class Block(nn.Sequential)`, `class Norm(nn.LayerNorm)`."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.static.abstract_values import Slot
from shapecheck.static.iteration import items_in
from shapecheck.static.library.mappings import fill
from shapecheck.static.machine import Machine
from shapecheck.static.torch_calls import known
from shapecheck.static.values import Builtin, ClassValue, External, Instance, Super, Value

LAYER = Slot("the layer that it is")
"""The field under which an object keeps the layer that its class is."""

MODULES = frozenset(("torch.nn.Module", "torch.nn.modules.Module", "torch.nn.modules.module.Module"))
"""The names of what all modules are."""

_CONTAINERS = frozenset(("Sequential", "ModuleList", "ModuleDict"))


def is_layer(name: str) -> bool:
    """Whether a base from outside is a layer that we know."""
    if not name.startswith("torch.nn.") or name in MODULES:
        return False
    return name.rpartition(".")[2] in _CONTAINERS or known(name)


def base_layer(cls: ClassValue) -> str | None:
    """The name of the layer that the class is, None where it is none."""
    return next((name for name in sorted(cls.outside()) if is_layer(name)), None)


def make_layer(
    machine: Machine, node: ast.AST | None, made: Instance, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> None:
    """What the layer's own constructor does to an object."""
    from shapecheck.static.calls import call  # noqa: PLC0415 - calls make objects

    name = base_layer(made.cls)
    if name is not None:
        layer = call(machine, node or made.cls.node, External(name), args, kwargs)
        machine.journal.write(made, LAYER, layer)


def of_base(
    machine: Machine, node: ast.AST, base: Super, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> Value:
    """`super().__init__(...)` and `super().forward(x)` where the next class is not the project's."""
    from shapecheck.static.calls import call, call_object  # noqa: PLC0415 - calls reach bases

    items = items_in(base.receiver)
    if items is not None:
        if name == "__init__":
            fill(machine, base.receiver, args, kwargs)
            return None
        return call(machine, node, Builtin(items, name), args, kwargs)
    if name == "__init__":
        make_layer(machine, node, base.receiver, args, kwargs)
        return None
    layer = base.receiver.fields.get(LAYER)
    if name in ("forward", "__call__") and layer is not None:
        return call_object(machine, node, layer, args, kwargs)
    return Unknown(f"{name} of a base from outside")
