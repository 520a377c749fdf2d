"""Findings of functions that depend on the options of the command line that the body of their module reads.

`args = parser.parse_args()` in the body gives each option its default, and a function that the body does not call runs
with what follows from that. Those who call it may choose other options: `if args.model == "tree": train_tree()`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import partial

from shapecheck.static.domain.objects import FunctionValue, Namespace
from shapecheck.static.engine.entry_defaults import EntryDefaults
from shapecheck.static.engine.findings import FindingKey
from shapecheck.static.engine.loading import SourceModule
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.scopes import unwatched
from shapecheck.static.engine.session import Body, Session
from shapecheck.static.entry.entry_runs import Found, run_once
from shapecheck.static.statements.imports import run_body

ByFunction = Sequence[tuple[FunctionValue, set[FindingKey]]]
"""The functions that were run as entry points, with the findings of each."""
RunFunction = Callable[[Run, FunctionValue], None]


def drop_with_options(
    session: Session, loaded: SourceModule, found: Found, by_function: ByFunction, enter: RunFunction
) -> None:
    """Drops the findings of functions that do not occur if the options that the body reads have unknown values."""
    options = _options(session.bodies[loaded])
    affected: dict[ast.AST, set[FindingKey]] = {one.node: keys for one, keys in by_function if keys} if options else {}
    if not affected:
        return
    again, names = Found(cold=found.cold.frozen()), Namespace(loaded)
    run = Run(session, defaults=EntryDefaults(options))
    entered: set[ast.AST] = set()

    def unobserved(inner: Run, function: FunctionValue) -> None:
        with unwatched(inner):
            enter(inner, function)

    def action() -> None:
        with unwatched(run):
            run_body(run, names)
        for value in list(names.fields.values()):
            if isinstance(value, FunctionValue) and value.node in affected and value.closure is names:
                entered.add(value.node)
                run_once(session, loaded, value.node, partial(unobserved, function=value), again)

    with session.origins.resting():
        run.journal.apart(lambda: run.safely(loaded, loaded.tree, action))
    for key in {key for node in entered for key in affected[node]} - again.findings.keys():
        found.findings.pop(key, None)
        found.doubtful.pop(key, None)


def _options(body: Body) -> frozenset[ast.AST]:
    return frozenset(node for node, one in body.used.items() if one.is_option)
