"""`a, b = value`: checks the number of items against the number of names."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import partial

from shapecheck.ops import Unknown
from shapecheck.project.parents import parents_in
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.tensor_reads import tensor_read_of
from shapecheck.static.provenance.causes import MOST_AXES, causes_of_rank
from shapecheck.static.provenance.sources import source_of

_LOOPS = (ast.For, ast.AsyncFor, ast.comprehension)


def fits_count(run: Run, target: ast.Tuple | ast.List, value: Value) -> bool:
    """Returns whether the number of items fits the targets or is unknown; reports a finding if not."""
    count = _count(value)
    if count is None:
        return True
    starred = any(isinstance(one, ast.Starred) for one in target.elts)
    names = len(target.elts) - starred
    if count == names or (starred and count > names):
        return True
    if _is_text(value) and any(frame.is_parted for frame in run.outward()):
        return False  # a condition that is not understood may test the text
    if _is_for_other_rank(run, target) or (type(value) is tuple and _is_annotated(run, target)):
        return False
    wanted = f"at least {names}" if starred else str(names)
    what = f"a tensor of shape {value.shape}" if isinstance(value, TensorSpec) else f"{count} value{_s(count)}"
    run.report(
        "wrong-call",
        target,
        f"cannot unpack {what} into {wanted} name{_s(names)}",
        causes=partial(_causes, run, target, range(names, MOST_AXES + 1) if starred else (names,)),
    )
    return False


def _is_annotated(run: Run, target: ast.expr) -> bool:
    """Whether the number of items follows from the annotation of an argument alone, which the code contradicts.

    A type checker reports that; the arguments that callers pass are unknown.
    """
    frame = run.frame
    function = frame.function
    if frame.call is not None or not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    around = parents_in(function).get(target)
    source = getattr(around, "iter" if isinstance(around, _LOOPS) else "value", None)
    return isinstance(source, ast.Name) and source.id in {one.name for one in parameters_of(function.args)}


def _is_for_other_rank(run: Run, target: ast.expr) -> bool:
    """Whether a branch on an unknown condition unpacks the shape of an argument.

    `if op.is_3d: b, c, d, h, w = x.shape` is for the tensors of other callers.
    """
    frame = run.frame
    if frame.call is None or not frame.open_branches:
        return False
    source = source_of(target, run.loaded.tree)
    found = None if source is None or source.value is None else tensor_read_of(source.value)
    if found is None or found.kind != "shape" or not isinstance(found.place, ast.Name):
        return False
    spec = getattr(frame.function, "args", None)
    if spec is None or found.place.id not in {one.name for one in parameters_of(spec)}:
        return False
    run.journal.write(frame.names, found.place.id, Unknown("an argument of another rank"))
    return True


def _is_text(value: Value) -> bool:
    """Whether it is a string or consists of strings, such as the parts of one."""
    items = None if isinstance(value, str) else items_of(value)
    return isinstance(value, str) or bool(items and all(isinstance(one, str) for one in items))


def _causes(run: Run, target: ast.expr, ranks: Iterable[int]) -> tuple[str, ...]:
    source = source_of(target, run.loaded.tree)
    return () if source is None else causes_of_rank(run, source.value, ranks)


def _count(value: Value) -> int | None:
    if isinstance(value, TensorSpec):
        if mark_of(value) is not None:
            return None
        first = value.shape.at(0) if value.rank else None
        return first if isinstance(first, int) else None
    items = items_of(value)
    return None if items is None else len(items)


def _s(count: int) -> str:
    return "" if count == 1 else "s"
