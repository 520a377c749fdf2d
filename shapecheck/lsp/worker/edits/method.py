"""Another call of the same tensor: `reshape` or `contiguous().view`, and `squeeze` of one dimension."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from shapecheck.lsp.messages import Replacement
from shapecheck.lsp.worker.candidate import Candidate, FixTarget
from shapecheck.static.engine.places import span

CODES = frozenset(("non-contiguous", "squeeze-batch", "direct-forward"))
_SQUEEZE = re.compile(r"use squeeze\((?P<dim>-?\d+)\)")


def candidates(found: FixTarget) -> Iterator[Candidate]:
    """The edits for one finding."""
    call = found.node
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return
    code, name, receiver = found.diagnostic.code, call.func.attr, call.func.value
    if code == "non-contiguous" and name == "view":
        yield Candidate("Replace view by reshape, which copies if necessary", (_renamed(found, call.func, "reshape"),))
        yield Candidate("Insert .contiguous() before view", (found.behind(receiver, ".contiguous()"),))
    elif code == "direct-forward" and name == "forward":
        end, start = span(found.analysis.module, call.func)[2:], span(found.analysis.module, receiver)[2:]
        yield Candidate(f"Call {found.text(receiver)}() instead of forward", (Replacement(*start, *end, ""),))
    elif code == "squeeze-batch" and (dim := _SQUEEZE.search(found.diagnostic.message)):
        yield Candidate(f"Squeeze dimension {dim['dim']} only", (_with_argument(found, call, dim["dim"]),))


def _renamed(found: FixTarget, function: ast.Attribute, name: str) -> Replacement:
    _, _, line, column = span(found.analysis.module, function)
    return Replacement(line, column - len(function.attr), line, column, name)


def _with_argument(found: FixTarget, call: ast.Call, text: str) -> Replacement:
    """Adds an argument at the end of a call."""
    last = call.args[-1] if call.args else None
    if last is not None:
        return found.behind(last, f", {text}")
    _, _, line, column = span(found.analysis.module, call)
    return Replacement(line, column - 1, line, column - 1, text)
