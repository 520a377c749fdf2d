"""`if`, `try` and `with`: blocks that may or may not run are branches."""

from __future__ import annotations

import ast
import sys
from functools import partial

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Never
from shapecheck.static.domain.unknown_options import is_on_option
from shapecheck.static.engine.dispatch import dispatch, evaluate, run_block
from shapecheck.static.engine.dry_effects import havoc_changes
from shapecheck.static.engine.run import Run
from shapecheck.static.models.python.special_methods import special
from shapecheck.static.narrowing.doubtful_outcomes import BOTH, doubtful_outcomes
from shapecheck.static.narrowing.mode_tests import may_be_decided_by_caller, outcomes_for_other_mode, part
from shapecheck.static.narrowing.narrow import narrow
from shapecheck.static.operators.autocast import entered
from shapecheck.static.operators.truth_values import tested
from shapecheck.static.provenance.written_conditions import is_on_written
from shapecheck.static.statements.library_imports import handles_import_error, lacks_import
from shapecheck.static.statements.operator_modes import replaces_operators
from shapecheck.static.statements.raising import may_swallow
from shapecheck.static.statements.safe_imports import cannot_fail

if sys.version_info >= (3, 11):
    TryStar = ast.TryStar
else:
    TryStar = ast.Try


def run_if(run: Run, node: ast.If) -> bool:
    """`if`: runs the branch that is taken, or both."""
    value, known = tested(run, node.test)
    if known is None and _is_main_guard(node.test):
        known = True
    if known is not None:
        return run_block(run, node.body if known else node.orelse)

    is_written = is_on_written(run, node.test, value)
    doubtful = BOTH if is_written else doubtful_outcomes(run, node.test, value)
    other_modes = outcomes_for_other_mode(run, node.test)
    is_of_caller = may_be_decided_by_caller(run, node.test, value)

    def branch(outcome: bool, body: list[ast.stmt]) -> tuple[bool, bool]:
        before = run.frame.other_modes
        with part(run, silent=outcome in doubtful, in_mode=outcome in other_modes, of_caller=is_of_caller):
            goes_on = narrow(run, node.test, outcome) and run_block(run, body)
        if not goes_on:
            run.frame.other_modes = before
        return goes_on, goes_on

    def taken() -> tuple[bool, bool]:
        return branch(True, node.body)

    def passed() -> tuple[bool, bool]:
        return branch(False, node.orelse)

    # Not through `partial`: Python 3.12 limits how deep its calls may be nested, as in a long chain of elif.
    going_on = run.branch(taken, passed)
    if any(going_on) and not all(going_on):
        if run.frame.function is not None and (is_written or is_on_option(run.frame.scope, node.test, value)):
            run.frame.is_doubtful = True
        if going_on[0] in other_modes and _returns(node.orelse if going_on[0] else node.body):
            run.frame.other_modes += 1  # what follows is like a branch for another mode
    return any(going_on)


def _returns(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], ast.Return)


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
        manager = evaluate(run, item.context_expr)
        values.append(manager)
        value = _entered(run, node, manager)
        if item.optional_vars is not None:
            dispatch.assign(run, item.optional_vars, Unknown("value of a context manager") if value is None else value)
    if any(may_swallow(run, item.context_expr, value) for item, value in zip(node.items, values, strict=True)):
        with run.silenced():
            return run_maybe(run, node.body)
    if any(map(replaces_operators, values)):
        with run.silenced():
            return run_block(run, node.body)
    with entered(run, node, values):
        return run_block(run, node.body)


def _entered(run: Run, node: ast.With, manager: Value) -> Value:
    """The value of a context manager. What an object of the project changes on entry and exit is unknown from then on.

    The block may leave in several ways, and what is changed on entry may be restored then.
    """
    enter, leave = special(manager, "__enter__"), special(manager, "__exit__")
    if enter is None or not isinstance(node, ast.With):
        return manager
    value = havoc_changes(run, lambda: dispatch.call(run, node, enter, (), {}))
    if leave is not None:
        havoc_changes(run, lambda: dispatch.call(run, node, leave, (None, None, None), {}))
    return manager if isinstance(value, Never) else value


def run_try(run: Run, node: ast.Try | TryStar) -> bool:
    """`try`: runs its body, and each handler as a branch."""

    body = [*node.body, *node.orelse]
    if not node.handlers or cannot_fail(node.body):
        goes_on = run_block(run, body)
    elif run.loaded.is_library and lacks_import(run, node.body):
        handlers = [partial(_run_handler, run, one) for one in node.handlers if handles_import_error(one)]
        goes_on = any(run.branch(*handlers)) if handlers else False
    else:
        # A failure may be expected there: a handler catches it.
        with run.silenced():
            branches = [partial(_run_body, run, body), *(partial(_run_handler, run, one) for one in node.handlers)]
            goes_on = any(run.branch(*branches))
    return run_block(run, node.finalbody) and goes_on


def _run_body(run: Run, body: list[ast.stmt]) -> tuple[bool, bool]:
    """The body of a `try` with handlers: it ends where it certainly fails."""
    frame, around = run.frame, run.frame.is_trying
    frame.is_trying = True
    try:
        return _run_branch(run, body)
    finally:
        frame.is_trying = around


def _run_handler(run: Run, node: ast.ExceptHandler) -> tuple[bool, bool]:
    """A handler, whose name exists only in it."""
    names = run.frame.names
    if node.name is not None:
        run.journal.write(names, node.name, Unknown("an exception"))
    result = _run_branch(run, node.body)
    if node.name is not None:
        run.journal.delete(names, node.name)
    return result
