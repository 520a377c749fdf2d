"""Warnings that code works only if two sizes are equal: dropped where the file itself shows more."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from shapecheck.static.engine.session import Body
from shapecheck.static.entry.entry_runs import Found
from shapecheck.static.entry.variant_findings import CODE


def drop_conditional(found: Found, body: Body) -> None:
    """Drops such a warning where the call fails anyway, or in a function that the file calls with sizes that work."""
    places = {key[:-1] for key in (*found.findings, *body.findings) if key[-1] != CODE}
    conditional = {key: one for key, one in found.findings.items() if key[-1] == CODE}
    conditional |= {key: one for key, (one, _, _) in found.doubtful.items() if key[-1] == CODE}
    for key, finding in conditional.items():
        if key[:-1] in places or _is_executed(finding.diagnostic.line, body.called):
            found.findings.pop(key, None)
            found.doubtful.pop(key, None)


def _is_executed(line: int, called: Iterable[object]) -> bool:
    """Whether the body of the module called a function with this line."""
    functions = (one for one in called if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)))
    return any(one.lineno <= line <= (one.end_lineno or 0) for one in functions)
