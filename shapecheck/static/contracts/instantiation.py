"""Instantiates annotations, and narrows values by them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from shapecheck.ops import Unknown
from shapecheck.spec import Annotation, Bindings, Shape, ShapeError, Size, TensorSpec, VariadicAxes, axis, same, unknown
from shapecheck.spec.annotation import AxisPattern, Fixed, Named, Symbolic, Variadic
from shapecheck.spec.dim import is_variable
from shapecheck.spec.symbolic import HoleValue
from shapecheck.static.contracts.annotation_types import (
    ANYTHING,
    AnnotationType,
    InstanceOf,
    PlainType,
    SequenceOf,
    TensorType,
    TupleOf,
    UnionOf,
)
from shapecheck.static.contracts.contract import RECORDS, field_types, is_record, is_typed_dict, mentions_axes
from shapecheck.static.contracts.matching import accepts, matched
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives, one_of
from shapecheck.static.domain.floats import UnknownFloat
from shapecheck.static.domain.objects import ClassValue, DictValue, Instance, SymbolicInstance
from shapecheck.static.domain.summary_collections import summary_dict, summary_list
from shapecheck.static.domain.values import SummarySequence
from shapecheck.static.engine.run import Run

_Classes: TypeAlias = tuple[ClassValue, ...]

_MAX_RECORDS = 3


class AxisInstances:
    """The meaning of axis names: what a call has bound, else axes of `scope`, else unknown sizes.

    Axes of one scope differ from each other: a body that is analyzed with them must work for all sizes.
    """

    def __init__(self, scope: str = "", bindings: Bindings | None = None) -> None:
        known = Bindings() if bindings is None else bindings
        self.scope = scope
        self.bindings = known
        self.holes: Mapping[str, HoleValue] = known.holes
        self._sizes: dict[str, Size] = dict(known.sizes)
        self._runs: dict[str, Shape] = {name: shape for name, (spreads, shape) in known.runs.items() if not spreads}

    def size(self, name: str) -> Size:
        """The size of an axis name, the same each time."""
        if name not in self._sizes:
            self._sizes[name] = axis(name, self.scope) if self.scope else unknown(name, 0)
        return self._sizes[name]

    def run(self, name: str) -> Shape:
        """The sizes of a variadic name."""
        return self._runs.setdefault(name, Shape((), VariadicAxes(name, self.scope) if self.scope else VariadicAxes()))

    def spec(self, annotation: Annotation) -> TensorSpec:
        """Instantiates a tensor annotation: whatever it leaves open is unknown."""
        dtypes = annotation.dtypes
        dtype = next(iter(dtypes)) if dtypes is not None and len(dtypes) == 1 else None
        head: list[Size] = []
        tail: list[Size] = []
        run: VariadicAxes | None = None
        for pattern in annotation.axes:
            if isinstance(pattern, Variadic):
                middle = self._middle(pattern)
                head += middle.head
                run = middle.run
                tail += middle.tail
            else:
                (head if run is None else tail).append(self._axis(pattern))
        return TensorSpec.make(Shape(tuple(head), run, tuple(tail)), dtype)

    def _middle(self, pattern: Variadic) -> Shape:
        plain = pattern.name and not pattern.broadcast and not pattern.tree
        return self.run(pattern.name) if plain and pattern.name else Shape((), VariadicAxes())

    def _axis(self, pattern: AxisPattern) -> Size:
        if not pattern.broadcast and not pattern.tree:
            if isinstance(pattern, Named) and pattern.name:
                return self.size(pattern.name)
            if isinstance(pattern, Fixed) and pattern.size >= 0:
                return pattern.size
            if isinstance(pattern, Symbolic):
                return self._computed(pattern)
        return unknown(pattern.text, 0)

    def _computed(self, pattern: Symbolic) -> Size:
        expression = pattern.expression
        names = {name: self.size(name) for name in expression.missing({}, self.holes)}
        try:
            value = expression.value(names, self.holes)
        except (ArithmeticError, ShapeError):
            value = None
        return unknown(pattern.text, 0) if value is None or isinstance(value, float) else value


def instantiate_annotation(
    run: Run, kind: AnnotationType, axes: AxisInstances, hint: str = "?", enclosing: _Classes = ()
) -> Value:
    """Instantiates a type; `enclosing` are the records whose fields are being made, outermost first."""
    if isinstance(kind, TensorType):
        return axes.spec(kind.annotation)
    if isinstance(kind, PlainType):
        return _plain(kind.type, hint)
    if isinstance(kind, UnionOf):
        return one_of(instantiate_annotation(run, one, axes, hint, enclosing) for one in kind.members)
    if isinstance(kind, TupleOf):
        return tuple(instantiate_annotation(run, one, axes, hint, enclosing) for one in kind.items)
    if isinstance(kind, SequenceOf):
        item = _trusted_item(kind)
        return SummarySequence(instantiate_annotation(run, item, axes, hint, enclosing), kind.mapping)
    if isinstance(kind, InstanceOf):
        return symbolic_instance(run, kind.cls, f"{axes.scope}.{hint}" if axes.scope else "", enclosing)
    return Unknown(f"value of {hint}")


def _trusted_item(kind: SequenceOf) -> AnnotationType:
    """The type of the items; of `list[list[int]]`, lists of anything: no program checks how deep the numbers are.

    Nor are the tuples of a `dict[str, tuple[float]]` known to have one item.
    """
    item = kind.item
    if isinstance(item, TupleOf) and len(item.items) == 1 and isinstance(item.items[0], PlainType):
        return SequenceOf(ANYTHING)
    if isinstance(item, SequenceOf) and isinstance(item.item, PlainType):
        return replace(item, item=ANYTHING)
    return item


def _plain(of: type, hint: str) -> Value:
    if of is int:
        return unknown(hint)
    if of is float:
        return UnknownFloat()
    return None if of is type(None) else Unknown(f"value of {hint}")


def instantiate_collection(run: Run, kind: AnnotationType, hint: str) -> Value:
    """Instantiates a type that mentions no axes, with mutable lists and dicts."""
    if isinstance(kind, SequenceOf):
        item = instantiate_collection(run, _trusted_item(kind), hint)
        return summary_dict(item) if kind.mapping else summary_list(item)
    if isinstance(kind, TupleOf):
        return tuple(instantiate_collection(run, one, hint) for one in kind.items)
    if isinstance(kind, UnionOf):
        return one_of(instantiate_collection(run, one, hint) for one in kind.members)
    return instantiate_annotation(run, kind, AxisInstances(), hint)


def narrow_to_annotation(run: Run, kind: AnnotationType, value: Value, axes: AxisInstances, hint: str = "?") -> Value:
    """The value, narrowed by its type."""
    if isinstance(value, Unknown):
        return (
            value if isinstance(value, (Alternatives, UnknownFloat)) else instantiate_annotation(run, kind, axes, hint)
        )
    if isinstance(kind, TensorType) and isinstance(value, TensorSpec):
        return _meet(value, axes.spec(kind.annotation)) if kind.has_axes else value
    if isinstance(kind, TupleOf) and type(value) is tuple and len(value) == len(kind.items):
        pairs = zip(kind.items, value, strict=True)
        return tuple(narrow_to_annotation(run, one, item, axes, hint) for one, item in pairs)
    if isinstance(kind, UnionOf):
        fitting = [one for one in kind.members if _may_be(one, value, axes)]
        return narrow_to_annotation(run, fitting[0], value, axes, hint) if len(fitting) == 1 else value
    return value


def _may_be(kind: AnnotationType, value: Value, axes: AxisInstances) -> bool:
    try:
        matched(kind, value, axes.bindings)
    except ShapeError:
        return False
    return accepts(kind, value) is not False


def _meet(known: TensorSpec, declared: TensorSpec) -> TensorSpec:
    """The meet of two tensors: known sizes take precedence over the axis names of the annotation."""
    shape = _meet_shapes(known.shape, declared.shape)
    dtype = declared.dtype if known.dtype is None else known.dtype
    strides = known.strides if shape == known.shape else None
    return TensorSpec.make(shape, dtype, known.layout, known.device, strides)


def _meet_shapes(known: Shape, declared: Shape) -> Shape:
    if known.run is None and declared.run is not None:
        return _meet_known_rank(known.head, declared)
    if known.run is not None and declared.run is None:
        return Shape(_meet_declared_rank(declared.head, known))
    if known.run is not None:
        return declared if not known.least_rank else known
    return (
        Shape(tuple(map(_more_precise, known.head, declared.head))) if len(known.head) == len(declared.head) else known
    )


def _meet_known_rank(dims: tuple[Size, ...], declared: Shape) -> Shape:
    if len(dims) < declared.least_rank:
        return Shape(dims)
    first, last = len(declared.head), len(dims) - len(declared.tail)
    return Shape(
        (*map(_more_precise, dims, declared.head), *dims[first:last], *map(_more_precise, dims[last:], declared.tail))
    )


def _meet_declared_rank(dims: tuple[Size, ...], known: Shape) -> tuple[Size, ...]:
    if len(dims) < known.least_rank:
        return dims
    first, last = len(known.head), len(dims) - len(known.tail)
    return (*map(_more_precise, known.head, dims), *dims[first:last], *map(_more_precise, known.tail, dims[last:]))


def _more_precise(known: Size, declared: Size) -> Size:
    if isinstance(known, int) or same(known, declared):
        return known
    is_unknown = not isinstance(declared, int) and is_variable(declared) and not declared.scope
    return known if is_unknown else declared


def symbolic_instance(run: Run, cls: ClassValue, scope: str, enclosing: _Classes = ()) -> Value:
    """A symbolic instance of a class; Unknown if its annotations mention no axes.

    The fields of a record inside a record of the same class are unknown until they are read: it may refer to itself.
    """
    axes = AxisInstances(scope)
    if is_typed_dict(cls):
        return DictValue({**_fields(run, cls, axes, enclosing)})
    if cls.outside() & RECORDS:
        made = SymbolicInstance(cls, axes)
        made.fields.update(_fields(run, cls, axes, enclosing))
        return made
    if not is_record(cls) and not mentions_axes(run, InstanceOf(cls)):
        return Unknown(f"an unknown {cls.node.name}")
    return SymbolicInstance(cls, axes)


def _fields(run: Run, cls: ClassValue, axes: AxisInstances, enclosing: _Classes) -> dict[str, Value]:
    """Instantiates the fields of a record, those of a nested one only up to a depth and if its class is another."""
    kinds = field_types(run, cls)
    if cls in enclosing or len(enclosing) >= _MAX_RECORDS:
        return {name: Unknown(f"value of {name}") for name in kinds}
    inside = (*enclosing, cls)
    return {name: instantiate_annotation(run, kind, axes, name, inside) for name, kind in kinds.items()}


def declared_attribute(run: Run, value: Instance, name: str, known: Unknown) -> Value:
    """Instantiates an otherwise unknown field from its annotation in the class; returns `known` if it has none."""
    kind = field_types(run, value.cls).get(name, ANYTHING)
    if kind is ANYTHING or not (isinstance(value, SymbolicInstance) or mentions_axes(run, kind)):
        return known
    axes = value.promise = value.promise or AxisInstances()
    found = instantiate_annotation(run, kind, axes, name)
    run.journal.write(value, name, found)
    return found
