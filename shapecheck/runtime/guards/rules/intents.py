"""What the source around a running call shows about the intent of its result."""

from __future__ import annotations

import ast
import linecache
from functools import lru_cache
from types import CodeType, FrameType
from typing import NamedTuple

from shapecheck.conditions.intent import Intent, intent_of
from shapecheck.runtime.guards.places import is_of_program

_OPERATORS = (ast.BinOp, ast.AugAssign, ast.Compare, ast.Call)


class _Range(NamedTuple):
    """Where an instruction is in the source: lines from 1, columns from 0."""

    line: int
    end_line: int
    column: int | None = None
    end_column: int | None = None


def intent_of_caller(frame: FrameType | None) -> Intent:
    """What the source shows at the innermost line of the program at or above `frame`."""
    while frame is not None and not is_of_program(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        return Intent()
    linecache.checkcache(frame.f_code.co_filename)
    source = "".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals))
    return _intent(source, _range(frame.f_code, frame.f_lasti, frame.f_lineno))


def _range(code: CodeType, instruction: int, line: int) -> _Range:
    """Where an instruction is; before Python 3.11 only its line is known."""
    positions = getattr(code, "co_positions", None)
    if positions is None:
        return _Range(line, line)
    start, end, column, end_column = list(positions())[instruction // 2]
    return _Range(start or line, end or line, column, end_column)


@lru_cache(maxsize=256)
def _intent(source: str, place: _Range) -> Intent:
    """The intent at a place; of several operators on a line, any. Results are kept, because loops repeat operators."""
    try:
        tree = _parsed(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Intent()
    found = [intent_of(tree, node) for node in ast.walk(tree) if isinstance(node, _OPERATORS) and _is_at(node, place)]
    if not found:
        return Intent()
    return Intent(any(one.is_outer for one in found), any(one.inserts for one in found), found[0].stated)


@lru_cache(maxsize=8)
def _parsed(source: str) -> ast.Module:
    return ast.parse(source)


def _is_at(node: ast.expr | ast.AugAssign, place: _Range) -> bool:
    if place.column is None:
        return not isinstance(node, ast.Call) and node.lineno <= place.line <= (node.end_lineno or node.lineno)
    at = _Range(node.lineno, node.end_lineno or node.lineno, node.col_offset, node.end_col_offset)
    return at == place
