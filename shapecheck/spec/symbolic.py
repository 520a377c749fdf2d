"""A symbolic axis such as `2*d+1` or `{self.heads}*d`, parsed and evaluated without running code.

jaxtyping formats the axis as an f-string with the call's arguments, then evaluates it with the sizes that are bound.
`SymbolicAxis` gives the same value for plain ints, and a symbolic size if a name is bound to one.
"""

from __future__ import annotations

import ast
import operator
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Union

from shapecheck.spec.caching import cached
from shapecheck.spec.dim import Dim, Size, maximum, minimum, quotient

HoleValue = Size | str
"""The value of `{...}`: a size, or text that is inserted unchanged."""

Number = Size | float  # Python's `/` makes floats, and 4 / 2 == 2
_UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
_LONGEST_POWER = 64
_MOST_PRODUCTS = 200  # each one copies a monomial: a product of a thousand names costs too much


class _Unsupported(Exception):
    """Python that is not arithmetic on sizes."""


def _power(base: Number, exponent: Number) -> Number:
    if not isinstance(exponent, int) or not 0 <= exponent <= _LONGEST_POWER or isinstance(base, float):
        raise _Unsupported
    return base**exponent


def _divide(dividend: Number, divisor: Number) -> Number:
    if isinstance(dividend, Dim) or isinstance(divisor, Dim):
        raise _Unsupported
    return dividend / divisor


_OPERATORS: dict[type[ast.AST], Callable[..., Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Div: _divide,
    ast.Pow: _power,
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}


def _on_ints(function: Callable[[int], int]) -> Callable[[Number], int]:
    def checked(value: Number) -> int:
        if isinstance(value, Dim):
            raise _Unsupported
        return function(value)  # type: ignore[arg-type]  # floats are as good

    return checked


def _extreme(of_numbers: Callable[..., Number], of_sizes: Callable[..., Size]) -> Callable[..., Number]:
    def chosen(*values: Number) -> Number:
        return (of_sizes if any(isinstance(value, Dim) for value in values) else of_numbers)(*values)

    return chosen


_FUNCTIONS: dict[str, Callable[..., Number]] = {
    "max": _extreme(max, maximum),
    "min": _extreme(min, minimum),
    "abs": _on_ints(abs),
    "int": _on_ints(int),
    "round": _on_ints(round),
}

# One step of a program in postfix order: push a constant, push a name's size, or apply a function to the last n.
_Step = Union[int, float, str, "tuple[Callable[..., Number], int]"]

_PRODUCT = (operator.mul, 2)


class _Program:
    """An expression in postfix order, so that a thousand terms need no recursion."""

    __slots__ = ("divides", "names", "problem", "steps")

    def __init__(self, text: str) -> None:
        self.steps: list[_Step] | None = None
        self.divides = False
        self.problem: str | None = None
        self.names: tuple[str, ...] = ()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError):
            self.problem = "is not a valid Python expression"
            return
        except (RecursionError, MemoryError):
            return
        try:
            self.steps = list(_postfix(tree))
        except _Unsupported:
            self.names = ()
            return
        self.names = tuple(dict.fromkeys(step for step in self.steps if isinstance(step, str)))
        # A division at the very end is exact or the axis cannot match, whatever the names are.
        self.divides = isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Div)

    def run(self, names: Mapping[str, Size]) -> Number | None:
        """The value, None if it is unknown. Raises KeyError, ZeroDivisionError or ShapeError."""
        if self.steps is None:
            return None
        steps = self.steps[:-1] if self.divides else self.steps
        stack: list[Number] = []
        try:
            for step in steps:
                if isinstance(step, str):
                    stack.append(names[step])
                elif isinstance(step, tuple):
                    function, count = step
                    stack[-count:] = [function(*stack[-count:])]
                else:
                    stack.append(step)
            return _exact(*stack) if self.divides else stack[0]
        except (_Unsupported, TypeError, OverflowError, ValueError):
            return None


def _exact(dividend: Number, divisor: Number) -> Number:
    if isinstance(dividend, float) or isinstance(divisor, float):
        return _divide(dividend, divisor)
    return quotient(dividend, divisor) if isinstance(dividend, Dim) or isinstance(divisor, Dim) else dividend / divisor


