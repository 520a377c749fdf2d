"""The contract of a model's forward, as the runtime checker reads it."""

from __future__ import annotations

import inspect
import types
import warnings
from typing import Any

from shapecheck.runtime.contracts import read_contract
from shapecheck.runtime.hints import has_arrays
from shapecheck.runtime.reading import is_array
from shapecheck.runtime.signature import Contract


def contract_of(kind: type) -> Contract | None:
    """What the annotations of a class's forward ask for; None where it has none that can be read."""
    forward = inspect.unwrap(getattr(kind, "forward", None) or (lambda: None))
    if not isinstance(forward, types.FunctionType) or not forward.__annotations__:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read_contract(forward, {kind.__name__: kind}, (), final=True).contract


def has_shapes(kind: type) -> bool:
    """Whether a parameter of its forward has a shape, so that inputs can be made."""
    contract = contract_of(kind)
    return contract is not None and any(map(has_arrays, contract.arguments.values()))


def written(kind: Any) -> str:
    """The signature of forward as it is written, empty where there are no shapes in it."""
    contract = contract_of(kind)
    if contract is None or not any(map(has_arrays, contract.hints)):
        return ""
    signature = inspect.signature(contract.function)
    shown = [_shown(one) for one in list(signature.parameters.values())[1:]]
    result = signature.return_annotation
    return f"({', '.join(shown)})" + ("" if result is signature.empty else f" -> {_text(result)}")


def _shown(parameter: inspect.Parameter) -> str:
    if parameter.annotation is parameter.empty:
        return parameter.name
    return f"{parameter.name}: {_text(parameter.annotation)}"


def _text(annotation: Any) -> str:
    if isinstance(annotation, str):
        return annotation
    if is_array(annotation):
        kind = getattr(annotation.array_type, "__name__", "Any")
        return f'{annotation.dtype.__name__}[{kind}, "{annotation.dim_str}"]'
    if isinstance(annotation, type) and not hasattr(annotation, "__args__"):
        return annotation.__name__
    return inspect.formatannotation(annotation)
