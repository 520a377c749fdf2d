"""Asserts about shapes and sizes that no run fulfils."""

from __future__ import annotations

import ast

from shapecheck.spec import Dim, Shape, TensorSpec
from shapecheck.static.domain.alternatives import Alternatives, members_of
from shapecheck.static.domain.sizes import is_integer
from shapecheck.static.domain.truth import truth
from shapecheck.static.domain.values import FunctionValue, Instance, Value
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.dispatch import evaluate
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.narrow import narrow
from shapecheck.static.narrowing.references import is_readable, read
from shapecheck.static.narrowing.tensor_reads import tensor_read_of

_LONGEST = 60


def report_false(run: Run, test: ast.expr) -> None:
    """Reports an assert that does not hold, where it compares sizes or ranks and nothing in it was made up."""
    failing = _failing(run, test)
    if failing is None or _rests_on_defaults(run):
        return
    sides = [failing.left, failing.comparators[0]]
    if _was_run_alone(run) and not any(map(_reads_tensor, sides)):
        return
    values = [read(run, side) for side in sides]
    if not all(map(_is_of_sizes, values)) or _is_about_nothing(values):
        return
    shown = dict.fromkeys(_shown(run, side, value) for side, value in zip(sides, values, strict=True))
    known = " and ".join(one for one in shown if one)
    text = ast.unparse(failing)
    if known and len(text) <= _LONGEST:
        run.report("false-assert", test, f"`{text}` never holds: {known}")


def _failing(run: Run, test: ast.expr) -> ast.Compare | None:
    """The first comparison in an `and` of which it is known that it never holds."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return next((found for one in test.values for found in [_failing(run, one)] if found is not None), None)
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not is_readable(test.left):
        return None
    if isinstance(test.ops[0], (ast.Is, ast.IsNot, ast.In, ast.NotIn)) or not is_readable(test.comparators[0]):
        return None
    return None if _can_hold(run, test) else test


def _can_hold(run: Run, test: ast.Compare) -> bool:
    with run.silenced():
        known = truth(evaluate(run, test))
    if known is not None:
        return known
    possible, _ = run.journal.apart(lambda: narrow(run, test, outcome=True))
    return bool(possible)


def _is_of_sizes(value: Value) -> bool:
    if type(value) is tuple or isinstance(value, Alternatives):
        return all(map(_is_of_sizes, value if type(value) is tuple else members_of(value)))
    return is_integer(value)


def _is_about_nothing(values: list[Value]) -> bool:
    """A size that has a name counts as 1 at least: that says nothing of empty tensors."""
    parts = [part for value in values for part in (value if type(value) is tuple else members_of(value))]
    return 0 in parts and any(isinstance(part, Dim) for part in parts)


def _shown(run: Run, side: ast.expr, value: Value) -> str:
    view = tensor_read_of(side)
    if view is not None:
        tensors = members_of(read(run, view.place))
        if all(isinstance(one, TensorSpec) for one in tensors):
            return f"{ast.unparse(view.place)} is {' or '.join(str(one.shape) for one in tensors)}"
    if isinstance(side, (ast.Constant, ast.Tuple)) and ast.unparse(side) == str(value):
        return ""
    return f"{ast.unparse(side)} is {' or '.join(map(_text, members_of(value)))}"


def _text(value: Value) -> str:
    return str(Shape(value) if type(value) is tuple else value)


def _reads_tensor(side: ast.expr) -> bool:
    return any(tensor_read_of(one) is not None for one in ast.walk(side) if isinstance(one, ast.expr))


def _was_run_alone(run: Run) -> bool:
    return any(map(_is_entry, run.outward()))


def _is_entry(frame: Frame) -> bool:
    """Whether nothing in the project called it with these arguments."""
    return frame.call is None and isinstance(frame.function, (ast.FunctionDef, ast.AsyncFunctionDef))


def _rests_on_defaults(run: Run) -> bool:
    """Whether something ran with the default of a parameter only because nobody was seen to call it."""
    return any(_is_entry(frame) and (_has_defaults(frame.function) or _is_made_so(frame)) for frame in run.outward())


def _has_defaults(function: ast.AST | None) -> bool:
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return False
    return any(one.default is not None for one in parameters_of(function.args))


def _is_made_so(frame: Frame) -> bool:
    """Whether the object whose method it is was made with defaults."""
    receiver = next(iter(frame.names.fields.values()), None)
    if not isinstance(receiver, Instance):
        return False
    try:
        constructor = receiver.cls.lookup("__init__")
    except KeyError:
        return False
    return isinstance(constructor, FunctionValue) and _has_defaults(constructor.node)
