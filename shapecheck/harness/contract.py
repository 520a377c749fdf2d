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
from shapecheck.runtime.signature import FunctionContract


def contract_of(kind: type, *, plain: bool = False) -> FunctionContract | None:
    """The contract of a class's forward; None if it has no annotations that can be read.

    plain: whether a forward without annotations has an empty contract.
    """
    forward = inspect.unwrap(getattr(kind, "forward", None) or (lambda: None))
    if not isinstance(forward, types.FunctionType) or not (plain or forward.__annotations__):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read_contract(forward, {kind.__name__: kind}, (), final=True).contract


def has_shapes(kind: type) -> bool:
    """Whether a parameter of its forward has a shape, so that inputs can be generated."""
    contract = contract_of(kind)
    return contract is not None and any(map(has_arrays, contract.arguments.values()))


def does_nothing(function: Any) -> bool:
    """Whether a function is only declared: a docstring, `pass`, `...` or a NotImplementedError is all there is."""
    tree = _tree(inspect.unwrap(function))
    return tree is not None and all(map(_is_nothing, tree.body))


def _is_nothing(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Raise):
        return statement.exc is not None and "NotImplementedError" in ast.unparse(statement.exc)
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


def _tree(function: Any) -> ast.FunctionDef | None:
    """Its source; None if there is none."""
    try:
        statement = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, TypeError, SyntaxError):
        return None
    return statement if isinstance(statement, ast.FunctionDef) else None


def written(kind: Any) -> str:
    """The signature of a class's forward without `self`, as in the source; empty if it contains no shapes."""
    contract = contract_of(kind)
    if contract is None or not any(map(has_arrays, contract.hints)):
        return ""
    function = _tree(contract.function)
    if function is None:
        return ""
    del (function.args.posonlyargs or function.args.args)[0]
    result = "" if function.returns is None else f" -> {ast.unparse(function.returns)}"
    return f"({_parameters(function.args)}){result}"


def _parameters(arguments: ast.arguments) -> str:
    """The source of parameters; `ast.unparse` puts no spaces around the `=` of annotated ones."""
    text = ast.unparse(arguments)
    positional = [*arguments.posonlyargs, *arguments.args]
    with_defaults = positional[len(positional) - len(arguments.defaults) :]
    parameters, defaults = with_defaults + arguments.kwonlyargs, arguments.defaults + arguments.kw_defaults
    for one, default in zip(parameters, defaults, strict=True):
        if one.annotation is not None and default is not None:
            parameter, value = ast.unparse(one), ast.unparse(default)
            text = text.replace(f"{parameter}={value}", f"{parameter} = {value}")
    return text
