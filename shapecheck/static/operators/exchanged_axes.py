"""A call that needs two dimensions of a tensor to be equal: `conv(x)` of an x of shape (b, t, dim), for dim channels.

A layer, or another operand, has the size dim, which the tensor has too, but at another place. Where the call needs it,
the tensor has a dimension of which nothing is known. So the tensor should have been transposed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple, TypeVar, cast

from shapecheck.ops import ModuleSpec, Trait, names_with
from shapecheck.ops.assumptions import Assumption, Assumptions
from shapecheck.spec import Dim, Size, TensorSpec
from shapecheck.spec.dim import has_unnamed, variables
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ListValue
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.conflicts import conflict_notes

_CODE = "shape-mismatch"
_PRODUCTS = frozenset(("matmul", "@", "bmm", "baddbmm"))
_WITH_WEIGHT = frozenset("linear layer_norm batch_norm group_norm conv1d conv2d conv3d".split())
"""Functions of an input and weights, of which only the input may have been transposed."""
_FUNCTIONS = _PRODUCTS | _WITH_WEIGHT | frozenset(("cat", "concat", "concatenate"))
_LEAST_RANK = 3
"""For functions and layers without weights, such as losses, which may need a square matrix."""
_LEAST = 8
"""A smaller number of channels may be equal to another number by chance."""


_Settled = TypeVar("_Settled", Size, TensorSpec)


class _Exchange(NamedTuple):
    """A tensor, the place where the call needs a size, and the place where the tensor has it."""

    tensor: TensorSpec
    needed: int
    found: int


def report_exchanged(
    run: Run,
    node: ast.AST,
    name: str | ModuleSpec,
    args: tuple[Value, ...],
    kwargs: Mapping[str, Value],
    assumed: Iterable[Assumption],
) -> None:
    """Reports an equality that a rule assumed of two dimensions of a tensor, one of which another operand has."""
    for one in assumed:
        found = _exchanged(run, name, (*args, *kwargs.values()), one)
        if found is None or not run.is_unconditional or _takes_area(run, name):
            continue
        if not _is_moved(run, name, found.tensor):
            shape, (free, size) = found.tensor.shape, (found.tensor.dims[at] for at in (found.needed, found.found))
            message = (
                f"{_text(name)}: expected {size} in dimension {found.needed} of {shape}, which has it in dimension "
                f"{found.found}; it works only if {free} equals {size}: use permute or transpose first"
            )
            run.report(_CODE, node, message, partial(conflict_notes, run, node, name, args, dict(kwargs), one.message))
            return


def _takes_area(run: Run, name: str | ModuleSpec) -> bool:
    """Whether a layer was built for the product of two sizes, such as all places of an image of a fixed size."""
    built = None if isinstance(name, str) else run.origins.of_layer(name)
    size = built.node.args[0] if built is not None and isinstance(built.node, ast.Call) and built.node.args else None
    if not isinstance(size, ast.BinOp) or not isinstance(size.op, ast.Mult):
        return False
    return not any(isinstance(one, ast.Constant) for one in (size.left, size.right))


def without_exchanged(
    run: Run, name: str | ModuleSpec, args: Iterable[object], kwargs: Mapping[str, object], assumed: Assumptions
) -> Assumptions:
    """The equalities without those of two dimensions that are exchanged: they are a mistake, not a fact."""
    operands = (*args, *kwargs.values())
    found = Assumptions()
    found += [one for one in assumed if _exchanged(run, name, operands, one) is None]
    found.shapes = assumed.shapes
    return found


def _is_moved(run: Run, name: str | ModuleSpec, tensor: TensorSpec) -> bool:
    """Whether a layer receives a tensor whose dimensions were just moved: the author knows their order."""
    made = None if isinstance(name, str) else run.origins.of_tensor(tensor)
    if made is None or not isinstance(made.callee, str):
        return False
    short = made.callee.rpartition(".")[2]
    return short == "rearrange" or short in names_with(Trait.MOVES_AXES)


def _exchanged(
    run: Run, name: str | ModuleSpec, operands: Iterable[object], assumption: Assumption
) -> _Exchange | None:
    if isinstance(name, str) and name.rpartition(".")[2] not in _FUNCTIONS:
        return None
    if isinstance(name, str) and name.rpartition(".")[2] in _PRODUCTS and not _shares_last(operands):
        return None
    weights = [] if isinstance(name, str) else list(_tensors(vars(name).values()))
    tensors, weights = ([_settled(run, one) for one in some] for some in (list(_tensors(operands)), weights))
    left, right = (_settled(run, one) for one in (assumption.left, assumption.right))
    if isinstance(name, str) and name.rpartition(".")[2] in _WITH_WEIGHT:
        tensors, weights = tensors[:1], tensors[1:]
    least = _LEAST_RANK if isinstance(name, str) or not weights else 0
    return _exchange(tensors, weights, left, right, least) or _exchange(tensors, weights, right, left, least)


def _shares_last(operands: Iterable[object]) -> bool:
    """Whether the operands of a product end with the same size: queries and keys, not a square matrix and vectors."""
    shapes = [one.dims for one in _tensors(operands) if one.rank]
    return len(shapes) == 2 and len(shapes[0]) == len(shapes[1]) and shapes[0][-1] == shapes[1][-1]


def _settled(run: Run, value: _Settled) -> _Settled:
    """The value with what the path so far shows about its sizes."""
    return cast("_Settled", run.knowledge.settled(value))


def _text(name: str | ModuleSpec) -> str:
    return name.rpartition(".")[2] if isinstance(name, str) else type(name).name


def _tensors(values: Iterable[object]) -> Iterator[TensorSpec]:
    """The tensors among operands, those in lists included."""
    for one in values:
        if isinstance(one, TensorSpec):
            yield one
        elif isinstance(one, list) or (isinstance(one, ListValue) and not one.lost):
            yield from (item for item in (one if isinstance(one, list) else one.items) if isinstance(item, TensorSpec))


def _exchange(
    tensors: list[TensorSpec], weights: list[TensorSpec], size: Size, free: Size, least_rank: int
) -> _Exchange | None:
    """Where a size is in the wrong place; None if nothing shows that."""
    if not isinstance(free, Dim) or not _is_distinctive(size):
        return None
    for one in tensors:
        if one.rank is None or one.rank < least_rank or one.dims.count(free) != 1 or one.dims.count(size) != 1:
            continue
        found = one.dims.index(size)
        operands = (*weights, *(other for other in tensors if other is not one))
        if not _is_distinctive(free) and any(_is_square(other, found, size) for other in tensors if other is not one):
            continue  # an unknown size may be that of a square image, whose maps are joined
        others = {known for other in operands for known in (*other.shape.head, *other.shape.tail)}
        if size in others and not any(set(variables(free)) & set(variables(other)) for other in others):
            return _Exchange(one, one.dims.index(free), found)
    return None


def _is_square(other: TensorSpec, axis: int, size: Size) -> bool:
    """Whether another operand has a size there, and at another place as well."""
    return other.rank is not None and axis < other.rank and other.dims[axis] == size and other.dims.count(size) > 1


def _is_distinctive(size: Size) -> bool:
    """Whether two dimensions of this size are hardly equal by chance: a large number, or one that has a name."""
    if isinstance(size, int):
        return size >= _LEAST
    return not has_unnamed(size)
