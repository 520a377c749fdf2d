"""Binary and unary operators, by the kind of their operands."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from functools import partial, reduce

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.ops import Unknown
from shapecheck.spec import Dim, ShapeError, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives, without_none
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.floats import UnknownFloat, float_of
from shapecheck.static.domain.fractions import size_fraction
from shapecheck.static.domain.objects import ClassValue, Collection, DictValue, ListValue, SetValue
from shapecheck.static.domain.open_sizes import OpenSizes, with_sizes
from shapecheck.static.domain.partly_known import joined_text, text_between
from shapecheck.static.domain.placeholders import NegativeDefault, as_default
from shapecheck.static.domain.summary_collections import merged_element, summary_list
from shapecheck.static.domain.symbolic_argument import ArgumentPart, SymbolicArgument
from shapecheck.static.domain.unknown_options import result_of
from shapecheck.static.domain.values import BuiltinMethod, TypeAlias
from shapecheck.static.engine.call_refinement import refine_to_size
from shapecheck.static.engine.case_splitting import map_alternatives
from shapecheck.static.engine.dispatch import dispatch, evaluate
from shapecheck.static.engine.iteration import has_items, items_of, some_item
from shapecheck.static.engine.run import Run
from shapecheck.static.models.numpy.module import with_arrays
from shapecheck.static.models.python.sets import of_sets
from shapecheck.static.models.python.special_methods import decides_operators, operated
from shapecheck.static.operators.none_sizes import report_none_operand
from shapecheck.static.operators.truth_values import tested
from shapecheck.static.operators.wrong_kind import report_operands

_BINARY: dict[type[ast.operator], tuple[str, Callable[..., Value]]] = {
    ast.Add: ("+", operator.add),
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.Div: ("/", operator.truediv),
    ast.FloorDiv: ("//", operator.floordiv),
    ast.Mod: ("%", operator.mod),
    ast.Pow: ("**", operator.pow),
    ast.MatMult: ("@", operator.matmul),
    ast.BitAnd: ("&", operator.and_),
    ast.BitOr: ("|", operator.or_),
    ast.BitXor: ("^", operator.xor),
    ast.LShift: ("<<", operator.lshift),
    ast.RShift: (">>", operator.rshift),
}
_UNARY: dict[type[ast.unaryop], Callable[..., Value]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}
_NUMBERS = (bool, int, float, complex, Dim, UnknownFloat)
_MAX_INTEGER = 1 << 64
_GROWING = (operator.pow, operator.lshift)
_CONVERSION = lazy_pattern(r"%(?:\(\w*\))?[^a-zA-Z%]*[a-zA-Z]")
_FUNCTIONS = dict(_BINARY.values())
_OTHER_KINDS = (tuple, BuiltinMethod)
"""What is no number and no tensor."""
_WIDE_FORMAT = lazy_pattern(r"%[^a-zA-Z]*\d{4}|%[^a-zA-Z]*\*")


def binary_node(run: Run, node: ast.BinOp) -> Value:
    """Evaluates `a + b`, and the union type `int | str`."""
    left, right = evaluate(run, node.left), evaluate(run, node.right)
    if isinstance(node.op, ast.BitOr) and any(isinstance(one, (TypeAlias, ClassValue)) for one in (left, right)):
        return TypeAlias(node, run.frame.names)
    return binary(run, node, node.op, without_none(left), without_none(right))


def binary(run: Run, node: ast.AST, op: ast.operator, left: Value, right: Value) -> Value:
    """Applies a binary operator to two values."""
    if isinstance(left, Alternatives) or isinstance(right, Alternatives):
        return map_alternatives(run, partial(binary, run, node, op), left, right)
    symbol, function = _BINARY[type(op)]
    has_other_kind = isinstance(left, _OTHER_KINDS) or isinstance(right, _OTHER_KINDS)
    wrong = report_operands(run, node, symbol, left, right) if has_other_kind else None
    return _of_two(run, node, symbol, function, left, right) if wrong is None else wrong


def _of_two(run: Run, node: ast.AST, symbol: str, function: Callable[..., Value], left: Value, right: Value) -> Value:
    if isinstance(left, ArraySpec) or isinstance(right, ArraySpec):
        return with_arrays(run, node, symbol, left, right)
    if decides_operators(left) or decides_operators(right):
        return _of_objects(run, node, symbol, left, right)
    if isinstance(left, TensorSpec) or isinstance(right, TensorSpec):
        operands = tuple(map(_without_flag, (left, right))) if symbol == "-" else (left, right)
        return dispatch.torch_call(run, node, symbol, operands, {})
    if isinstance(left, _NUMBERS) and isinstance(right, _NUMBERS):
        return run.knowledge.settled(of_numbers(function, left, right))
    if isinstance(left, (Collection, OpenSizes)) or isinstance(right, (Collection, OpenSizes)):
        return _of_collections(run, node, symbol, left, right)
    if isinstance(left, str) and symbol == "%":
        return _formatted(left, right)
    if isinstance(left, (str, tuple)) and isinstance(right, (str, tuple, int)) and symbol in "+*":
        too_long = symbol == "*" and isinstance(right, int) and len(left) * right > 10_000
        return Unknown("a long sequence") if too_long else of_numbers(function, left, right)
    return _of_objects(run, node, symbol, left, right)


def _without_flag(operand: Value) -> Value:
    """An operand of a subtraction; True and False, which torch refuses, only mark a tensor that the caller passes."""
    return Unknown("a default in place of a tensor") if isinstance(operand, bool) else operand


def _concatenated(left: Value, right: Value) -> Value:
    """The shape of a tensor of unknown rank, and known sizes before or after it."""
    known, part = (right, left) if isinstance(left, OpenSizes) else (left, right)
    items = items_of(known)
    if items is None or not isinstance(part, OpenSizes):
        return Unknown("an unknown number of sizes")
    return with_sizes((), part, items) if part is left else with_sizes(items, part, ())


def _scaled(run: Run, symbol: str, left: Value, right: Value) -> Value | None:
    """The symbolic argument that is combined with a number: if it is a tensor, the result has its shape.

    What a size is divided by without a remainder is a size, too.
    """
    for one, other in ((left, right), (right, left)):
        if isinstance(one, SymbolicArgument) and isinstance(other, _NUMBERS):
            if symbol in ("//", "%") and isinstance(other, Dim):
                refine_to_size(run, one)
            operands = (one.formula, other) if one is left else (other, one.formula)
            return one.computed(None if one.formula is None else of_numbers(_FUNCTIONS[symbol], *operands))
        if isinstance(one, ArgumentPart) and isinstance(other, _NUMBERS):
            return one
    if isinstance(left, SymbolicArgument) and isinstance(right, SymbolicArgument):
        return _of_attributes(symbol, left, right)
    return None


def _of_attributes(symbol: str, left: SymbolicArgument, right: SymbolicArgument) -> Value | None:
    """What is computed from two attributes of arguments, if they are sizes: `cfg.dim // cfg.heads`; also `p * p`."""
    if left.argument is right.argument and None not in (left.formula, right.formula):
        return left.computed(of_numbers(_FUNCTIONS[symbol], left.formula, right.formula))
    sizes = (left.known_size, right.known_size)
    if not (left.is_attribute and right.is_attribute) or None in sizes:
        return None
    found = of_numbers(_FUNCTIONS[symbol], *sizes)
    return left.combined(f"{left.name}{symbol}{right.name}", found) if isinstance(found, Dim) else None


def _of_collections(run: Run, node: ast.AST, symbol: str, left: Value, right: Value) -> Value:
    if isinstance(left, OpenSizes) or isinstance(right, OpenSizes):
        return _concatenated(left, right) if symbol == "+" else Unknown("an unknown number of sizes")
    if isinstance(left, ListValue) or isinstance(right, ListValue):
        made = _of_lists(symbol, left, right)
        for rule in run.rules.repeated.get(symbol):
            rule(run, node, left.items if isinstance(left, ListValue) else (), made)
        return made
    if isinstance(left, SetValue) and isinstance(right, SetValue):
        return of_sets(symbol, left, right)
    if isinstance(left, DictValue) and isinstance(right, DictValue) and symbol == "|":
        lost = left.lost or right.lost
        return Unknown("an unknown dict") if lost else DictValue({**left.items, **right.items})
    return _of_objects(run, node, symbol, left, right)


def _of_objects(run: Run, node: ast.AST, symbol: str, left: Value, right: Value) -> Value:
    found = _scaled(run, symbol, left, right)
    if found is None and isinstance(node, ast.BinOp):
        report_none_operand(run, node, left, right)
    if found is None:
        found = operated(run, node, symbol, left, right)
    if found is None and symbol == "+":
        found = joined_text(left, right)
    return Unknown("unknown operands") if found is None else found


def of_numbers(function: Callable[..., Value], left: Value, right: Value) -> Value:
    """Applies an operator of Python to two numbers."""
    if isinstance(left, UnknownFloat) or isinstance(right, UnknownFloat):
        return float_of(function, left, right)
    if function in _GROWING and not (isinstance(right, (int, float)) and abs(right) < 64):
        return Unknown("a large power")
    if function is operator.mul and (isinstance(left, Dim) or isinstance(right, Dim)):
        left, right = _as_integer(left), _as_integer(right)
    if (fraction := size_fraction(function, left, right)) is not None:
        return fraction
    try:
        result = function(left, right)
    except (TypeError, ValueError, ArithmeticError, ShapeError):
        if isinstance(left, Dim) or isinstance(right, Dim):
            return float_of(function, left, right)
        return Unknown("unsupported arithmetic")
    if isinstance(result, int) and abs(result) > _MAX_INTEGER:
        return Unknown("a large number")
    return as_default(result) if NegativeDefault in (type(left), type(right)) else result


def _as_integer(number: Value) -> Value:
    """Returns `4.0` as 4, so that its product with a size is a size."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def _formatted(text: str, value: Value) -> Value:
    parts = value if type(value) is tuple else (value,)
    if not all(isinstance(one, (str, int, float)) for one in parts) or _WIDE_FORMAT.search(text):
        return _around_conversions(text)
    try:
        return text % parts
    except (TypeError, ValueError):
        return Unknown("invalid string formatting")


