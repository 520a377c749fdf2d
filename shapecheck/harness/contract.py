"""The contract of a model's forward, as the runtime checker reads it."""

from __future__ import annotations

import ast
import inspect
import textwrap
import types
import warnings
from typing import Any

from shapecheck.runtime.contracts import read_contract
from shapecheck.runtime.hints import has_arrays
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
    """The signature of a class's forward as it stands in the source, empty where there are no shapes in it."""
    contract = contract_of(kind)
    if contract is None or not any(map(has_arrays, contract.hints)):
        return ""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(contract.function)))
    except (OSError, SyntaxError):
        return ""
    function: Any = tree.body[0]
    del (function.args.posonlyargs or function.args.args)[0]
    result = "" if function.returns is None else f" -> {ast.unparse(function.returns)}"
    return f"({ast.unparse(function.args)}){result}"
