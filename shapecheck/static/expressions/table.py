"""The functions that evaluate expressions, by the kind of the node."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.static.calls.functions import function_value
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.dispatch import EXPRESSIONS, evaluate
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.engine.run import Run
from shapecheck.static.expressions.calls import call_written
from shapecheck.static.expressions.comparisons import compare
from shapecheck.static.expressions.comprehensions import comprehension, dict_comprehension
from shapecheck.static.expressions.conditions import bool_op, if_exp
from shapecheck.static.expressions.displays import dict_display, joined_str, list_display, set_display, tuple_display
from shapecheck.static.expressions.lookups import attribute_read, name, slice_value, subscript_read
from shapecheck.static.expressions.operators import binary_node, unary


def _constant(run: Run, node: ast.Constant) -> Value:
    return node.value


def _lambda(run: Run, node: ast.Lambda) -> Value:
    return function_value(run, node)


def _named(run: Run, node: ast.NamedExpr) -> Value:
    value = evaluate(run, node.value)
    frame = run.frame  # in a comprehension, the name is one of the function
    run.journal.write(frame.outer.get(node.target.id, frame.names), node.target.id, value)
    return value


def _yield(run: Run, node: ast.Yield) -> Value:
    run.frame.yielded.append(None if node.value is None else evaluate(run, node.value))
    return Unknown("value sent into a generator")


def _yield_from(run: Run, node: ast.YieldFrom) -> Value:
    items = items_of(evaluate(run, node.value))
    run.frame.branched |= items is None
    run.frame.yielded += items or []
    return Unknown("return value of a generator")


def _inner(run: Run, node: ast.Starred | ast.Await) -> Value:
    return evaluate(run, node.value)


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
