"""Where control does not continue: calls that never return, failures in a `try`, and blocks that expect a failure."""

from __future__ import annotations

import ast

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.ops import Other, Unknown
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.own_scope import in_own_scope
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Never, NoReturn, members_of
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.objects import FunctionValue, Instance
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.run import Run
from shapecheck.static.models.python.exits import EXPECTED_FAILURE, EXPECTING_FAILURE
from shapecheck.static.narrowing.references import read

_SWALLOWING = lazy_pattern("raises|suppress|swallow|ignore_?(error|exception)|expect_?(fail|error|exception)")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_EXITING_METHODS = frozenset(("fail", "skipTest"))


def ends(run: Run, value: Value, node: ast.expr | None = None) -> bool:
    """Whether a statement with this value, of this expression if it is one, ends the execution of its block.

    A call that never returns does. A failure is reported instead, and execution continues for further findings; only in
    a `try`, where it is not reported, it ends the block.
    """
    frame = run.frame
    if isinstance(value, Never):
        return frame.is_trying or (isinstance(value, NoReturn) and frame.function is not None)
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is_exit(node, node.func)


def _is_exit(node: ast.Call, function: ast.Attribute) -> bool:
    """Whether it is a method by which a test case ends the test, or enters a context that expects a failure."""
    if function.attr in _EXITING_METHODS:
        return isinstance(function.value, ast.Name) and function.value.id == "self"
    return function.attr == "enter_context" and any(map(_names_failure, node.args))


def may_swallow(run: Run, node: ast.expr, value: Value) -> bool:
    """Whether a context manager may handle an exception of the block: `pytest.raises`, `contextlib.suppress`, ..."""
    if any(isinstance(one, Other) and one.kind == EXPECTED_FAILURE for one in members_of(value)):
        return True
    if _names_failure(node) or _is_parameter(run, node, value):
        return True
    if isinstance(value, Instance):
        leave = next((one.fields["__exit__"] for one in value.cls.mro() if "__exit__" in one.fields), None)
        return isinstance(leave, FunctionValue) and _may_return_true(leave.node)
    callee = read(run, node.func) if isinstance(node, ast.Call) and not isinstance(value, Other) else None
    return isinstance(callee, FunctionValue) and _handles_failure(callee.node)


def _is_parameter(run: Run, node: ast.expr, value: Value) -> bool:
    """Whether it is an argument of the function that nothing is known about, such as the expectation of a test."""
    function = run.frame.function
    if type(node) is not ast.Name or not isinstance(value, Unknown):
        return False
    return isinstance(function, _FUNCTIONS) and any(node.id == one.name for one in parameters_of(function.args))


@cached_on_node
def _names_failure(node: ast.expr) -> bool:
    """Whether the name of a call in it says that the block may fail."""
    names = (last_name(one.func) for one in walk(node) if isinstance(one, ast.Call))
    return any(name in EXPECTING_FAILURE or _SWALLOWING.search(name.lower()) for name in names)


@cached_on_node
def _may_return_true(node: ast.AST) -> bool:
    """Whether an `__exit__` may return something true, so that the exception is handled."""
    returned = [one.value for one in in_own_scope(node) if isinstance(one, ast.Return)]
    return not all(one is None or (isinstance(one, ast.Constant) and not one.value) for one in returned)


def _raises(handler: ast.ExceptHandler) -> bool:
    return isinstance(handler.body[-1], ast.Raise)


@cached_on_node
def _handles_failure(node: ast.AST) -> bool:
    """Whether a generator has a `yield` in a `try` with a handler that does not raise again."""
    tries = (one for one in in_own_scope(node) if isinstance(one, ast.Try) and not all(map(_raises, one.handlers)))
    return any(isinstance(inner, ast.Yield) for one in tries for part in one.body for inner in walk(part))