def _around_conversions(text: str) -> Value:
    """A formatted string with an unknown or wide part."""
    start, *rest = ("", *_CONVERSION.split(text), "") if "%%" in text else _CONVERSION.split(text)
    return text_between(start, rest[-1]) if rest else Unknown("invalid string formatting")


def _of_lists(symbol: str, left: Value, right: Value) -> Value:
    if any(isinstance(one, ListValue) and one.lost for one in (left, right)):
        return _of_open_lists(left, right) if symbol == "+" else Unknown("an unknown list")
    if isinstance(left, ListValue) and isinstance(right, ListValue) and symbol == "+":
        return ListValue(left.items + right.items)
    if symbol == "*" and isinstance(left, ListValue) and type(right) is int and len(left.items) * right < 1_000:
        return ListValue(left.items * right)
    return Unknown("a list of unknown length")


def _of_open_lists(left: Value, right: Value) -> Value:
    """The list `a + b` if the number of items of one is unknown."""
    parts = [one for one in (left, right) if not (isinstance(one, ListValue) and not one.lost and not one.items)]
    if not all(isinstance(one, ListValue) and has_items(one) for one in parts):
        return Unknown("an unknown list")
    return summary_list(reduce(merged_element, map(some_item, parts)))


def unary(run: Run, node: ast.UnaryOp) -> Value:
    """Evaluates `-a`, `+a`, `~a` and `not a`."""
    if isinstance(node.op, ast.Not):
        value, known = tested(run, node.operand)
        return result_of(value, reason="negation of an unknown condition") if known is None else not known
    value = evaluate(run, node.operand)
    if isinstance(value, ArraySpec):
        return value
    if isinstance(value, TensorSpec):
        name = {ast.USub: "neg", ast.UAdd: "positive", ast.Invert: "bitwise_not"}[type(node.op)]
        return dispatch.torch_call(run, node, name, (value,), {})
    if isinstance(value, UnknownFloat) and isinstance(node.op, (ast.USub, ast.UAdd)):
        return value
    if isinstance(value, _NUMBERS):
        function = _UNARY[type(node.op)]
        return of_numbers(lambda one, _: function(one), value, 0)
    return value.computed(None) if isinstance(value, SymbolicArgument) else Unknown("an unknown operand")


dispatch.binary = binary
