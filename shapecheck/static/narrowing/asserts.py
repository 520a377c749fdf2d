"""Asserts about shapes and sizes that always fail."""

from __future__ import annotations

import ast
from functools import partial

from shapecheck.project.tree_walk import walk
from shapecheck.spec import Dim, Shape, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives, members_of
from shapecheck.static.domain.objects import Collection, FunctionValue, Instance
from shapecheck.static.domain.sizes import is_integer
from shapecheck.static.domain.truth import truth
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.dispatch import evaluate
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.given_modules import may_have_given
from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.narrow import narrow
from shapecheck.static.narrowing.references import is_readable, read
from shapecheck.static.narrowing.tensor_reads import tensor_read_of

_LONGEST = 60


def report_false(run: Run, test: ast.expr) -> None:
    """Reports an assert that never holds, if it compares sizes or ranks that do not depend on symbolic arguments."""
    failing = _failing(run, test)
    if failing is None or _depends_on_defaults(run):
        return
    sides = [failing.left, failing.comparators[0]]
    if _is_isolated(run) and not any(map(_reads_tensor, sides)):
        return
    if any(_counts_items(run, one) for side in sides for one in walk(side) if isinstance(one, ast.expr)):
        return
    if any(map(partial(_counts_rounds, run), sides)):
        return
    values = [read(run, side) for side in sides]
    if not all(map(_holds_sizes, values)) or _is_about_empty_tensors(values) or _is_of_two_types(*values):
        return
    shown = dict.fromkeys(_shown(run, side, value) for side, value in zip(sides, values, strict=True))
    known = " and ".join(one for one in shown if one)
    text = ast.unparse(failing)
    if known and len(text) <= _LONGEST and not may_have_given(run):
        run.report("false-assert", test, f"`{text}` is always false: {known}")


def _failing(run: Run, test: ast.expr) -> ast.Compare | None:
    """The first comparison in an `and` that never holds, None if there is none."""
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


def _holds_sizes(value: Value) -> bool:
    if type(value) is tuple or isinstance(value, Alternatives):
        return all(map(_holds_sizes, value if type(value) is tuple else members_of(value)))
    return is_integer(value)


def _is_of_two_types(left: Value, right: Value) -> bool:
    """Whether a shape is compared with one size, which is a finding of its own wherever it is written."""
    return all(
        (type(one) is tuple) != (type(other) is tuple) for one in members_of(left) for other in members_of(right)
    )


def _is_about_empty_tensors(values: list[Value]) -> bool:
    """Whether 0 is compared with a symbolic size: those are assumed to be at least 1, which excludes empty tensors."""
    parts = [part for value in values for part in (value if type(value) is tuple else members_of(value))]
    return 0 in parts and any(isinstance(part, Dim) for part in parts)


def _shown(run: Run, side: ast.expr, value: Value) -> str:
    view = tensor_read_of(side)
    if view is not None:
        members = members_of(read(run, view.place))
        shapes = [str(one.shape) for one in members if isinstance(one, TensorSpec)]
        if len(shapes) == len(members):
            return f"{ast.unparse(view.place)} has shape {' or '.join(shapes)}"
    if isinstance(side, (ast.Constant, ast.Tuple)) and ast.unparse(side) == str(value):
        return ""
    return f"{ast.unparse(side)} is {' or '.join(map(_text, members_of(value)))}"


def _text(value: Value) -> str:
    sizes = tuple(one for one in value if is_integer(one)) if type(value) is tuple else ()
    return str(Shape(sizes) if type(value) is tuple and len(sizes) == len(value) else value)


def _reads_tensor(side: ast.expr) -> bool:
    return any(tensor_read_of(one) is not None for one in walk(side) if isinstance(one, ast.expr))


def _counts_items(run: Run, node: ast.expr) -> bool:
    """Whether it is the length of a list, dict or set, to which code that is not followed may add items."""
    view = tensor_read_of(node)
    if view is None or view.kind != "length" or not is_readable(view.place):
        return False
    return any(isinstance(one, Collection) for one in members_of(read(run, view.place)))


def _counts_rounds(run: Run, side: ast.expr) -> bool:
    """Whether it reads a number that a loop changes, at a point that only some iterations reach.

    It is unknown which ones, and the condition that leads there may depend on the number.
    """
    inner, *outer = run.outward()
    if any(one.is_parted(frame) for frame in outer for one in frame.loops):
        return not _reads_tensor(side) and not isinstance(side, ast.Constant)
    if not any(one.is_parted(inner) for one in inner.loops):
        return False
    tree = inner.function or inner.names.loaded.tree
    loops = [one for one in walk(tree) if isinstance(one, _LOOPS) and any(part is side for part in walk(one))]
    changed = {ast.unparse(part) for one in loops for part in walk(one) if _is_target(part)}
    read_there = (one for one in walk(side) if isinstance(one, _TARGETS) and ast.unparse(one) in changed)
    return any(is_integer(read(run, one)) for one in read_there)


_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_TARGETS = (ast.Name, ast.Attribute)


def _is_target(node: ast.AST) -> bool:
    return isinstance(node, _TARGETS) and isinstance(node.ctx, ast.Store)


def _is_isolated(run: Run) -> bool:
    return any(map(_is_entry_point, run.outward()))


def _is_entry_point(frame: Frame) -> bool:
    """Whether it is a function that is analyzed in isolation."""
    return frame.call is None and isinstance(frame.function, (ast.FunctionDef, ast.AsyncFunctionDef))


def _depends_on_defaults(run: Run) -> bool:
    """Whether a default is used only because the function or constructor is analyzed in isolation."""
    return any(
        _is_entry_point(frame) and (_has_defaults(frame.function) or _receiver_has_defaults(frame))
        for frame in run.outward()
    )


def _has_defaults(function: ast.AST | None) -> bool:
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return False
    return any(one.default is not None for one in parameters_of(function.args))


def _receiver_has_defaults(frame: Frame) -> bool:
    """Whether the constructor of the receiver has defaults."""
    receiver = next(iter(frame.names.fields.values()), None)
    if not isinstance(receiver, Instance):
        return False
    try:
        constructor = receiver.cls.lookup("__init__")
    except KeyError:
        return False
    return isinstance(constructor, FunctionValue) and _has_defaults(constructor.node)
