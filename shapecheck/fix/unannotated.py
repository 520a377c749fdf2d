"""Parameters without a type: strict mypy requires all types if a function has some, so these get Any."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from shapecheck.fix.signature import Edit
from shapecheck.project.scope import FunctionNode
from shapecheck.project.source import SourceFile

_EQUALS = re.compile(r"[ \t]*=[ \t]*")


def any_edits(node: FunctionNode, source: SourceFile, any_name: Callable[[], str]) -> list[Edit]:
    """The edits that give each unannotated parameter, except the first, the type `any_name()`."""
    bound = int(bool(node.args.posonlyargs or node.args.args))
    return [
        annotate(argument, source, any_name())
        for argument in parameters(node.args)[bound:]
        if argument.annotation is None
    ]


def parameters(arguments: ast.arguments) -> list[ast.arg]:
    """All parameters, in the order in which they are written."""
    positional = [*arguments.posonlyargs, *arguments.args]
    starred = [[argument] if argument else [] for argument in (arguments.vararg, arguments.kwarg)]
    return [*positional, *starred[0], *arguments.kwonlyargs, *starred[1]]


def annotate(argument: ast.arg, source: SourceFile, annotation: str) -> Edit:
    """The edit that adds an annotation to a parameter, with black's spaces around its default."""
    end = source.offset(argument.end_lineno or argument.lineno, argument.end_col_offset or argument.col_offset)
    equals = _EQUALS.match(source.text, end)
    return Edit(end, equals.end(), f": {annotation} = ") if equals else Edit(end, end, f": {annotation}")
