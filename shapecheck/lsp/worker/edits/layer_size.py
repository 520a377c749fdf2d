"""The number in the call that built a layer, if the layer expects another size than it receives."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from shapecheck.lsp.worker.candidate import Candidate, Found
from shapecheck.lsp.worker.syntax import at

CODES = frozenset(("shape-mismatch",))
_SIZES = re.compile(r"to be (?P<old>\d+), got (?P<new>\d+)\b")
_BUILT = re.compile(r"layer expects (?P<size>\d+)")


def candidates(found: Found) -> Iterator[Candidate]:
    """The edits for one finding."""
    sizes = _SIZES.search(found.diagnostic.message)
    for note in found.diagnostic.notes if sizes else ():
        built = _BUILT.match(note.message)
        if sizes is None or built is None or built["size"] != sizes["old"]:
            continue
        if Path(note.path).absolute() != found.analysis.path:
            continue
        call = at(found.analysis.module, note.line, note.column)
        around = [one for one in call.path if isinstance(one, ast.Call) and one.lineno == note.line]
        for one in _numbers(around[-1] if around else None, int(sizes["old"])):
            yield Candidate(f"Replace {sizes['old']} by {sizes['new']} where the layer is built", (found.instead(one, sizes["new"]),))


def _numbers(call: ast.Call | None, value: int) -> list[ast.expr]:
    """The arguments of a call that are a number, if it is one."""
    given = [] if call is None else [*call.args, *(one.value for one in call.keywords)]
    return [one for one in given if isinstance(one, ast.Constant) and type(one.value) is int and one.value == value][:1]
