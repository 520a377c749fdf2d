"""Parameters without a type: under strict mypy a function that has some types must have all, so these get Any."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from shapecheck.fix.signature import Edit
from shapecheck.project.scope import FunctionNode
from shapecheck.project.source import SourceFile

_EQUALS = re.compile(r"[ \t]*=[ \t]*")


def any_edits(node: FunctionNode, source: SourceFile, any_name: Callable[[], str]) -> list[Edit]:
    """The edits that give each parameter without annotation, but for the first, the type `any_name()`."""
    return [
        _edit(argument, source, any_name())
        for argument in _parameters(node.args)[_first_is_bound(node) :]
        if argument.annotation is None
    ]


def _parameters(arguments: ast.arguments) -> list[ast.arg]:
    starred = [arguments.vararg, arguments.kwarg]
    positional = [*arguments.posonlyargs, *arguments.args]
    return [*positional, *arguments.kwonlyargs, *(argument for argument in starred if argument is not None)]


def _first_is_bound(node: FunctionNode) -> bool:
    return bool(node.args.posonlyargs or node.args.args)


def _edit(argument: ast.arg, source: SourceFile, name: str) -> Edit:
    end = source.offset(argument.end_lineno or argument.lineno, argument.end_col_offset or argument.col_offset)
    equals = _EQUALS.match(source.text, end)
    return Edit(end, equals.end(), f": {name} = ") if equals else Edit(end, end, f": {name}")
