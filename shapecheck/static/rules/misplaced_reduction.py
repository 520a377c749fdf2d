"""`x / x.norm(dim=1)` of an x of shape (n, d): the norms of the rows are aligned with the columns.

Torch aligns dimensions from the right. A reduction without keepdim along any but the first dimension removes one that
the remaining ones should stay in front of. The sizes may happen to be equal, so torch does not refuse every call.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from shapecheck.conditions.silent_broadcast import CODE as SILENT
from shapecheck.conditions.silent_broadcast import Misaligned
from shapecheck.ops import Trait
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.spec import Dim, Shape, Size, TensorSpec, same
from shapecheck.spec.dim import has_unnamed
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.hooks import AbstractCall, InPlace, after, before
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.causes import causes_of_pair
from shapecheck.static.provenance.conflicts import conflict_notes
from shapecheck.static.rules._reduced import axis_between, reduction_of

_CODE: Final = "shape-mismatch"
_REDUCTIONS = frozenset("sum mean norm std var amax amin prod logsumexp".split())

_CASTS = frozenset("to type float double half bfloat16 clone detach contiguous".split())


@before(_CODE, Trait.SUM, Trait.PAIRS)
def with_own_reduction(call: AbstractCall) -> None:
    """Reports `x / x.sum(1)` of dimensions that may differ."""
    if len(call.args) > 1:
        _report(call, call.args[0], call.args[1])


@after(_CODE, InPlace(Trait.SUM), InPlace(Trait.PAIRS))
def with_own_reduction_in_place(call: AbstractCall, result: Value) -> Value:
    """Reports `x.div_(x.sum(1))` in the same way."""
    if len(call.args) > 1:
        _report(call, call.args[0], call.args[1])
    return result


def _report(call: AbstractCall, whole: Value, reduced: Value) -> None:
    if not isinstance(whole, TensorSpec) or not isinstance(reduced, TensorSpec):
        return
    if whole.rank is None and reduced.rank is None:
        _report_open(call, whole, reduced)
    if not whole.rank or not reduced.rank:
        return
    sizes = reduced.dims
    while len(sizes) > 1 and sizes[0] == 1:
        sizes = sizes[1:]
    axis = axis_between(whole.dims, sizes)
    if (
        not axis
        or whole.dims[axis] == 1
        or not _may_be_equal(whole.dims[1:], sizes)
        or not _is_reduction(call.run, whole, reduced, axis)
    ):
        return
    expected = Shape((*whole.dims[:axis], 1, *whole.dims[axis + 1 :]))
    pairs = zip(whole.dims[1:], sizes, strict=True)
    equal = " and ".join(f"{one} equals {other}" for one, other in pairs if same(one, other) is not True)
    message = f"{call.name}: cannot broadcast {whole.shape} and {reduced.shape} unless {equal}"
    why = partial(conflict_notes, call.run, call.node, call.name, (whole, reduced), {})
    causes = partial(causes_of_pair, call.run, call.node, whole, reduced)
    call.run.report(
        _CODE, call.node, f"{message}; expected {expected}: pass keepdim=True to the reduction", why, causes
    )


def _report_open(call: AbstractCall, whole: TensorSpec, reduced: TensorSpec) -> None:
    """Reports `x - x.mean(1)` of an x of any rank: dimension 0 of the mean is aligned with a later one of x.

    With the last dimension, `x / x.norm(dim=-1)`, only in the forward of a module: elsewhere x may be a vector.
    """
    axis = _axis_written_in(call.node) or _axis_of_variable(call)
    is_last = axis == -1 and getattr(call.run.frame.function, "name", "") == "forward"
    if axis < 1 and not is_last:
        return
    if call.run.origins.noted:
        found = reduction_of(call.run, reduced)
        if found is None or found.axis != axis or found.source.shape != whole.shape:
            return
        if _squeezed(call.run, whole) is not None:  # of a rank that is known, for the rule below
            return
    why = partial(conflict_notes, call.run, call.node, call.name, (whole, reduced), {})
    causes = partial(causes_of_pair, call.run, call.node, whole, reduced)
    along = "the last dimension are not aligned unless it is 1-D" if is_last else f"dimension {axis} are not aligned"
    message = f"{call.name}: {whole.shape} and its reduction along {along}"
    call.run.report(_CODE, call.node, f"{message}: pass keepdim=True to the reduction", why, causes)


def _may_be_equal(aligned: Sequence[Size], sizes: Sequence[Size]) -> bool:
    """Whether no two aligned sizes differ for certain, which torch's own rule reports, and not all are equal.

    An unknown size may be any other one: `y.t() @ y` of a y that was multiplied by an unknown tensor is square.
    """
    answers = [same(one, other) for one, other in zip(aligned, sizes, strict=True)]
    pairs = [pair for pair, answer in zip(zip(aligned, sizes, strict=True), answers, strict=True) if answer is None]
    return False not in answers and any(not _is_open(*pair) for pair in pairs)


def _is_open(one: Size, other: Size) -> bool:
    """Whether two sizes are unknown, and nothing names one of them."""
    return isinstance(one, Dim) and isinstance(other, Dim) and (has_unnamed(one) or has_unnamed(other))


def _is_reduction(run: Run, whole: TensorSpec, reduced: TensorSpec, axis: int) -> bool:
    """Whether an operand is a tensor of the shape of the other one, reduced; True if no origins are recorded."""
    if not run.origins.noted:
        return True
    found = reduction_of(run, reduced)
    return (
        found is not None
        and found.source.rank == whole.rank
        and tuple(found.source.dims) == tuple(whole.dims)
        and found.axis % len(whole.dims) == axis
    )


@cached_on_node
def _axis_written_in(node: ast.AST) -> int:
    """The 1 of `x - y.mean(1)` or `x / y.norm(dim=1).clamp(1e-6)`; 0 for any other expression, and with keepdim."""
    return _axis_in(node.right) if isinstance(node, ast.BinOp) else 0


def _axis_of_variable(call: AbstractCall) -> int:
    """The axis of the reduction that a variable on the right of `x / torch.sqrt(v + eps)` holds; 0 if there is none."""
    function = call.run.frame.function
    if function is None or not isinstance(call.node, ast.BinOp):
        return 0
    reduced = _reduced_variables(function)
    named = (one.id for one in walk(call.node.right) if isinstance(one, ast.Name)) if reduced else ()
    return next((reduced[name] for name in named if name in reduced), 0)


@cached_on_node
def _reduced_variables(function: ast.AST) -> Mapping[str, int]:
    """The variables that a function assigns once, to `y.mean(1)`, with this axis."""
    assigned: dict[str, list[ast.expr]] = {}
    for one in walk(function):
        if isinstance(one, ast.Assign):
            for target in one.targets:
                assigned.setdefault(target.id if isinstance(target, ast.Name) else "", []).append(one.value)
    stored = Counter(one.id for one in walk(function) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))
    axes = {name: _axis_in(values[0]) for name, values in assigned.items() if stored[name] == 1}
    return {name: axis for name, axis in axes.items() if axis}


def _axis_in(expression: ast.expr) -> int:
    """The axis of the first reduction in an expression that drops one; 0 if there is none."""
    for called in walk(expression):
        if not isinstance(called, ast.Call) or not isinstance(called.func, ast.Attribute):
            continue
        options = {one.arg: one.value for one in called.keywords}
        if called.func.attr not in _REDUCTIONS or "keepdim" in options:
            continue
        given = options.get("dim", called.args[0] if len(called.args) == 1 else None)
        return _integer(given)
    return 0


def _integer(node: ast.expr | None) -> int:
    """The integer that an expression writes, 0 if it is none."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_integer(node.operand)
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else 0


