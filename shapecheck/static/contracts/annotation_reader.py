"""Reads annotations: jaxtyping's, unions, tuples, lists, dicts, aliases and classes of the project."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from shapecheck.spec import Annotation, ShapeError
from shapecheck.spec.annotation import DTYPE_CLASSES, parse_annotation
from shapecheck.spec.annotation_text import extended
from shapecheck.static.contracts.annotation_types import (
    ANYTHING,
    NONE,
    AnnotationType,
    InstanceOf,
    LiteralType,
    PlainType,
    SequenceOf,
    TensorType,
    TupleOf,
    UnionOf,
    union_of,
)
from shapecheck.static.contracts.name_resolution import AnnotationScope, resolve_name
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ClassValue, Namespace
from shapecheck.static.domain.values import ExternalReference, TypeAlias
from shapecheck.static.engine.dispatch import evaluate
from shapecheck.static.engine.frames import Frame

_MAX_DEPTH = 20
_ANY_TENSOR = TensorType(Annotation(None, "Shaped", "..."), has_axes=False)
_TENSOR_CLASSES = frozenset(
    "torch.Tensor torch.nn.Parameter torch.nn.parameter.Parameter torch.nn.Buffer torch._tensor.Tensor".split()
)
_PLAIN_TYPES: dict[str, type] = {f"builtins.{one.__name__}": one for one in (bool, int, float, str)}
_TYPING = ("typing.", "typing_extensions.", "collections.", "builtins.")


def read(scope: AnnotationScope, node: ast.expr | None, depth: int = 0) -> AnnotationType:
    """Parses an annotation; returns ANYTHING if it concerns no tensors or cannot be parsed."""
    if node is None or depth > _MAX_DEPTH:
        return ANYTHING
    if isinstance(node, ast.Constant):
        return _constant(scope, node.value, depth)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return union_of([read(scope, node.left, depth + 1), read(scope, node.right, depth + 1)])
    if isinstance(node, ast.Subscript):
        return _subscript(scope, node, depth)
    return _of_value(scope, resolve_name(scope, node), depth)


def _constant(scope: AnnotationScope, value: object, depth: int) -> AnnotationType:
    if value is None:
        return NONE
    if not isinstance(value, str):
        return ANYTHING
    try:
        return read(scope, ast.parse(value.strip(), mode="eval").body, depth + 1)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ANYTHING


def _of_value(scope: AnnotationScope, value: Value, depth: int) -> AnnotationType:
    if isinstance(value, TypeAlias):
        return read(AnnotationScope(scope.run, value.names), value.node, depth + 1)
    if isinstance(value, ClassValue):
        return InstanceOf(value)
    if isinstance(value, ExternalReference):
        if value.name in _TENSOR_CLASSES:
            return _ANY_TENSOR
        return PlainType(_PLAIN_TYPES[value.name]) if value.name in _PLAIN_TYPES else ANYTHING
    return _constant(scope, value, depth) if value is None or isinstance(value, str) else ANYTHING


def _subscript(scope: AnnotationScope, node: ast.Subscript, depth: int) -> AnnotationType:
    base = resolve_name(scope, node.value)
    inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if isinstance(base, ClassValue):
        return InstanceOf(base)
    if not isinstance(base, ExternalReference):
        return ANYTHING
    package, _, name = base.name.rpartition(".")
    if package == "jaxtyping" and name in DTYPE_CLASSES and len(inside) == 2:
        return _tensor_type(scope, name, inside[0], inside[1], depth)
    rule = _RULES.get(name) if base.name.startswith(_TYPING) else None
    return ANYTHING if rule is None or not inside else rule(scope, inside, depth + 1)


def _tensor_type(scope: AnnotationScope, dtype: str, array: ast.expr, axes: ast.expr, depth: int) -> AnnotationType:
    """`Float[array, axes]`; the array is a tensor type, an alias that has axes already, or a union of those."""
    text = _axis_string(scope, axes)
    kind = read(scope, array, depth + 1)
    if text is None:
        return ANYTHING
    try:
        made = [_with_axes(one, dtype, text) for one in (kind.members if isinstance(kind, UnionOf) else (kind,))]
    except ShapeError:
        return ANYTHING
    return union_of(made)


def _with_axes(array: AnnotationType, dtype: str, text: str) -> AnnotationType:
    if not isinstance(array, TensorType):
        return ANYTHING
    made = extended(dtype, array.annotation, text) if array.has_axes else parse_annotation(dtype, text)
    return _ANY_TENSOR if made.problems else TensorType(made)


def _axis_string(scope: AnnotationScope, node: ast.expr) -> str | None:
    """The axis string: a literal, or an expression evaluated in the scope of the annotation; None if unknown."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None

    run = scope.run
    with run.silenced(), run.inside(Frame(Namespace(scope.names.loaded, scope.names))):
        value = evaluate(run, node)
    return value if isinstance(value, str) else None


def _optional(scope: AnnotationScope, inside: Sequence[ast.expr], depth: int) -> AnnotationType:
    return union_of([read(scope, inside[0], depth), NONE])


def _union(scope: AnnotationScope, inside: Sequence[ast.expr], depth: int) -> AnnotationType:
    return union_of([read(scope, one, depth) for one in inside])


def _first(scope: AnnotationScope, inside: Sequence[ast.expr], depth: int) -> AnnotationType:
    return read(scope, inside[0], depth)


def _tuple(scope: AnnotationScope, inside: Sequence[ast.expr], depth: int) -> AnnotationType:
    if len(inside) == 2 and isinstance(inside[1], ast.Constant) and inside[1].value is ...:
        return SequenceOf(read(scope, inside[0], depth))
    if any(isinstance(one, ast.Starred) for one in inside):
        return ANYTHING
    return TupleOf(tuple(read(scope, one, depth) for one in inside))


def _items(scope: AnnotationScope, inside: Sequence[ast.expr], depth: int) -> AnnotationType:
    return SequenceOf(read(scope, inside[0], depth))


def _iterables(scope: AnnotationScope, inside: Sequence[ast.expr], depth: int) -> AnnotationType:
    return SequenceOf(read(scope, inside[0], depth), tensors=True)


def _values(scope: AnnotationScope, inside: Sequence[ast.expr], depth: int) -> AnnotationType:
    return SequenceOf(read(scope, inside[1], depth), mapping=True) if len(inside) == 2 else ANYTHING


def _literal(scope: AnnotationScope, inside: Sequence[ast.expr], depth: int) -> AnnotationType:
    known = all(isinstance(one, ast.Constant) for one in inside)
    return LiteralType(tuple(one.value for one in inside if isinstance(one, ast.Constant))) if known else ANYTHING


_RULES: dict[str, Callable[[AnnotationScope, Sequence[ast.expr], int], AnnotationType]] = {
    "Optional": _optional,
    "Union": _union,
    "Literal": _literal,
    **dict.fromkeys(("tuple", "Tuple"), _tuple),
    **dict.fromkeys("Annotated Final ClassVar Required NotRequired ReadOnly".split(), _first),
    **dict.fromkeys(
        "list List set Set frozenset FrozenSet Sequence MutableSequence Iterator Generator deque".split(), _items
    ),
    **dict.fromkeys(("Iterable", "Collection"), _iterables),
    **dict.fromkeys("dict Dict Mapping MutableMapping OrderedDict defaultdict DefaultDict".split(), _values),
}
