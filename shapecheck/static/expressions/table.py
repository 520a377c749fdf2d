"""Which function says what an expression gives, by the kind of its node."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.static.calls.functions import function_value
from shapecheck.static.domain.values import Value
from shapecheck.static.engine.dispatch import EXPRESSIONS, evaluate
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.engine.machine import Machine
from shapecheck.static.expressions.calls import call_written
from shapecheck.static.expressions.comparisons import compare
from shapecheck.static.expressions.comprehensions import comprehension, dict_comprehension
from shapecheck.static.expressions.conditions import bool_op, if_exp
from shapecheck.static.expressions.displays import dict_display, joined_str, list_display, set_display, tuple_display
from shapecheck.static.expressions.lookups import attribute_read, name, slice_value, subscript_read
from shapecheck.static.expressions.operators import binary_node, unary


def _constant(machine: Machine, node: ast.Constant) -> Value:
    return node.value


def _lambda(machine: Machine, node: ast.Lambda) -> Value:
    return function_value(machine, node)


def _named(machine: Machine, node: ast.NamedExpr) -> Value:
    value = evaluate(machine, node.value)
    machine.journal.write(machine.frame.names, node.target.id, value)
    return value


def _yield(machine: Machine, node: ast.Yield) -> Value:
    machine.frame.yielded.append(None if node.value is None else evaluate(machine, node.value))
    return Unknown("what is sent into a generator")


def _yield_from(machine: Machine, node: ast.YieldFrom) -> Value:
    items = items_of(evaluate(machine, node.value))
    machine.frame.branched |= items is None
    machine.frame.yielded += items or []
    return Unknown("what a generator returns")


def _inner(machine: Machine, node: ast.Starred | ast.Await) -> Value:
    return evaluate(machine, node.value)


EXPRESSIONS |= {
    ast.Constant: _constant,
    ast.Name: name,
    ast.Tuple: tuple_display,
    ast.List: list_display,
    ast.Dict: dict_display,
    ast.Set: set_display,
    ast.BinOp: binary_node,
    ast.UnaryOp: unary,
    ast.BoolOp: bool_op,
    ast.Compare: compare,
    ast.IfExp: if_exp,
    ast.Attribute: attribute_read,
    ast.Subscript: subscript_read,
    ast.Slice: slice_value,
    ast.Call: call_written,
    ast.Lambda: _lambda,
    ast.ListComp: comprehension,
    ast.GeneratorExp: comprehension,
    ast.SetComp: comprehension,
    ast.DictComp: dict_comprehension,
    ast.JoinedStr: joined_str,
    ast.NamedExpr: _named,
    ast.Starred: _inner,
    ast.Await: _inner,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
}
