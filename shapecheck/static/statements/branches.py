"""`if`, `try` and `with`: blocks that may or may not run are branches."""

from __future__ import annotations

import ast
from functools import partial

from shapecheck.ops import Unknown
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.truth import truth
from shapecheck.static.engine.dispatch import dispatch, evaluate, run_block
from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.narrow import narrow
from shapecheck.static.operators.autocast import entered
from shapecheck.static.statements.safe_imports import cannot_fail


def run_if(run: Run, node: ast.If) -> bool:
    """`if`: runs the branch that is taken, or both."""
    known = truth(evaluate(run, node.test))
    if known is None and _is_main_guard(node.test):
        known = True
    if known is not None:
        return run_block(run, node.body if known else node.orelse)

    def taken() -> tuple[bool, bool]:
        goes_on = narrow(run, node.test, True) and run_block(run, node.body)
        return goes_on, goes_on

    def passed() -> tuple[bool, bool]:
        goes_on = narrow(run, node.test, False) and run_block(run, node.orelse)
        return goes_on, goes_on

    # Not through `partial`: Python 3.12 limits how deep its calls may be nested, as in a long chain of elif.
    return any(run.branch(taken, passed))


def _is_main_guard(node: ast.expr) -> bool:
    return isinstance(node, ast.Compare) and isinstance(node.left, ast.Name) and node.left.id == "__name__"


def run_maybe(run: Run, body: list[ast.stmt]) -> bool:
    """Runs statements that may not be executed, as a branch."""

    if body:
        run.branch(partial(_run_branch, run, body), lambda: (True, True))
    return True


def _run_branch(run: Run, body: list[ast.stmt]) -> tuple[bool, bool]:
    """Runs the statements of a branch, whose result is whether execution continues after it."""
    goes_on = run_block(run, body)
    return goes_on, goes_on


def run_with(run: Run, node: ast.With) -> bool:
    """`with`."""
    values = []
    for item in node.items:
        value = evaluate(run, item.context_expr)
        values.append(value)
        if item.optional_vars is not None:
            dispatch.assign(run, item.optional_vars, Unknown("value of a context manager") if value is None else value)
    if any(map(_expects_failure, node.items)):
        with run.silenced():
            return run_maybe(run, node.body)
    with entered(run, node, values):
        return run_block(run, node.body)


_EXPECTING_FAILURE = frozenset("raises suppress assertRaises assertRaisesRegex".split())


def _expects_failure(item: ast.withitem) -> bool:
    """Whether it is `with pytest.raises(...)` or the like: the body may end anywhere."""
    call = item.context_expr
    return isinstance(call, ast.Call) and last_name(call.func) in _EXPECTING_FAILURE


def run_try(run: Run, node: ast.Try) -> bool:
    """`try`: runs its body, and each handler as a branch."""

    body = [*node.body, *node.orelse]
    if not node.handlers or cannot_fail(node.body):
        goes_on = run_block(run, body)
    else:
        # A failure may be expected there: a handler catches it.
        with run.silenced():
            bodies = (body, *(one.body for one in node.handlers))
            goes_on = any(run.branch(*(partial(_run_branch, run, one) for one in bodies)))
    return run_block(run, node.finalbody) and goes_on
