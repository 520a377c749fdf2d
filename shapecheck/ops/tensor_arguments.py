"""Which arguments of a call are tensors, as the parameters of the operator or layer tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shapecheck.ops.module import ModuleSpec
from shapecheck.ops.names import find

_TENSOR = frozenset(("Tensor", "TensorSpec"))
_OPTIONAL = frozenset(f"{one} | None" for one in _TENSOR)


def tensor_arguments(
    operation: str | ModuleSpec, args: Sequence[Any], kwargs: Mapping[str, Any], *, optional: bool = False
) -> list[Any]:
    """The arguments for parameters that take nothing but a tensor.

    optional: also those for parameters that take None instead.
    """
    is_layer = isinstance(operation, ModuleSpec)
    entry = operation.entry if isinstance(operation, ModuleSpec) else find(operation)
    if entry is None:
        return []
    try:
        bound = entry.signature.bind_partial(*((operation, *args) if is_layer else args), **kwargs)
    except TypeError:
        return []
    kinds = _TENSOR | _OPTIONAL if optional else _TENSOR
    parameters = entry.signature.parameters
    return [value for name, value in bound.arguments.items() if parameters[name].annotation in kinds]
