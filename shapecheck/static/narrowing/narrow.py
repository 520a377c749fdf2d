"""What a condition teaches, by how it came out: a small rule for each kind of condition.

`narrow` puts what is known into the places that the condition is about, and says whether it can come out so at all. It
is called in a branch of its own, after the condition was evaluated: the journal takes back what it has learnt.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import Any

from shapecheck.ops import Unknown
from shapecheck.spec import ShapeError, TensorSpec
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.runtime_types import is_instance
from shapecheck.static.domain.truth import truth
from shapecheck.static.domain.values import External, Value
from shapecheck.static.engine.machine import Machine
from shapecheck.static.engine.symbolic_inputs import Given
from shapecheck.static.narrowing.references import is_readable, plain, read, refine
from shapecheck.static.narrowing.tensor_reads import view_of
from shapecheck.static.narrowing.tensor_rules import VIEWS, narrowed_tensor
from shapecheck.static.narrowing.value_rules import VALUES

_MOST_OPERANDS = 4


def narrow(machine: Machine, node: ast.expr, outcome: bool) -> bool:
    """Takes over what holds where the condition came out as `outcome`; False where it cannot."""
    machine.step()
    rule = _RULES.get(type(node))
    return True if rule is None else rule(machine, node, outcome)


def _place(machine: Machine, node: ast.expr, outcome: bool) -> bool:
    """`if mask:` - where it holds, it is not None, nor empty."""

    def change(value: Value) -> Value:
        if truth(value) is (not outcome):
            raise ShapeError("it counts as the opposite")
        return value

    return refine(machine, node, change)


def _not(machine: Machine, node: ast.UnaryOp, outcome: bool) -> bool:
    return narrow(machine, node.operand, not outcome) if isinstance(node.op, ast.Not) else True


def _bool_op(machine: Machine, node: ast.BoolOp, outcome: bool) -> bool:
    if isinstance(node.op, ast.And) is outcome:
        return all(narrow(machine, one, outcome) for one in node.values)
    if len(node.values) > _MOST_OPERANDS:
        return True
    return any(
        machine.branch(*(partial(_first, machine, node.values[: n + 1], outcome) for n in range(len(node.values))))
    )


def _first(machine: Machine, operands: list[ast.expr], outcome: bool) -> tuple[bool, bool]:
    """The last of these is the first operand that decides, the others came out the other way."""
    *before, last = operands
    possible = all(narrow(machine, one, not outcome) for one in before) and narrow(machine, last, outcome)
    return possible, possible


def _named(machine: Machine, node: ast.NamedExpr, outcome: bool) -> bool:
    return narrow(machine, node.target, outcome) and narrow(machine, node.value, outcome)


def _compare(machine: Machine, node: ast.Compare, outcome: bool) -> bool:
    if len(node.ops) > 1 and not outcome:
        return True
    if len(node.ops) == 1:
        return _compared(machine, type(node.ops[0]), node.left, node.comparators[0], outcome)
    operands = [node.left, *node.comparators]
    pairs = zip(node.ops, operands, operands[1:], strict=False)
    return all(_compared(machine, type(op), left, right, outcome) for op, left, right in pairs)


_NEGATED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.Is: ast.IsNot,
    ast.In: ast.NotIn,
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
}
_NEGATED |= {after: before for before, after in _NEGATED.items()}
_MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
    ast.Lt: ast.Gt,
    ast.Gt: ast.Lt,
    ast.LtE: ast.GtE,
    ast.GtE: ast.LtE,
    ast.Is: ast.Is,
    ast.IsNot: ast.IsNot,
}


def _compared(machine: Machine, op: type[ast.cmpop], left: ast.expr, right: ast.expr, outcome: bool) -> bool:
    if not outcome:
        op = _NEGATED[op]
    if not isinstance(left, ast.Constant) and not _one_side(machine, op, left, read(machine, right)):
        return False
    if op not in _MIRRORED or isinstance(right, ast.Constant):
        return True
    return _one_side(machine, _MIRRORED[op], right, read(machine, left))


def _one_side(machine: Machine, op: type[ast.cmpop], node: ast.expr, other: Value) -> bool:
    """What `node op other` teaches of the left side, the other side being this value."""
    view = view_of(node)
    if view is not None and is_readable(plain(view.place)):
        about_tensor = VIEWS.get((view.kind, op))
        if about_tensor is None:
            return True
        return refine(machine, view.place, partial(narrowed_tensor, machine, about_tensor, view, other))
    about_value = VALUES.get(op)
    if about_value is None:
        return True
    return refine(machine, node, lambda value: about_value(machine, value, other))


def _call(machine: Machine, node: ast.Call, outcome: bool) -> bool:
    name = last_name(node.func)
    if name in ("isinstance", "is_tensor") and node.args:
        kinds = External("torch.Tensor") if name == "is_tensor" else read(machine, node.args[-1])
        return refine(machine, node.args[0], lambda value: _of_kind(value, kinds, outcome))
    rule = _METHODS.get(name)
    if rule is None or not isinstance(node.func, ast.Attribute) or node.args:
        return True
    return refine(machine, node.func.value, lambda value: rule(value, outcome))


def _of_kind(value: Value, kinds: Value, outcome: bool) -> Value:
    if is_instance(value, kinds) is (not outcome):
        raise ShapeError("it is of another kind")
    asked = isinstance(kinds, External) and kinds.name == "torch.Tensor"
    return TensorSpec.anything() if asked and outcome and type(value) in (Unknown, Given) else value


def _is_contiguous(value: Value, outcome: bool) -> Value:
    if outcome and isinstance(value, TensorSpec) and value.layout == "unknown":
        return value.with_layout("contiguous")
    return value


def _is_floating(value: Value, outcome: bool) -> Value:
    known = isinstance(value, TensorSpec) and value.dtype is not None
    if known and value.dtype.is_floating is not outcome:
        raise ShapeError(f"it is {value.dtype}")
    return value


_METHODS: dict[str, Callable[[Value, bool], Value]] = {
    "is_contiguous": _is_contiguous,
    "is_floating_point": _is_floating,
}
_RULES: dict[type[ast.expr], Callable[[Machine, Any, bool], bool]] = {
    ast.Name: _place,
    ast.Attribute: _place,
    ast.Subscript: _place,
    ast.UnaryOp: _not,
    ast.BoolOp: _bool_op,
    ast.NamedExpr: _named,
    ast.Compare: _compare,
    ast.Call: _call,
}
