"""Warnings that code works only if two sizes are equal, or one is 1: dropped where the file itself shows more."""

from __future__ import annotations

import ast
from collections.abc import Container

from shapecheck.project.files import display_path
from shapecheck.project.tree_walk import walk
from shapecheck.static.engine.loading import SourceModule
from shapecheck.static.engine.session import Body
from shapecheck.static.entry.entry_runs import Found
from shapecheck.static.entry.variant_findings import CODE


def drop_conditional(found: Found, loaded: SourceModule, body: Body) -> None:
    """Drops such a warning where the call fails anyway, or in a function that the file calls with sizes that work."""
    path = display_path(loaded.path)
    places = {key[:-1] for key in (*found.findings, *body.findings) if key[-1] != CODE}
    conditional = {key: one for key, one in found.findings.items() if key[-1] == CODE}
    conditional |= {key: one for key, (one, _, _) in found.doubtful.items() if key[-1] == CODE}
    for key, finding in conditional.items():
        is_here = str(finding.diagnostic.path) == path
        if key[:-1] in places or (is_here and _is_executed(loaded, finding.diagnostic.line, body.called)):
            found.findings.pop(key, None)
            found.doubtful.pop(key, None)


def _is_executed(loaded: SourceModule, line: int, called: Container[object]) -> bool:
    """Whether the body of a module called a function of its file with this line."""
    functions = (one for one in walk(loaded.tree) if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)))
    return any(one in called for one in functions if one.lineno <= line <= (one.end_lineno or 0))
