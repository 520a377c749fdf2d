"""Causes of findings: the values that a refused call rests on, and the changes of each that would make it work.

A cause is a string: the source of a value and one change of it (`model.py:7:20|size 24->32`). Two findings of a file
that share a cause are one mistake; `project.same_cause` reports the first. The changes are found by trial: the call is
repeated with another size, rank or dtype of one tensor. A value whose source is unknown has no causes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from shapecheck.ops import ModuleSpec, Trait, names_with
from shapecheck.project.same_cause import PASSED
from shapecheck.spec import DType, Shape, Size, TensorSpec, as_dtype, unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.callee_names import short_name
from shapecheck.static.domain.objects import ListValue, Namespace
from shapecheck.static.domain.sizes import is_integer
from shapecheck.static.provenance.call_operands import INPUT_PARAMETERS, arguments_of, known_sizes, tensors_of
from shapecheck.static.provenance.reevaluation import reevaluate
from shapecheck.static.provenance.value_sources import Fact, ValueSource, source_of_layer, source_of_tensor

if TYPE_CHECKING:
    from shapecheck.static.engine.run import Run

Kind = Literal["dtype", "layout", "shape"]
Replacement = Mapping[int, TensorSpec]
"""Other tensors for those of a call, by identity."""
Trial = Callable[[Replacement], bool]
"""Whether a call works with these replacements."""
_MOST_TENSORS = 3
_MOST_SIZES = 16
MOST_AXES = 6
"""Tensors of higher rank are not tried."""
_MOST_SHIFTS = 4
_SHIFTING = frozenset(("unsqueeze", "squeeze", "select", "__getitem__"))
"""Operators that add or remove dimensions, whatever the rank of their operand is."""
_NAMELESS = "?"
"""The text of a size of which nothing is known."""
_RANKS = range(MOST_AXES + 1)
_DTYPES = tuple(map(as_dtype, ("bool", "int64", "float16", "bfloat16", "float32", "float64", "complex64")))


class TensorChange(NamedTuple):
    """Another size, rank or dtype of a tensor, with which the call would work."""

    kind: str
    old: Value
    new: Value

    def __str__(self) -> str:
        return f"{self.kind} {self.old!s}->{self.new!s}"

    def reversed(self) -> TensorChange:
        """The change of the other side of the conflict."""
        return TensorChange(self.kind, self.new, self.old)


def causes_of_call(
    run: Run, node: ast.AST, layer: ModuleSpec | None, args: Sequence[Value], kwargs: Mapping[str, Value],
    kind: Kind, works: Trial, sizes: Iterable[Value] = (),
) -> tuple[str, ...]:  # fmt: skip
    """The causes of a refused call; `sizes` are those that the refusal names."""
    if not run.origins.noted or works({}):
        return ()
    tensors = list(tensors_of(node, args, kwargs))[:_MOST_TENSORS]
    values = [value for _, value in arguments_of(node, args, kwargs)]
    found: dict[str, None] = {}
    for expression, tensor in tensors:
        pool = _candidates(tensor, layer, values, sizes)
        for change in changes(tensor, [one for _, one in tensors], kind, works, pool):
            for origin in _before_shifts(run, expression, tensor, change):
                fact = Fact(origin.change.kind, origin.change.old)
                source = source_of_tensor(run, origin.names, origin.node, origin.tensor, fact)
                found |= dict.fromkeys(_texts(run, source, origin.change))
            if layer is not None and change.kind == "size" and any(change.new == size for size in _taken(layer)):
                found |= dict.fromkeys(_texts(run, source_of_layer(run, layer, "input"), change.reversed()))
    return tuple(found)


class _Shifted(NamedTuple):
    """A change of a tensor that an operator gave another rank, and the expression of the tensor."""

    names: Namespace
    node: ast.expr | None
    tensor: TensorSpec
    change: TensorChange


def _before_shifts(run: Run, node: ast.expr | None, tensor: TensorSpec, change: TensorChange) -> Iterator[_Shifted]:
    """The change itself; one of the rank also as that of the tensor before `unsqueeze`, `sum` and the like."""
    names = run.frame.scope
    for _ in range(_MOST_SHIFTS):
        yield _Shifted(names, node, tensor, change)
        made = run.origins.of_tensor(tensor) if change.kind == "rank" else None
        if made is None or short_name(made.callee) not in _SHIFTING | names_with(Trait.REDUCES):
            return
        operands = list(tensors_of(made.node, made.args, made.kwargs))
        before = operands[0][1] if len(operands) == 1 else tensor
        if before is tensor or before.rank is None or tensor.rank is None or type(change.new) is not int:
            return
        rank = change.new + before.rank - tensor.rank
        if rank < 0:
            return
        names, node, tensor, change = made.names, operands[0][0], before, TensorChange("rank", before.rank, rank)


def causes_of_violation(
    run: Run, annotation: str, value: Value, kind: Kind, works: Trial, expected: Value
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The causes of a value that violates an annotation: the value's, and those of what the annotation declares.

    `annotation` is the source of what is made from the annotation instead.
    """
    if not run.origins.noted or works({}):
        return (), ()
    tensors = list(tensors_within(value))
    of_value: dict[str, None] = {}
    declared: dict[str, None] = {}
    for item, tensor in tensors[:_MOST_TENSORS]:
        pool = _candidates(tensor, None, (), (expected,))
        for change in changes(tensor, [one for _, one in tensors], kind, works, pool):
            source = source_of_tensor(run, run.frame.scope, None, tensor, Fact(change.kind, change.old))
            of_value |= dict.fromkeys(_texts(run, source, change))
            declared[f"{annotation}{item}|{change.reversed()}"] = None
    return tuple(of_value), tuple(declared)


