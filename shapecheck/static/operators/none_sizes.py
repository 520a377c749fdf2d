"""None as a size or in arithmetic, although the function itself handles None elsewhere.

`self.width = width or dim` shows that None is an allowed argument, so `nn.Linear(width, 10)` fails with it. Without
such a test a default of None is a placeholder, which callers are expected to replace.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.handled_none import handled_none, none_defaults
from shapecheck.static.domain.unset_argument import UnsetArgument
from shapecheck.static.engine.run import Run

_CODE = "wrong-call"
_OFF_DEFAULT = "off-default"


def report_none_operand(run: Run, node: ast.AST, left: Value, right: Value) -> None:
    """Reports `count * width` of a None."""
    if isinstance(node, ast.BinOp):
        for one, value, other in ((node.left, left, right), (node.right, right, left)):
            if other is not None and _may_be_none(run, one, value):
                _report(run, node, one, value, f"expected a number, got None in {ast.unparse(node)}")
                return


def report_none_size(
    run: Run, node: ast.AST, names: Iterable[str], args: Iterable[Value], kwargs: Mapping[str, Value]
) -> None:
    """Reports `nn.Linear(width, 10)` of a None; `names` are those of the parameters that are sizes, else empty."""
    if not isinstance(node, ast.Call):
        return
    given = [*zip(names, node.args, args, strict=False)]
    given += [(one.arg, one.value, kwargs[one.arg]) for one in node.keywords if one.arg in kwargs and one.arg]
    for name, one, value in given:
        if name and _may_be_none(run, one, value):
            _report(run, node, one, value, f"expected {name} to be an int, got None")
            return


def _report(run: Run, node: ast.AST, place: ast.expr, value: Value, message: str) -> None:
    if value is None:
        run.report(_CODE, node, message)
    else:
        run.report(_OFF_DEFAULT, node, f"{message} (fails whenever {ast.unparse(place)}=None)")


def _may_be_none(run: Run, node: ast.expr, value: Value) -> bool:
    """Whether a variable is None, or a parameter with that default, and the function handles that elsewhere.

    What an entry point passes for such a parameter is unknown, because None may be a placeholder.
    """
    function = run.frame.function
    if not isinstance(node, ast.Name) or not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    if value is not None:
        is_argument = isinstance(value, UnsetArgument) and value.name == node.id
        if not is_argument or node.id not in none_defaults(function):
            return False
    return node.id in handled_none(function) and run.is_unconditional
