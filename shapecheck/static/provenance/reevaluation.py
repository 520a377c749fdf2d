"""Re-evaluates expressions for the notes of a finding: only plain arithmetic over names."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import Namespace
from shapecheck.static.domain.sizes import is_integer
from shapecheck.static.engine.budget import OutOfSteps
from shapecheck.static.engine.dispatch import evaluate
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.scopes import within_steps

if TYPE_CHECKING:
    from shapecheck.static.engine.run import Run

_PLAIN = (
    ast.Constant,
    ast.Name,
    ast.Attribute,
    ast.Subscript,
    ast.BinOp,
    ast.UnaryOp,
    ast.Tuple,
    ast.List,
    ast.expr_context,
    ast.operator,
    ast.unaryop,
)
_FUNCTIONS = frozenset(("int", "len", "max", "min", "round", "sum", "tuple"))
_STEPS = 2_000
_MOST_NODES = 60


def reevaluate(run: Run, node: ast.expr, names: Namespace) -> Value:
    """The value of an expression in a scope, without effects; Unknown for anything but plain arithmetic."""
    if not _is_plain(node):
        return Unknown("an expression beyond plain arithmetic")
    try:
        with within_steps(run, _STEPS), run.silenced(), run.inside(Frame(names)):
            return run.journal.apart(lambda: evaluate(run, node))[0]
    except OutOfSteps:
        return Unknown("too many steps")


def _is_plain(node: ast.expr) -> bool:
    for number, one in enumerate(ast.walk(node)):
        call = isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id in _FUNCTIONS
        if number > _MOST_NODES or not (call or isinstance(one, _PLAIN)):
            return False
    return True


def is_same(value: Value, other: Value) -> bool:
    """Whether two values are the same object, or equal sizes."""
    return value is other or (is_integer(value) and is_integer(other) and bool(value == other))
