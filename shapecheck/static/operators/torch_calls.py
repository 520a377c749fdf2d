"""Asks `ops` what an operator or a layer gives, and reports what it refuses."""

from __future__ import annotations

import ast
from functools import partial
from typing import Any

from shapecheck.ops import ModuleSpec, Trait, Unknown, infer, names_with
from shapecheck.ops.assumptions import assuming
from shapecheck.spec import CallError, DTypeError, LayoutError, ShapeError, TensorSpec
from shapecheck.static.domain.callee_names import short_name
from shapecheck.static.domain.floats import as_operand
from shapecheck.static.domain.torch_names import is_modelled
from shapecheck.static.domain.values import Value
from shapecheck.static.engine.axis_bindings import bind_axes, with_axis_bindings
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.hooks import OperatorCall
from shapecheck.static.engine.operands import from_ops, to_ops
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.symbolic_inputs import refine_from_call
from shapecheck.static.operators.autocast import cast, forgotten
from shapecheck.static.operators.layer_sizes import with_sizes
from shapecheck.static.operators.tensor_series import as_joined, one_for_many, parted
from shapecheck.static.provenance.conflicts import conflict_notes

_CODES = ((DTypeError, "dtype-mismatch"), (LayoutError, "non-contiguous"), (CallError, "wrong-call"))


def torch_call(run: Run, node: ast.AST, name: str | ModuleSpec, args: Any, kwargs: dict[str, Value]) -> Value:
    """What the operator, layer class or layer gives; a refusal is a finding at this place."""
    if isinstance(name, str) and not is_modelled(name):
        return Unknown(f"no rule for {name}")
    _note(run, name, args, kwargs)
    if isinstance(name, ModuleSpec) and name.name == "Identity" and args:
        return args[0]
    if isinstance(name, str) and name.startswith("torch.nn."):
        args, kwargs = with_sizes(run, name, args, kwargs)
    short = short_name(name)
    if short in names_with(Trait.JOINS) and (one := one_for_many(short, args)) is not None:
        return as_joined(torch_call(run, node, name, one, kwargs), args, kwargs)
    if (decided := _decided(run, node, name, args, kwargs)) is not None:
        return decided
    operands = map(as_operand, args) if short.removesuffix("_") in names_with(Trait.NUMBER_OPERANDS) else args
    positional, named = [to_ops(one) for one in operands], {key: to_ops(value) for key, value in kwargs.items()}
    try:
        answer = _asked(run, name, positional, named)
    except ShapeError as refusal:
        return _refused(run, node, name, args, kwargs, refusal)
    given = run.knowledge.settled(from_ops(answer))
    if short in names_with(Trait.SPLITS) and isinstance(given, Unknown):
        return parted(short, args, kwargs) or given
    layer = name if isinstance(name, ModuleSpec) else None
    for after in run.rules.after.get(short, layer):
        given = after(OperatorCall(run, node, short if layer is None else layer.name, args, kwargs, layer), given)
    run.origins.made(given, name, args, kwargs, node, run.frame.names)
    return given


def _note(run: Run, name: str | ModuleSpec, args: Any, kwargs: dict[str, Value]) -> None:
    """Tells who watches, and who learns what unknown arguments must be, of a call."""
    if run.watch is not None:
        run.watch.asked[name if isinstance(name, str) else name.name] += 1
    if run.inputs is not None:
        refine_from_call(run, name, args, kwargs)


def _refused(
    run: Run, node: ast.AST, name: str | ModuleSpec, args: Any, kwargs: dict[str, Value], refusal: ShapeError
) -> Value:
    if isinstance(refusal, CallError) and any(map(_is_vague, (*args, *kwargs.values()))):
        return Unknown("arguments are unknown")
    why = partial(conflict_notes, run, node, name, args, kwargs, str(refusal), refusal.sizes)
    return run.report(code_of(refusal), node, str(refusal), why)


def _decided(run: Run, node: ast.AST, name: str | ModuleSpec, args: Any, kwargs: dict[str, Value]) -> Value:
    """What a rule says that is asked before torch; None where none does."""
    short, layer = short_name(name), None if isinstance(name, str) else name
    for rule in run.rules.before.get(short, layer):
        decided = rule(OperatorCall(run, node, short if layer is None else layer.name, args, kwargs, layer))
        if decided is not None:
            return decided
    return None


def _asked(run: Run, name: str | ModuleSpec, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """The answer of `ops`; what axis names have learnt is only put in where there would be none without it."""
    if run.autocasting:
        return cast(name, _autocast(name, args, kwargs))
    if not run.learned.in_use:
        return infer(name, *args, **kwargs)
    try:
        with assuming() as assumed:
            answer = infer(name, *args, **kwargs)
    except ShapeError:
        if not run.learned.sizes:
            raise
        known = {key: with_axis_bindings(run.learned.sizes, value) for key, value in kwargs.items()}
        return infer(name, *with_axis_bindings(run.learned.sizes, args), **known)
    if assumed:
        bind_axes(run.learned.sizes, assumed)
    return answer


def _autocast(name: str | ModuleSpec, args: list[Any], kwargs: dict[str, Any]) -> Any:
    try:
        return infer(name, *args, **kwargs)
    except DTypeError:
        return infer(name, *map(forgotten, args), **{key: forgotten(value) for key, value in kwargs.items()})


def code_of(refusal: ShapeError) -> str:
    """The diagnostic code for a refusal."""
    return next((code for kind, code in _CODES if isinstance(refusal, kind)), "shape-mismatch")


def _is_vague(value: Value) -> bool:
    """Whether an argument may be of another kind than it seems, so that a complaint about the call proves nothing."""
    given = to_ops(value)
    if isinstance(given, (list, tuple)):
        return any(map(_is_vague, given))
    return given is None or isinstance(given, Unknown) or (isinstance(given, TensorSpec) and given.dtype is None)


dispatch.torch_call = torch_call
