"""Reads a size the way jaxtyping's symbolic axes and `str(Dim)` write it."""

from __future__ import annotations

import ast
import operator
import warnings
from collections.abc import Callable

from shapecheck.spec.dim import Size, axis, maximum, minimum
from shapecheck.spec.errors import AnnotationError, ShapeError
from shapecheck.spec.presentation import clipped, quoted

_MAX_LENGTH = 10_000
_MAX_NESTING = 50
_MAX_DIGITS = 40
_MAX_POWER = 64

_OPERATORS: dict[type[ast.operator], Callable[[Size, Size], Size]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_FUNCTIONS: dict[str, Callable[..., Size]] = {"max": maximum, "min": minimum}


def parse_size(text: str, scope: str = "axes") -> Size:
    """The value of a size expression: `2*d+1`, `b//2`, `h*d`, `max(a, b)`, `-1`; names become `axis(name, scope)`.

    Raises AnnotationError, with the column in `text`, for anything else.
    """
    if text.isidentifier():
        return _named(text, 0, scope)
    if len(text) > _MAX_LENGTH:
        raise AnnotationError(f"expected a size expression of at most {_MAX_LENGTH} characters, got {len(text)}")
    start = len(text) - len(text.lstrip())
    comment = text.find("#")
    if comment >= 0:
        raise AnnotationError(f"{_shown(text.strip())} is not a size expression", comment)
    line = text.strip().replace("\n", " ")
    return _Reader(line, start, scope).size(_tree(line, start), 0)


def _tree(line: str, start: int) -> ast.expr:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            return ast.parse(line, mode="eval").body
    except SyntaxError as error:
        column = start + min(max((error.offset or 1) - 1, 0), len(line))
        raise AnnotationError(f"{_shown(line)} is not a size expression", column) from None
    except (ValueError, RecursionError, MemoryError):
        raise AnnotationError("size expression is nested too deeply", start) from None


def _shown(source: str) -> str:
    return quoted(clipped(source))


def _named(name: str, column: int, scope: str) -> Size:
    if name in ("True", "False", "None"):
        raise AnnotationError(f"{name} is not a size", column)
    return axis(name, scope)


class _Reader:
    """Turns the syntax tree of one expression into a size."""

    def __init__(self, line: str, start: int, scope: str) -> None:
        self.line = line
        self.start = start
        self.scope = scope

    def size(self, node: ast.expr, nesting: int) -> Size:
        if nesting > _MAX_NESTING:
            raise self.error(node, f"size expression is nested too deeply: more than {_MAX_NESTING} levels")
        if isinstance(node, ast.Constant):
            return self.number(node)
        if isinstance(node, ast.Name):
            return _named(node.id, self.column(node), self.scope)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            operand = self.size(node.operand, nesting + 1)
            return -operand if isinstance(node.op, ast.USub) else operand
        if isinstance(node, ast.BinOp):
            return self.chain(node, nesting)
        if isinstance(node, ast.Call):
            return self.call(node, nesting)
        raise self.error(node, f"{_shown(self.source(node))} is not a size expression")

    def number(self, node: ast.Constant) -> int:
        if type(node.value) is not int:
            raise self.error(node, f"{_shown(self.source(node))} is not an integer")
        if len(self.source(node)) > _MAX_DIGITS:
            raise self.error(node, f"expected a number of at most {_MAX_DIGITS} digits")
        return node.value

    def chain(self, node: ast.BinOp, nesting: int) -> Size:
        """Evaluates a sum or product of any length as one level: its left operands are read in a loop."""
        steps: list[ast.BinOp] = []
        first: ast.expr = node
        while isinstance(first, ast.BinOp):
            steps.append(first)
            first = first.left
        total = self.size(first, nesting + 1)
        for step in reversed(steps):
            total = self.step(total, step, nesting)
        return total

    def step(self, left: Size, node: ast.BinOp, nesting: int) -> Size:
        right = self.size(node.right, nesting + 1)
        if isinstance(node.op, ast.Pow):
            if not isinstance(right, int) or not 0 <= right <= _MAX_POWER:
                raise self.error(node.right, f"expected an exponent from 0 to {_MAX_POWER}, got {right}")
            return left**right
        apply = _OPERATORS.get(type(node.op))
        if apply is None:
            hint = "; use // for division" if isinstance(node.op, ast.Div) else ""
            raise self.error(node, f"{_shown(self.source(node))} is not a size expression{hint}")
        try:
            return apply(left, right)
        except (ShapeError, ZeroDivisionError):
            raise self.error(node, f"division by zero in {_shown(self.source(node))}") from None

    def call(self, node: ast.Call, nesting: int) -> Size:
        function = _FUNCTIONS.get(node.func.id) if isinstance(node.func, ast.Name) else None
        if function is None or node.keywords:
            raise self.error(
                node, f"{_shown(self.source(node))} is not a size expression; only max(...) and min(...) are supported"
            )
        sizes = [self.size(argument, nesting + 1) for argument in node.args]
        if not sizes:
            raise self.error(node, f"{_shown(self.source(node))} requires at least one size")
        return function(*sizes)

    def source(self, node: ast.expr) -> str:
        return ast.get_source_segment(self.line, node) or self.line

    def column(self, node: ast.expr) -> int:
        """The node's position in the annotation, in characters; `ast` counts bytes."""
        return self.start + len(self.line.encode()[: node.col_offset].decode())

    def error(self, node: ast.expr, message: str) -> AnnotationError:
        return AnnotationError(message, self.column(node))
