"""`module.double()`, `.to(...)` and their kin: a module stays itself, its floating parameters change their dtype."""

from __future__ import annotations

import ast
from functools import reduce
from typing import Any

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import DType, TensorSpec, as_dtype
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.join import join
from shapecheck.static.domain.summary_collections import is_summary
from shapecheck.static.domain.values import ITEMS, SUMMARY, Collection, Instance, ModuleContainer, Object, Value
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.operands import to_ops
from shapecheck.static.engine.run import Run

_CASTS = {"half": "float16", "double": "float64", "bfloat16": "bfloat16", "float": "float32"}


def cast_module(
    run: Run, node: ast.AST, module: Value, name: str, given: tuple[tuple[Value, ...], dict[str, Value]]
) -> Value:
    """The module after the call; what `.to(...)` of something unknown does to its dtypes is unknown."""
    args, kwargs = given
    if name in _CASTS:
        return _cast(run, node, module, as_dtype(_CASTS[name]))
    if name not in ("to", "type"):
        return module
    dtypes = [_dtype(one) for one in (*args, *kwargs.values())]
    asked = [one for one in dtypes if one is not False]
    return _cast(run, node, module, asked[0]) if asked else module


def _dtype(value: Value) -> Any:
    """The dtype that an argument asks for: False where it is a device or a flag, None where that is not known."""
    given = to_ops(value)
    if isinstance(given, TensorSpec):
        return given.dtype
    if isinstance(given, (DType, Unknown)):
        return given if isinstance(given, DType) else None
    return as_dtype(given) if given in (float, complex) else False


def _cast(run: Run, node: ast.AST, module: Value, dtype: DType | None) -> Value:
    changed = _changed(run, module, dtype, set())
    if changed is not module and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        holder = node.func.value
        if isinstance(holder, (ast.Name, ast.Attribute)):
            dispatch.assign(run, holder, changed)
    return changed


def _changed(run: Run, value: Value, dtype: DType | None, seen: set[Object]) -> Value:
    if isinstance(value, Alternatives):
        return reduce(join, (_changed(run, one, dtype, seen) for one in value.members))
    if isinstance(value, ModuleSpec):
        return value.cast(dtype)
    if isinstance(value, TensorSpec):  # a parameter or buffer is cast, another attribute is not
        return value.with_dtype(None) if value.dtype is not None and value.dtype.is_floating else value
    if isinstance(value, (Instance, ModuleContainer)) and value not in seen:
        seen.add(value)
        _cast_fields(run, value, dtype, seen)
    return value


def _cast_fields(run: Run, value: Instance | ModuleContainer, dtype: DType | None, seen: set[Object]) -> None:
    if isinstance(value, Collection):
        items = {name: _changed(run, one, dtype, seen) for name, one in value.items.items()}
        run.journal.write(value, ITEMS, items)
        if is_summary(value):
            run.journal.write(value, SUMMARY, _changed(run, value.fields[SUMMARY], dtype, seen))
        return
    for name, one in list(value.fields.items()):
        changed = _changed(run, one, dtype, seen)
        if changed is not one:
            run.journal.write(value, name, changed)
