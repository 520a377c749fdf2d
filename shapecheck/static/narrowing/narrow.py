"""Narrowing by a condition and its outcome: one small rule for each kind of condition.

`narrow` refines the values in the places that the condition reads, and returns whether the outcome is possible. It is
called in a branch of its own, after the condition was evaluated: the journal undoes the refinement.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import Any

from shapecheck.ops import Unknown
from shapecheck.spec import ShapeError, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.array_likes import mark_of, proven
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.runtime_types import is_instance, may_differ
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.domain.truth import truth
from shapecheck.static.domain.values import ExternalReference, TypeOf
from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.attribute_tests import with_attribute
from shapecheck.static.narrowing.dtype_tests import DTYPE_TESTS
from shapecheck.static.narrowing.predicates import narrow_by_predicate, predicate_of
from shapecheck.static.narrowing.references import is_readable, plain, read, refine
from shapecheck.static.narrowing.sparse_tensors import is_sparse_layout, without_layout
from shapecheck.static.narrowing.tensor_reads import tensor_read_of
from shapecheck.static.narrowing.tensor_rules import TENSOR_RULES, narrowed_tensor
from shapecheck.static.narrowing.value_rules import VALUE_RULES
from shapecheck.static.narrowing.written_lengths import differ_in_length

_MOST_OPERANDS = 4


def narrow(run: Run, node: ast.expr, outcome: bool) -> bool:
    """Narrows by a condition that evaluated to `outcome`; False if that is impossible."""
    run.step()
    rule = _RULES.get(type(node))
    return True if rule is None else rule(run, node, outcome)


def _place(run: Run, node: ast.expr, outcome: bool) -> bool:
    """`if mask:`: the value has the truth of the outcome."""
    if outcome and isinstance(node, ast.Attribute) and node.attr in _WITHOUT_LAYOUT:
        return refine(run, node.value, without_layout)
    owner = node.value if isinstance(node, ast.Attribute) else None
    rule = DTYPE_TESTS.get(node.attr) if isinstance(node, ast.Attribute) else None
    if rule is not None and isinstance(owner, ast.Attribute) and owner.attr == "dtype":
        return refine(run, owner.value, lambda value: rule(value, outcome))

    def change(value: Value) -> Value:
        if truth(value) is (not outcome):
            raise ShapeError("the value has the opposite truth value")
        return value

    return refine(run, node, change)


_WITHOUT_LAYOUT = frozenset(("is_sparse", "is_sparse_csr", "is_nested"))


def _not(run: Run, node: ast.UnaryOp, outcome: bool) -> bool:
    return narrow(run, node.operand, not outcome) if isinstance(node.op, ast.Not) else True


def _bool_op(run: Run, node: ast.BoolOp, outcome: bool) -> bool:
    if isinstance(node.op, ast.And) is outcome:
        return all(narrow(run, one, outcome) for one in node.values)
    if len(node.values) > _MOST_OPERANDS:
        return True
    return any(
        run.branch(*(partial(_decided_by_last, run, node.values[: n + 1], outcome) for n in range(len(node.values))))
    )


def _bin_op(run: Run, node: ast.BinOp, outcome: bool) -> bool:
    """`a & b` is true only if both are, and `a | b` is false only if both are."""
    if isinstance(node.op, ast.BitAnd if outcome else ast.BitOr):
        return narrow(run, node.left, outcome) and narrow(run, node.right, outcome)
    return True


def _decided_by_last(run: Run, operands: list[ast.expr], outcome: bool) -> tuple[bool, bool]:
    """The last operand decides, and all before it have the opposite outcome."""
    *before, last = operands
    possible = all(narrow(run, one, not outcome) for one in before) and narrow(run, last, outcome)
    return possible, possible


def _named_expression(run: Run, node: ast.NamedExpr, outcome: bool) -> bool:
    return narrow(run, node.target, outcome) and narrow(run, node.value, outcome)


def _compare(run: Run, node: ast.Compare, outcome: bool) -> bool:
    if len(node.ops) > 1 and not outcome:
        return True
    if len(node.ops) == 1:
        return _compared(run, type(node.ops[0]), node.left, node.comparators[0], outcome)
    operands = [node.left, *node.comparators]
    pairs = zip(node.ops, operands, operands[1:], strict=False)
    return all(_compared(run, type(op), left, right, outcome) for op, left, right in pairs)


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


def _compared(run: Run, op: type[ast.cmpop], left: ast.expr, right: ast.expr, outcome: bool) -> bool:
    if not outcome:
        op = _NEGATED[op]
    if op is ast.Eq and differ_in_length(run, left, right):
        return False
    if not isinstance(left, ast.Constant) and not _narrow_side(run, op, left, read(run, right)):
        return False
    if op not in _MIRRORED or isinstance(right, ast.Constant):
        return True
    return _narrow_side(run, _MIRRORED[op], right, read(run, left))


def _narrow_side(run: Run, op: type[ast.cmpop], node: ast.expr, other: Value) -> bool:
    """Narrows the left side of `node op other`, given the value of the other side."""
    view = tensor_read_of(node)
    if view is not None and is_readable(plain(view.place)):
        about_tensor = TENSOR_RULES.get((view.kind, op))
        if about_tensor is None:
            return True
        return refine(run, view.place, partial(narrowed_tensor, run, about_tensor, view, other))
    if isinstance(node, ast.Attribute) and node.attr == "layout" and is_sparse_layout(op, other):
        return refine(run, node.value, without_layout)
    about_value = VALUE_RULES.get(op)
    if about_value is None:
        return True
    return refine(run, node, lambda value: about_value(run, value, other))


def _call(run: Run, node: ast.Call, outcome: bool) -> bool:
    name = last_name(node.func)
    predicate = None if name in ("isinstance", "hasattr") else predicate_of(run, node)
    if predicate is not None:
        return narrow_by_predicate(run, node, predicate, outcome, narrow)
    if name in ("isinstance", "is_tensor") and node.args:
        types = ExternalReference("torch.Tensor") if name == "is_tensor" else read(run, node.args[-1])
        return refine(run, node.args[0], lambda value: _of_type(value, types, outcome))
    if name == "hasattr" and len(node.args) == 2:
        attribute, receiver = read(run, node.args[1]), run.frame.names.fields.get("self")
        return refine(
            run, node.args[0], lambda value: value if value is receiver else with_attribute(value, attribute, outcome)
        )
    rule = _METHODS.get(name)
    if rule is None or not isinstance(node.func, ast.Attribute) or len(node.args) > 1:
        return True
    if node.args:  # torch.is_complex(x)
        return refine(run, node.args[0], lambda value: rule(_as_tensor(value), outcome))
    return refine(run, node.func.value, lambda value: rule(value, outcome))


def _as_tensor(value: Value) -> Value:
    return TensorSpec.anything() if type(value) in (Unknown, SymbolicArgument) else value


def _of_type(value: Value, types: Value, outcome: bool) -> Value:
    verdict = is_instance(value, types)
    if verdict is (not outcome):
        raise ShapeError("the value has a different type")
    if outcome and verdict is None and may_differ(value, types):
        return Unknown("an object of an unknown type")
    if not outcome or not _is_of_tensors(types):
        return value
    if isinstance(value, TensorSpec):
        return value if mark_of(value) is None else proven(value)
    return _as_tensor(value)


def _is_of_tensors(types: Value) -> bool:
    """Whether only tensors are instances of a type, such as `type(x)` of a tensor."""
    if isinstance(types, TypeOf):
        return isinstance(types.value, TensorSpec)
    return isinstance(types, ExternalReference) and types.name == "torch.Tensor"


def _is_contiguous(value: Value, outcome: bool) -> Value:
    if outcome and isinstance(value, TensorSpec) and value.layout == "unknown":
        return value.with_layout("contiguous")
    return value


_METHODS: dict[str, Callable[[Value, bool], Value]] = {"is_contiguous": _is_contiguous, **DTYPE_TESTS}
# Any: each rule takes the kind of node under which it is registered.
_RULES: dict[type[ast.expr], Callable[[Run, Any, bool], bool]] = {
    ast.Name: _place,
    ast.Attribute: _place,
    ast.Subscript: _place,
    ast.UnaryOp: _not,
    ast.BoolOp: _bool_op,
    ast.BinOp: _bin_op,
    ast.NamedExpr: _named_expression,
    ast.Compare: _compare,
    ast.Call: _call,
}