@before(SILENT, Trait.SUM)
def squeezed_matrix(call: AbstractCall) -> None:
    """Reports `x / x.sum(1)` of a square matrix `x = y.squeeze()`, whose rank is not known."""
    if len(call.args) < 2 or not isinstance(call.node, ast.AST) or not _divides_by_reduction(call.node):
        return
    whole, reduced = call.args[:2]
    if not isinstance(whole, TensorSpec) or not isinstance(reduced, TensorSpec) or whole.rank is not None:
        return
    matrix = _squeezed(call.run, whole)
    if matrix is None:
        if call.run.origins.noted:
            return
        matrix = whole
    elif not _reduces_last(call.run, whole, reduced):
        return
    rows = Shape(matrix.shape.dims[:1]) if matrix.rank else reduced.shape
    call.run.report(SILENT, call.node, Misaligned(call.name, matrix.shape, rows).message)


@cached_on_node
def _divides_by_reduction(node: ast.AST) -> bool:
    """Whether an expression is `x / x.sum(-1)`, or a difference or product of that form."""
    if not isinstance(node, ast.BinOp):
        return False
    right = node.right
    if not isinstance(right, ast.Call) or not isinstance(right.func, ast.Attribute):
        return False
    return right.func.attr in _REDUCTIONS and ast.dump(right.func.value) == ast.dump(node.left)


def _squeezed(run: Run, value: TensorSpec) -> TensorSpec | None:
    """The square matrix that `squeeze()` was called with, to give this tensor."""
    made = run.origins.of_tensor(value)
    while made is not None and str(made.callee).rpartition(".")[2] in _CASTS:
        source = made.args[0] if made.args else None
        made = run.origins.of_tensor(source) if isinstance(source, TensorSpec) else None
    if made is None or str(made.callee).rpartition(".")[2] != "squeeze" or len(made.args) != 1 or made.kwargs:
        return None
    source = made.args[0]
    if not isinstance(source, TensorSpec) or source.rank != 2 or same(*source.dims) is not True or source.dims[0] == 1:
        return None
    return source


def _reduces_last(run: Run, whole: TensorSpec, reduced: TensorSpec) -> bool:
    found = reduction_of(run, reduced)
    return found is not None and found.source is whole and found.axis in (1, -1)
