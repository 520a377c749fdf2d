"""The example code of a module, `if __name__ == "__main__":` at its end, whose calls can be memoized.

The body of a module records origins, because it runs once, and its calls cannot be memoized, because functions read
names of the module that change while it runs. Nothing outside of such a block reads the names that it binds. So it
runs first without origins, with names of its own, and only if that leads to a finding once more as any other statement.
"""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterator
from contextlib import suppress

from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.objects import Namespace, allocation_ids
from shapecheck.static.engine.budget import OutOfSteps
from shapecheck.static.engine.dispatch import run_block
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.journal import Changes
from shapecheck.static.engine.loading import SourceModule
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.session import NotedFindings

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_READING_ALL_NAMES = ("globals", "exec", "eval", "vars", "locals")
_INLINE = ("lambda", "listcomp", "setcomp", "dictcomp", "genexpr")
"""Scopes that cannot contain statements, as `symtable` names them."""


def run_main_guard(run: Run, names: Namespace) -> None:
    """Runs the block at the end of a module that it keeps to itself."""
    guard, cold = names.loaded.tree.body[-1], run.cold.copy()
    changes = _tried(run, names, [guard])
    if changes is not None:
        run.journal.apply(changes)
    else:
        with run.scope(cold=cold):
            run_block(run, [guard])


def _tried(run: Run, names: Namespace, block: list[ast.stmt]) -> Changes | None:
    """The changes of running a block without origins; None if it has findings or exceeds a limit."""
    began, budget = next(allocation_ids), run.budget
    own = Namespace(names.loaded, names)
    steps, expanded = budget.steps, set(budget.expanded)

    def action() -> None:
        run_block(run, block)
        for name, value in own.fields.items():
            run.journal.write(names, name, value)

    changes, run.journal.began = None, began
    with (
        run.session.origins.resting(),
        NotedFindings(run.session) as noted,
        run.scope(findings={}, frames=[Frame(own)], closed_since=began),
        suppress(OutOfSteps, RecursionError),
    ):
        _, changes = run.journal.tried(action)
    run.journal.began = 0
    if changes is not None and not noted.any:
        return changes
    budget.steps, budget.expanded = steps, expanded
    return None


def ends_in_main_guard(loaded: SourceModule) -> bool:
    """Whether the last statement of a module is such a block, and nothing else reads the names that it binds."""
    body = loaded.tree.body
    if "__main__" not in loaded.text or not body or not _is_main_guard(body[-1]):
        return False
    if any(isinstance(one, _DEFINITIONS) for one in walk(body[-1])):
        return False
    if any(f"{name}(" in loaded.text for name in _READING_ALL_NAMES):
        return False
    try:
        table = symtable.symtable(loaded.text, loaded.source.display, "exec")
    except (SyntaxError, ValueError, RecursionError):
        return False
    return _bound_in(body[-1]).isdisjoint(_read_by_functions(table, body[-1].lineno))


def _is_main_guard(node: ast.stmt) -> bool:
    if not isinstance(node, ast.If) or node.orelse or not isinstance(node.test, ast.Compare):
        return False
    sides = (node.test.left, *node.test.comparators)
    read = {one.id for one in sides if isinstance(one, ast.Name)}
    written = {one.value for one in sides if isinstance(one, ast.Constant)}
    return isinstance(node.test.ops[0], ast.Eq) and read == {"__name__"} and written == {"__main__"}


def _bound_in(node: ast.stmt) -> set[str]:
    """The names that a block without definitions may bind or delete."""
    found: set[str] = set()
    for one in walk(node):
        if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load):
            found.add(one.id)
        elif isinstance(one, ast.alias):
            found.add((one.asname or one.name).partition(".")[0])
        elif isinstance(one, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and one.name is not None:
            found.add(one.name)
    return found


def _read_by_functions(table: symtable.SymbolTable, end: int) -> Iterator[str]:
    """The names of the module that functions and classes before a line use."""
    for inner in table.get_children():
        if inner.get_name() in _INLINE and inner.get_lineno() >= end:
            continue
        yield from (one.get_name() for one in inner.get_symbols() if one.is_global())
        yield from _read_by_functions(inner, end)
