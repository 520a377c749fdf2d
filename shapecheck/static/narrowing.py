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
from shapecheck.spec import Dim, ShapeError, TensorSpec, same
from shapecheck.spec.dtype import DType
from shapecheck.static.alternatives import one_of
from shapecheck.static.inputs import Given
from shapecheck.static.kinds import is_instance
from shapecheck.static.machine import Machine
from shapecheck.static.readable import is_readable, plain, read, refine
from shapecheck.static.tensor_facts import (
    is_size,
    learn_equal,
    learn_least,
    sizes_of,
    with_axis,
    with_dtype,
    with_least_rank,
    with_part,
    with_rank,
)
from shapecheck.static.torch_calls import outward
from shapecheck.static.truth import truth
from shapecheck.static.values import External, Value
from shapecheck.static.views import View, view_of

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
        about_tensor = _VIEWS.get((view.kind, op))
        if about_tensor is None:
            return True
        return refine(machine, view.place, partial(_of_tensor, machine, about_tensor, view, other))
    about_value = _VALUES.get(op)
    if about_value is None:
        return True
    return refine(machine, node, lambda value: about_value(machine, value, other))


def _of_tensor(machine: Machine, rule: _ViewRule, view: View, other: Value, value: Value) -> Value:
    if value is None:
        raise ShapeError("None has no shape")
    if type(value) in (Unknown, Given) and (view.torch_only or view.kind == "shape"):
        value = TensorSpec.anything()
    if not isinstance(value, TensorSpec):
        return value
    return rule(machine, value, view, other)


_ViewRule = Callable[[Machine, TensorSpec, View, Value], Value]


def _shape_is(machine: Machine, spec: TensorSpec, view: View, other: Value) -> Value:
    sizes = sizes_of(other)
    return spec if sizes is None else with_part(machine, spec, None, None, sizes)


def _part_is(machine: Machine, spec: TensorSpec, view: View, other: Value) -> Value:
    sizes = sizes_of(other)
    return spec if sizes is None else with_part(machine, spec, view.start, view.stop, sizes)


def _axis_is(machine: Machine, spec: TensorSpec, view: View, other: Value) -> Value:
    return with_axis(machine, spec, view.start or 0, other)


def _rank_is(machine: Machine, spec: TensorSpec, view: View, other: Value) -> Value:
    return with_rank(spec, other) if type(other) is int else spec


def _rank_is_not(machine: Machine, spec: TensorSpec, view: View, other: Value) -> Value:
    if spec.rank is not None and spec.rank == other:
        raise ShapeError(f"the rank is {other}")
    return spec  # of ranks that are left over nothing is concluded: the next may be as impossible


def _rank_at_least(machine: Machine, spec: TensorSpec, view: View, other: Value) -> Value:
    return with_least_rank(spec, other) if type(other) is int else spec


def _rank_above(machine: Machine, spec: TensorSpec, view: View, other: Value) -> Value:
    return with_least_rank(spec, other + 1) if type(other) is int else spec


def _rank_at_most(machine: Machine, spec: TensorSpec, view: View, other: Value) -> Value:
    if type(other) is not int:
        return spec
    if spec.shape.least_rank > other:
        raise ShapeError(f"the rank is at least {spec.shape.least_rank}")
    return with_rank(spec, other) if spec.shape.least_rank == other else spec


def _rank_below(machine: Machine, spec: TensorSpec, view: View, other: Value) -> Value:
    return _rank_at_most(machine, spec, view, other - 1) if type(other) is int else spec


def _rank_in(machine: Machine, spec: TensorSpec, view: View, other: Value) -> Value:
    ranks = sizes_of(other)
    if ranks is None or not all(type(one) is int for one in ranks):
        return spec
    if spec.rank is not None:
        if spec.rank not in ranks:
            raise ShapeError(f"the rank is {spec.rank}")
        return spec
    possible = [with_rank(spec, one) for one in dict.fromkeys(ranks) if one >= spec.shape.least_rank]
    if not possible:
        raise ShapeError(f"the rank is at least {spec.shape.least_rank}")
    return one_of(possible)


def _rank_not_in(machine: Machine, spec: TensorSpec, view: View, other: Value) -> Value:
    if spec.rank is not None and spec.rank in (sizes_of(other) or ()):
        raise ShapeError(f"the rank is {spec.rank}")
    return spec