def _postfix(tree: ast.expr) -> Iterator[_Step]:
    pending = [tree]
    done: list[_Step] = []
    # Reading right to left and turning the list round gives postfix order without recursion.
    while pending:
        step, operands = _step(pending.pop())
        done.append(step)
        pending.extend(operands)
    if sum(step == _PRODUCT for step in done) > _MOST_PRODUCTS:
        raise _Unsupported
    return reversed(done)


def _step(node: ast.expr) -> tuple[_Step, list[ast.expr]]:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value, []  # type: ignore[return-value]  # the line above says what it is
    if isinstance(node, ast.Name):
        return node.id, []
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return (_OPERATORS[type(node.op)], 2), [node.left, node.right]
    if isinstance(node, ast.UnaryOp) and type(node.op) in _OPERATORS:
        return (_OPERATORS[type(node.op)], 1), [node.operand]
    if isinstance(node, ast.Call) and _plain_call(node):
        return (_FUNCTIONS[ast.unparse(node.func)], len(node.args)), node.args
    raise _Unsupported


def _plain_call(node: ast.Call) -> bool:
    if not isinstance(node.func, ast.Name) or node.func.id not in _FUNCTIONS:
        return False
    fits = len(node.args) > 1 if node.func.id in ("max", "min") else len(node.args) == 1
    return fits and not node.keywords and not any(isinstance(argument, ast.Starred) for argument in node.args)


_program = cached(1024)(_Program)


class SymbolicAxis:
    """The expression of one axis.

    text: as written. holes: the expressions in `{...}`, as ast.unparse prints them. problem: why it is not
    valid Python, or None (jaxtyping raises only when it checks a tensor).
    """

    __slots__ = ("_parts", "holes", "problem", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.problem: str | None = None
        self._parts: list[str | ast.FormattedValue] = [text]
        if any(mark in text for mark in "{}'\\"):
            self._read_template()
        self.holes = tuple(_hole_text(part) for part in self._parts if not isinstance(part, str))
        if self.problem is None and not self.holes:
            self.problem = _program("".join(self._literals())).problem

    def _read_template(self) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(f"f'{self.text}'", mode="eval").body
        except _UNREADABLE:
            self.problem = "is not a valid Python f-string; {...} cannot contain spaces"
            return
        if isinstance(tree, ast.JoinedStr):
            self._parts = [_template_part(part) for part in tree.values]

    def _literals(self) -> Iterator[str]:
        return (part for part in self._parts if isinstance(part, str))

    def problem_with(self, holes: Mapping[str, HoleValue]) -> str | None:
        """The error in it once the holes are filled in."""
        if not self.holes:
            return self.problem
        filled = self._filled(holes)
        return None if filled is None else filled[0].problem

    def missing(self, names: Mapping[str, Size], holes: Mapping[str, HoleValue]) -> list[str]:
        """The axis names that the value needs and `names` lacks."""
        filled = self._filled(holes)
        if filled is None:
            return []
        program, extra = filled
        return [name for name in program.names if name not in names and name not in extra]

    def value(self, names: Mapping[str, Size], holes: Mapping[str, HoleValue]) -> Number | None:
        """The size that the axis must have, None if it is unknown.

        A float that is not an integer matches nothing. Raises ShapeError or ZeroDivisionError for a division by zero.
        """
        filled = self._filled(holes)
        if filled is None:
            return None
        program, extra = filled
        return program.run({**names, **extra} if extra else names)

    def _filled(self, holes: Mapping[str, HoleValue]) -> tuple[_Program, dict[str, Size]] | None:
        """The program with the holes filled in, and the generated names of symbolic sizes in it."""
        text = ""
        extra: dict[str, Size] = {}
        for part in self._parts:
            if isinstance(part, str):
                text += part
                continue
            value = holes.get(_hole_text(part))
            if value is None or part.conversion != -1 or part.format_spec is not None:
                return None
            if isinstance(value, Dim):
                name = f"hole_{len(extra)}_{len(text)}"
                extra[name] = value
                text += f"({name})"
            else:
                text += str(value)
        return _program(text), extra


def _hole_text(part: str | ast.FormattedValue) -> str:
    return part if isinstance(part, str) else ast.unparse(part.value)


def _template_part(part: ast.expr) -> str | ast.FormattedValue:
    if isinstance(part, ast.FormattedValue):
        return part
    return str(part.value) if isinstance(part, ast.Constant) else ""
