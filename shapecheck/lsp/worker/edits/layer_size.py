"""The number in the call that built a layer, if the layer expects another size than it receives."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from shapecheck.lsp.worker.candidate import Candidate, FixTarget
from shapecheck.lsp.worker.syntax import at

CODES = frozenset(("shape-mismatch",))
_SIZES = re.compile(r"to be (?P<old>\d+), got (?P<new>\d+)\b")
_ORIGIN = re.compile(r"(?P<size>\d+) comes from (?P<name>\w+)=")
_BUILT = re.compile(r"layer expects (?P<size>\d+)")


def candidates(found: FixTarget) -> Iterator[Candidate]:
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
            for text in (*_names(found, call.function, sizes["new"]), sizes["new"]):
                title = f"Replace {sizes['old']} by {text} where the layer is built"
                yield Candidate(title, (found.instead(one, text),))


def _names(found: FixTarget, function: ast.AST | None, size: str) -> Iterator[str]:
    """The parameters of the function that builds the layer from which the other size comes."""
    names = {one.arg for one in ast.walk(function) if isinstance(one, ast.arg)} if function is not None else set()
    for note in found.diagnostic.notes:
        origin = _ORIGIN.match(note.message)
        if origin is not None and origin["size"] == size and origin["name"] in names:
            yield origin["name"]


def _numbers(call: ast.Call | None, value: int) -> list[ast.Constant]:
    """The arguments of a call that are a number, if it is one."""
    given = [] if call is None else [*call.args, *(one.value for one in call.keywords)]
    return [one for one in given if isinstance(one, ast.Constant) and type(one.value) is int and one.value == value][:1]