def tensors_within(value: Value) -> Iterator[tuple[str, TensorSpec]]:
    """A tensor, or the tensors of a tuple, each with its index."""
    if isinstance(value, TensorSpec):
        yield "", value
    elif type(value) is tuple:
        yield from ((f"[{index}]", one) for index, one in enumerate(value) if isinstance(one, TensorSpec))


def with_replacements(value: Value, replaced: Replacement) -> Value:
    """A value with other tensors in it."""
    if isinstance(value, TensorSpec):
        return replaced.get(id(value), value)
    if type(value) is tuple:
        return tuple(with_replacements(one, replaced) for one in value)
    if isinstance(value, ListValue) and not value.lost:
        return ListValue(tuple(with_replacements(one, replaced) for one in value.items))
    return value


def causes_of_pair(run: Run, node: ast.AST, left: TensorSpec, right: TensorSpec) -> tuple[str, ...]:
    """The causes of a finding about two tensors of these shapes: each of them, given the shape of the other."""
    shapes = " and ".join(sorted((str(left.shape), str(right.shape))))
    return _causes_of_operands(run, node, (left, right), shapes, None)


def causes_of_dtype(run: Run, node: ast.AST, args: Sequence[Value], dtype: DType) -> tuple[str, ...]:
    """The causes of a finding about the operands of this dtype."""
    return _causes_of_operands(run, node, args, str(dtype), Fact("dtype", dtype))


def _causes_of_operands(
    run: Run, node: ast.AST, args: Sequence[Value], what: str, fact: Fact | None
) -> tuple[str, ...]:
    if not run.origins.noted:
        return ()
    sources = [
        source_of_tensor(run, run.frame.scope, expression, one, fact)
        for expression, one in tensors_of(node, args, {})
        if fact is None or fact.holds_of(one)
    ]
    return tuple(dict.fromkeys(f"{source.text}|{what}" for source in sources if source is not None))


def causes_of_rank(run: Run, node: ast.expr | None, ranks: Iterable[int]) -> tuple[str, ...]:
    """The causes of a finding about the length of `x.shape` or `x.size()`; `ranks` are those that would do."""
    node = node.func if isinstance(node, ast.Call) and not node.args else node
    if not run.origins.noted or not isinstance(node, ast.Attribute) or node.attr not in ("shape", "size"):
        return ()
    tensor = reevaluate(run, node.value, run.frame.scope)
    if not isinstance(tensor, TensorSpec) or tensor.rank is None:
        return ()
    source = source_of_tensor(run, run.frame.scope, node.value, tensor, Fact("rank", tensor.rank))
    return tuple(text for rank in ranks for text in _texts(run, source, TensorChange("rank", tensor.rank, rank)))


