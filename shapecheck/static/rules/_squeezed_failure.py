"""`x.squeeze()` that removes a batch of one, wherever the batch is: reported where a later operator then fails.

The result carries two shapes: the usual one, and that for a batch of one. Each operator that receives it is applied to
both. If it refuses only the second one, and not because the batch is one, the squeeze is reported.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from shapecheck.conditions import squeeze_batch as rule
from shapecheck.diagnostics import Note
from shapecheck.ops import infer
from shapecheck.spec import Dim, Shape, ShapeError, Size, TensorSpec, VariadicAxes, unknown
from shapecheck.spec import substitute as put_in
from shapecheck.spec.dim import variables
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.callee_names import is_of_self
from shapecheck.static.domain.floats import as_operand
from shapecheck.static.domain.followed_axes import Followed, fact_of, facts_in, with_fact
from shapecheck.static.domain.objects import ListValue
from shapecheck.static.domain.substitution import substitute
from shapecheck.static.engine.hooks import AbstractCall, after, followed
from shapecheck.static.engine.operands import to_ops
from shapecheck.static.engine.origins import TensorOrigin
from shapecheck.static.engine.places import Place, note_at
from shapecheck.static.provenance.call_operands import tensors_of
from shapecheck.static.rules._guarded import has_tested_length, is_guarded
from shapecheck.static.rules._owners import report_at, running_weights
from shapecheck.static.rules._written_axes import is_inserted

_MOST_HOPS = 16
_READING_RANK = frozenset(("dim", "ndim", "ndimension", "shape"))


@dataclass(frozen=True, slots=True, eq=False)
class _Origin:
    """A squeeze, and the batch that it may remove."""

    place: Place
    found: rule.LostBatch
    batch: Dim
    lead: VariadicAxes | None
    """The dimensions of unknown number that are taken to be the batch alone; None if the batch is a known dimension."""
    examined: set[str] = field(default_factory=set)
    """The operators that read the rank of a result: the program may handle a batch of one."""


@dataclass(frozen=True, slots=True, eq=False)
class _Squeezed:
    """The shapes of a tensor that is computed from the result of a squeeze."""

    origin: _Origin
    usual: Shape
    single: Shape
    """Its shape for a batch of one."""

    def joined(self, other: Followed) -> Followed | None:
        """The same for a tensor that is one of two, if both come from this squeeze."""
        if not isinstance(other, _Squeezed) or other.origin.place.node is not self.origin.place.node:
            return None
        self.origin.examined.update(other.origin.examined)
        ranks = (self.usual.rank, self.single.rank)
        return self if ranks == (other.usual.rank, other.single.rank) else None

    def resized(self, dim: int) -> Followed | None:
        """The same for a tensor with another size at `dim`."""
        return replace(self, usual=self.usual.with_at(dim, unknown()), single=self.single.with_at(dim, unknown()))


@after(rule.CODE, *rule.OPERATORS)
def squeezed(call: AbstractCall, result: Value) -> Value:
    """Follows a result that may have lost the batch."""
    input = call.argument(0, "input")
    if len(call.args) + len(call.kwargs) > 1 or not isinstance(input, TensorSpec) or not isinstance(result, TensorSpec):
        return result
    if result.rank is not None or fact_of(input) is not None or _is_in_constructor(call):
        return result
    origin = _origin(call, input)
    if origin is None:
        return result
    shape = _with_lead(input.shape, origin.lead, origin.batch)
    usual = Shape(tuple(size for size in shape.head if size != 1))
    single = Shape(tuple(size for size in usual.head if size != origin.batch))
    return with_fact(result, _Squeezed(origin, usual, single))


def _origin(call: AbstractCall, input: TensorSpec) -> _Origin | None:
    shape, place = input.shape, Place(call.run.loaded, call.node)
    if shape.run is not None:
        axes = tuple(axis for axis in range(-len(shape.tail), 0) if shape.tail[axis] == 1)
        is_batch = bool(axes) and not shape.head
        return _Origin(place, rule.LostBatch(shape, axes), unknown("n", low=0), shape.run) if is_batch else None
    found = rule.find_anywhere(shape)
    if found is None:
        return None
    batch = shape.head[found.batch]
    if not isinstance(batch, Dim) or _is_image(shape) or _is_of_module(call, batch):
        return None
    if shape.head[0] == 1 and not _is_of_program(call, input):
        return None
    return _Origin(place, found, batch, None)


def _is_image(shape: Shape) -> bool:
    """Whether the sizes that may be 1 are the height and width of the single image of a batch."""
    return shape.rank == 4 and shape.head[0] == 1 and all(isinstance(size, Dim) for size in shape.head[-2:])


def _is_of_module(call: AbstractCall, batch: Dim) -> bool:
    """Whether the size is one of a weight, parameter or buffer of a running module, from which the tensor is computed.

    Such a tensor has no origin, or a constructor made it. False if no origins are recorded.
    """
    origins = call.run.origins
    operands = [*tensors_of(call.node, call.args, call.kwargs)]
    for _ in range(_MOST_HOPS if origins.noted else 0):
        if len(operands) != 1:
            return False
        ((node, value),) = operands
        made = origins.of_tensor(value)
        if made is None or _is_of_constructor(made):
            is_held = (
                made is not None or _is_part_of_self(node) or any(value is one for one in running_weights(call.run))
            )
            return is_held and variables(batch).issubset(frozenset().union(*map(variables, value.shape.head)))
        operands = [*tensors_of(made.node, made.args, made.kwargs)] if isinstance(made.callee, str) else []
    return False


def _is_of_constructor(made: TensorOrigin) -> bool:
    call = made.names.call
    return call is not None and call.function is not None and call.function.name == "__init__"


def _is_part_of_self(node: ast.expr | None) -> bool:
    """Whether it is `self.scale` or `self.part.scale`."""
    while isinstance(node, ast.Attribute) and not is_of_self(node):
        node = node.value
    return is_of_self(node)


def _is_in_constructor(call: AbstractCall) -> bool:
    """Whether a constructor runs, which computes weights and masks, and receives no batch."""
    return any(getattr(frame.function, "name", "") == "__init__" for frame in call.run.outward())


def _is_of_program(call: AbstractCall, input: TensorSpec) -> bool:
    """Whether an operator made a first dimension of 1 other than a batch; True if no origins are recorded."""
    origins = call.run.origins
    if not origins.noted:
        return True
    return origins.of_tensor(input) is not None and not is_inserted(call.run, input, 0)


@followed(rule.CODE, "*")
def used(call: AbstractCall, result: Value) -> Value:
    """Applies an operator to the usual shapes and to those for a batch of one."""
    for fact in facts_in((*call.args, *call.kwargs.values())):
        if isinstance(fact, _Squeezed):
            return _follow(call, result, fact.origin)
    return result


def _follow(call: AbstractCall, result: Value, origin: _Origin) -> Value:
    if call.name in _READING_RANK or (call.name == "size" and len(call.args) == 1):
        origin.examined.add(call.name)
    if origin.examined:
        return result
    usual = _apply(call, partial(_usual, origin))
    single_batch = _apply(call, partial(_batch_of_one, origin, squeezes=False))
    single = _apply(call, partial(_batch_of_one, origin, squeezes=True))
    if isinstance(usual, ShapeError) or isinstance(single_batch, ShapeError):
        return result
    if isinstance(single, ShapeError):
        _report(call, origin, single)
        return result
    return _with_shapes(origin, result, usual, single)


def _with_shapes(origin: _Origin, result: Value, usual: object, single: object) -> Value:
    """The result with both shapes, if they still differ in rank."""
    if isinstance(result, TensorSpec) and isinstance(usual, TensorSpec) and isinstance(single, TensorSpec):
        ranks = usual.rank, single.rank
        if result.rank is not None or None in ranks or ranks[0] == ranks[1]:
            return result
        return with_fact(result, _Squeezed(origin, usual.shape, single.shape))
    if not (type(result) is type(usual) is type(single) is tuple):
        return result
    if not len(result) == len(usual) == len(single):
        return result
    return tuple([_with_shapes(origin, *each) for each in zip(result, usual, single, strict=True)])


def _apply(call: AbstractCall, variant: Callable[[Value], Value]) -> object:
    """The result of the operator for a variant of its arguments, or its refusal."""
    callee = call.operator if call.layer is None else call.layer
    args = [to_ops(as_operand(_each(one, variant))) for one in call.args]
    kwargs: Mapping[str, object] = {key: to_ops(as_operand(_each(one, variant))) for key, one in call.kwargs.items()}
    try:
        return infer(callee, *args, **kwargs)
    except ShapeError as refusal:
        return refusal


def _each(value: Value, variant: Callable[[Value], Value]) -> Value:
    """The variant of a value, or of each item of a list or tuple."""
    if isinstance(value, ListValue):
        return value if value.lost else ListValue(tuple(map(variant, value.items)))
    return tuple(map(variant, value)) if type(value) is tuple else variant(value)


def _usual(origin: _Origin, value: Value) -> Value:
    fact = fact_of(value)
    if isinstance(fact, _Squeezed) and isinstance(value, TensorSpec):
        return value.with_shape(fact.usual)
    return _in_lead(origin, value)


def _batch_of_one(origin: _Origin, value: Value, *, squeezes: bool) -> Value:
    """A value for a batch of one; squeezes: whether the squeeze removes it."""
    fact = fact_of(value)
    if isinstance(fact, _Squeezed) and isinstance(value, TensorSpec):
        value = value.with_shape(fact.single if squeezes else fact.usual)
    sizes = {origin.batch: 1}
    return substitute(_in_lead(origin, value), lambda size: put_in(size, sizes))


def _in_lead(origin: _Origin, value: Value) -> Value:
    if not isinstance(value, TensorSpec) or origin.lead is None or value.shape.run is not origin.lead:
        return value
    return value.with_shape(_with_lead(value.shape, origin.lead, origin.batch), value.layout)


def _with_lead(shape: Shape, lead: VariadicAxes | None, batch: Size) -> Shape:
    """The shape with the batch in the place of the dimensions of unknown number."""
    return shape if lead is None or shape.run is not lead else Shape((*shape.head, batch, *shape.tail))


def _report(call: AbstractCall, origin: _Origin, refusal: ShapeError) -> None:
    place = origin.place
    if is_guarded(place.loaded.tree, place.node) or has_tested_length(place.loaded.tree, place.node):
        return

    def why() -> list[Note]:
        input = note_at(place.loaded, place.node, origin.found.explanation)
        return [input, note_at(call.run.loaded, call.node, f"fails for a batch of one: {refusal}")]

    report_at(call.run, place, call.node, rule.CODE, origin.found.message, why)
