"""`module.double()`, `.to(...)` and similar methods: they change the dtype of floating-point parameters."""

from __future__ import annotations

import ast
from functools import reduce

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import DType, TensorSpec, as_dtype
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.join import join
from shapecheck.static.domain.objects import ITEMS, SUMMARY, Instance, ModuleContainer, Object
from shapecheck.static.domain.summary_collections import is_summary
from shapecheck.static.engine.dispatch import Arguments, Keywords, dispatch
from shapecheck.static.engine.operands import to_ops
from shapecheck.static.engine.run import Run

_CASTS = {"half": "float16", "double": "float64", "bfloat16": "bfloat16", "float": "float32"}


def cast_module(run: Run, node: ast.AST, module: Value, name: str, arguments: tuple[Arguments, Keywords]) -> Value:
    """The module after the call; its dtypes are unknown after `.to(...)` with an unknown argument."""
    args, kwargs = arguments
    if name in _CASTS:
        return _cast(run, node, module, as_dtype(_CASTS[name]))
    if name not in ("to", "type"):
        return module
    dtypes = _dtypes_among((*args, *kwargs.values()))
    return _cast(run, node, module, dtypes[0]) if dtypes else module


def _dtypes_among(args: tuple[Value, ...]) -> list[DType | None]:
    """The dtypes that arguments specify, None for an unknown one. Devices and flags specify none."""
    found: list[DType | None] = []
    for operand in map(to_ops, args):
        if isinstance(operand, TensorSpec):
            found.append(operand.dtype)
        elif isinstance(operand, (DType, Unknown)):
            found.append(operand if isinstance(operand, DType) else None)
        elif operand in (float, complex):
            found.append(as_dtype(operand))
    return found


def _cast(run: Run, node: ast.AST, module: Value, dtype: DType | None) -> Value:
    """The module with this dtype, also assigned to the receiver of the call, because layers are immutable values."""
    changed = _with_dtype(run, module, dtype, set())
    if changed is not module and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        receiver = node.func.value
        if isinstance(receiver, (ast.Name, ast.Attribute)):
            dispatch.assign(run, receiver, changed)
    return changed


def _with_dtype(run: Run, value: Value, dtype: DType | None, seen: set[Object]) -> Value:
    """The value with this dtype; objects are changed in place, those in `seen` already are."""
    if isinstance(value, Alternatives):
        return reduce(join, (_with_dtype(run, one, dtype, seen) for one in value.members))
    if isinstance(value, ModuleSpec):
        _forget_dtype(run, value)
        return value.cast(dtype)
    if isinstance(value, TensorSpec):  # only parameters and buffers are cast, not other attributes
        return value.with_dtype(None) if value.dtype is not None and value.dtype.is_floating else value
    if isinstance(value, (Instance, ModuleContainer)) and value not in seen:
        seen.add(value)
        _cast_fields(run, value, dtype, seen)
    return value


def _forget_dtype(run: Run, layer: ModuleSpec) -> None:
    """Makes the dtype of variables unknown that hold the layer, or a copy of it: layers are immutable values."""
    names = run.frame.scope
    for name, held in list(names.fields.items()):
        if held is layer:
            run.journal.write(names, name, layer.cast(None))


def _cast_fields(run: Run, value: Instance | ModuleContainer, dtype: DType | None, seen: set[Object]) -> None:
    if isinstance(value, ModuleContainer):
        items = {name: _with_dtype(run, one, dtype, seen) for name, one in value.items.items()}
        run.journal.write(value, ITEMS, items)
        if is_summary(value):
            run.journal.write(value, SUMMARY, _with_dtype(run, value.fields[SUMMARY], dtype, seen))
        return
    for name, one in list(value.fields.items()):
        changed = _with_dtype(run, one, dtype, seen)
        if changed is not one:
            run.journal.write(value, name, changed)