def changes(
    tensor: TensorSpec, tensors: Sequence[TensorSpec], kind: Kind, works: Trial, pool: Sequence[Size]
) -> Iterator[TensorChange]:
    """The changes of one tensor with which a call of these tensors works."""
    if kind == "dtype":
        yield from _other_dtypes(tensor, works)
    elif kind == "layout":
        if works({id(tensor): tensor.with_layout("contiguous")}):
            yield TensorChange("layout", tensor.layout, "contiguous")
    elif works(_without_sizes(tensors)):
        yield from _other_sizes(tensor, works, pool)
    else:
        yield from _other_ranks(tensor, tensors, works)


def _other_dtypes(tensor: TensorSpec, works: Trial) -> Iterator[TensorChange]:
    if tensor.dtype is None:
        return
    for dtype in _DTYPES:
        if dtype != tensor.dtype and works({id(tensor): tensor.with_dtype(dtype)}):
            yield TensorChange("dtype", tensor.dtype, dtype)


def _other_sizes(tensor: TensorSpec, works: Trial, pool: Sequence[Size]) -> Iterator[TensorChange]:
    for size in dict.fromkeys(known_sizes(tensor)):
        for other in pool:
            if other != size and works({id(tensor): _resized(tensor, size, other)}):
                yield TensorChange("size", size, other)


def _other_ranks(tensor: TensorSpec, tensors: Sequence[TensorSpec], works: Trial) -> Iterator[TensorChange]:
    if tensor.rank is None:
        return
    others = _without_sizes(tensors)
    for rank in _RANKS:
        if rank != tensor.rank and works({**others, id(tensor): _of_rank(tensor, rank)}):
            yield TensorChange("rank", tensor.rank, rank)


def _without_sizes(tensors: Iterable[TensorSpec]) -> dict[int, TensorSpec]:
    """The tensors with unknown sizes, of the same rank if that is known."""
    found = {}
    for one in tensors:
        head, tail = (tuple(unknown("size") for _ in part) for part in (one.shape.head, one.shape.tail))
        found[id(one)] = one.with_shape(Shape(head, one.shape.run, tail))
    return found


def _of_rank(tensor: TensorSpec, rank: int) -> TensorSpec:
    """A tensor of this rank and unknown sizes."""
    return tensor.with_shape(Shape(tuple(unknown("size") for _ in range(rank))))


def _resized(tensor: TensorSpec, size: Size, other: Size) -> TensorSpec:
    """The tensor with another size in place of this one."""
    shape = tensor.shape
    head, tail = (tuple(other if one == size else one for one in part) for part in (shape.head, shape.tail))
    return tensor.with_shape(Shape(head, shape.run, tail), tensor.layout)


def _candidates(
    tensor: TensorSpec, layer: ModuleSpec | None, values: Iterable[Value], sizes: Iterable[Value]
) -> list[Size]:
    """The sizes that a tensor may have to have: those of the refusal, the layer, the other tensors and the arguments.

    Not 1, which broadcasts to anything, so that it connects what has nothing in common.
    """
    found: dict[Size, None] = {}
    others = (one for one in values if one is not tensor)
    for one in (*sizes, *(_taken(layer) if layer is not None else ()), *others):
        if isinstance(one, TensorSpec):
            found |= dict.fromkeys(known_sizes(one))
        elif is_integer(one):
            found |= {one: None, one + 1: None} if type(one) is int else {one: None}
    return [one for one in found if (one > 1 if type(one) is int else str(one) != _NAMELESS)][:_MOST_SIZES]


def _taken(layer: ModuleSpec) -> Iterator[Size]:
    """The sizes that a layer takes."""
    for name in INPUT_PARAMETERS:
        value = getattr(layer, name, None)
        yield from (one for one in (value if type(value) is tuple else (value,)) if is_integer(one))


def _texts(run: Run, source: ValueSource | None, change: TensorChange) -> Iterator[str]:
    """The cause, the finding behind it, and the calls that the value passed through."""
    if source is None:
        return
    cause = f"{source.text}|{change}"
    yield cause
    yield from (PASSED + place for place in source.passed)
    behind = run.origins.explanation(cause)
    if behind is not None:
        yield behind