def _dtype_is(machine: Machine, spec: TensorSpec, view: View, other: Value) -> Value:
    dtype = outward(other)
    return with_dtype(spec, dtype, same=True) if isinstance(dtype, DType) else spec


def _dtype_is_not(machine: Machine, spec: TensorSpec, view: View, other: Value) -> Value:
    dtype = outward(other)
    return with_dtype(spec, dtype, same=False) if isinstance(dtype, DType) else spec


_VIEWS: dict[tuple[str, type[ast.cmpop]], _ViewRule] = {
    ("shape", ast.Eq): _shape_is,
    ("part", ast.Eq): _part_is,
    ("axis", ast.Eq): _axis_is,
    ("length", ast.Eq): _axis_is,
    ("rank", ast.Eq): _rank_is,
    ("rank", ast.NotEq): _rank_is_not,
    ("rank", ast.Gt): _rank_above,
    ("rank", ast.GtE): _rank_at_least,
    ("rank", ast.Lt): _rank_below,
    ("rank", ast.LtE): _rank_at_most,
    ("rank", ast.In): _rank_in,
    ("rank", ast.NotIn): _rank_not_in,
    ("dtype", ast.Eq): _dtype_is,
    ("dtype", ast.NotEq): _dtype_is_not,
    ("dtype", ast.Is): _dtype_is,
    ("dtype", ast.IsNot): _dtype_is_not,
}


def _equals(machine: Machine, value: Value, other: Value) -> Value:
    """`a == b` of sizes, of tuples of sizes, and of texts."""
    if is_size(value) and is_size(other):
        learn_equal(machine, value, other)
    elif type(value) is tuple and type(other) is tuple:
        if len(value) != len(other):
            raise ShapeError("tuples of different lengths")
        for one, another in zip(value, other, strict=True):
            _equals(machine, one, another)
    elif isinstance(other, str) and (type(value) in (Unknown, Given) or isinstance(value, str)):
        if isinstance(value, str) and value != other:
            raise ShapeError("another text")
        return other
    elif value is None and isinstance(other, (int, float, str, tuple, Dim)):
        raise ShapeError("None is no number and no text")
    return value


def _differs(machine: Machine, value: Value, other: Value) -> Value:
    both_sizes = is_size(value) and is_size(other)
    if (both_sizes and same(value, other)) or (isinstance(value, str) and value == other):
        raise ShapeError("they are equal")
    return _is_not(machine, value, other) if other is None else value


def _is(machine: Machine, value: Value, other: Value) -> Value:
    if other is None and not isinstance(value, (Unknown, External)) and value is not None:
        raise ShapeError("it is not None")
    if isinstance(other, bool) and not isinstance(value, (Unknown, External)) and value is not other:
        raise ShapeError("it is another value")
    return other if other is None or isinstance(other, bool) else value


def _is_not(machine: Machine, value: Value, other: Value) -> Value:
    if (other is None or isinstance(other, bool)) and value is other:
        raise ShapeError("it is that value")
    return value


def _above(machine: Machine, value: Value, other: Value) -> Value:
    if type(other) is int:
        learn_least(machine, value, other + 1)
    return value


def _at_least(machine: Machine, value: Value, other: Value) -> Value:
    if type(other) is int:
        learn_least(machine, value, other)
    return value


def _in(machine: Machine, value: Value, other: Value) -> Value:
    choices = sizes_of(other)
    if choices is None or not all(isinstance(one, str) for one in choices) or not isinstance(value, str):
        return value
    if value not in choices:
        raise ShapeError("it is none of these")
    return value


def _not_in(machine: Machine, value: Value, other: Value) -> Value:
    if isinstance(value, str) and value in (sizes_of(other) or ()):
        raise ShapeError("it is one of these")
    return value


_VALUES: dict[type[ast.cmpop], Callable[[Machine, Value, Value], Value]] = {
    ast.Eq: _equals,
    ast.NotEq: _differs,
    ast.Is: _is,
    ast.IsNot: _is_not,
    ast.Gt: _above,
    ast.GtE: _at_least,
    ast.In: _in,
    ast.NotIn: _not_in,
}


def _call(machine: Machine, node: ast.Call, outcome: bool) -> bool:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
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
