"""The functions that run statements, by the kind of the node. Each returns whether execution continues after it."""

from __future__ import annotations

import ast
import sys

from shapecheck.project.observed_code import AsyncFunctionDef, FunctionDef
from shapecheck.static.calls.functions import leave_function
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.correlated_conditions import CorrelatedIfs
from shapecheck.static.domain.truth import truth
from shapecheck.static.engine.dispatch import STATEMENTS, evaluate
from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.asserts import report_false
from shapecheck.static.narrowing.narrow import narrow
from shapecheck.static.operators.truth_values import tested
from shapecheck.static.statements.assignment import ann_assign, assign_each, delete
from shapecheck.static.statements.augmented import aug_assign
from shapecheck.static.statements.branches import run_if, run_try, run_with
from shapecheck.static.statements.conditional_expressions import as_statement
from shapecheck.static.statements.correlated import run_correlated
from shapecheck.static.statements.definitions import (
    bind_outside,
    define_class,
    define_function,
    import_modules,
)
from shapecheck.static.statements.loop_exits import leave
from shapecheck.static.statements.loops import run_for, run_while
from shapecheck.static.statements.matching import run_match
from shapecheck.static.statements.raising import ends


def _expr(run: Run, node: ast.Expr) -> bool:
    """An expression; a call that never returns ends the function."""
    if type(node.value) is ast.IfExp:
        return run_if(run, as_statement(node.value))
    value = evaluate(run, node.value)
    if type(node.value) is ast.Call:
        for rule in run.rules.discarded.get(last_name(node.value.func)):
            rule(run, node.value, value)
    return not ends(run, value, node.value)


def _return(run: Run, node: ast.Return) -> bool:
    value = None if node.value is None else evaluate(run, node.value)
    if ends(run, value):
        return False
    frame = run.frame
    if frame.agreement is not None:
        value = frame.agreement.checked_result(node, value)
    leave_function(run, value)
    for rule in run.rules.returned.get(getattr(frame.function, "name", "")):
        rule(run, node, value)
    return False


def _raise(run: Run, node: ast.Raise) -> bool:
    return False


def _assert(run: Run, node: ast.Assert) -> bool:
    known = truth(tested(run, node.test)[0])
    if known or (known is None and narrow(run, node.test, True)):
        return True
    report_false(run, node.test)
    return False


def _leave(run: Run, node: ast.Break | ast.Continue) -> bool:
    leave(run, node)
    return False


STATEMENTS |= {
    ast.Assign: assign_each,
    ast.AnnAssign: ann_assign,
    ast.AugAssign: aug_assign,
    ast.Expr: _expr,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.If: run_if,
    CorrelatedIfs: run_correlated,
    ast.For: run_for,
    ast.AsyncFor: run_for,
    ast.While: run_while,
    ast.With: run_with,
    ast.AsyncWith: run_with,
    ast.Try: run_try,
    ast.FunctionDef: define_function,
    ast.AsyncFunctionDef: define_function,
    FunctionDef: define_function,
    AsyncFunctionDef: define_function,
    ast.ClassDef: define_class,
    ast.Global: bind_outside,
    ast.Nonlocal: bind_outside,
    ast.Import: import_modules,
    ast.ImportFrom: import_modules,
    ast.Assert: _assert,
    ast.Delete: delete,
    ast.Break: _leave,
    ast.Continue: _leave,
    ast.Match: run_match,
}
if sys.version_info >= (3, 11):
    STATEMENTS[ast.TryStar] = run_try
if sys.version_info >= (3, 12):
    from shapecheck.static.statements.definitions import define_type_alias

    STATEMENTS[ast.TypeAlias] = define_type_alias
