"""`x.shape == 4`: a comparison of two types that are never equal, so it has the same result in every run."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from shapecheck.ops import Unknown
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.spec import Dim, DType, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import OpenShape, members_of
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.domain.objects import ListValue
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.domain.unset_argument import UnsetArgument
from shapecheck.static.domain.values import ExternalReference
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.hooks import AbstractComparison, compared
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.evident_tensors import is_evident
from shapecheck.static.provenance.reevaluation import reevaluate

_CODE: Final = "constant-comparison"
_LONGEST = 60
_MAY_BE_TENSORS: Final = (TensorSpec, Unknown, SymbolicArgument, UnsetArgument)

_SIZES = "a tuple of sizes"
_SIZE = "a number"
_DTYPE = "a torch.dtype"
_DEVICE = "a torch.device"
_METHOD = "a method"
_OTHER_METHOD = "a result"
_NUMBER, _TUPLE, _LIST, _TEXT, _FOREIGN_TYPE = "a number", "a tuple", "a list", "a string", "a type of Python or numpy"
_TENSOR = "a tensor"
_NEVER_EQUAL = {
    _SIZES: frozenset((_NUMBER, _LIST, _TEXT, _FOREIGN_TYPE, _TENSOR)),
    _SIZE: frozenset((_TUPLE, _LIST, _TEXT)),
    _DTYPE: frozenset((_NUMBER, _TUPLE, _LIST, _TEXT, _FOREIGN_TYPE)),
    _DEVICE: frozenset((_NUMBER, _TUPLE, _LIST, _TEXT)),
    _METHOD: frozenset((_NUMBER, _TUPLE, _LIST, _TEXT, _OTHER_METHOD)),
}
_KIND_OF_PROPERTY = {_SIZES: _TUPLE, _SIZE: _NUMBER, _METHOD: _OTHER_METHOD}
"""The kind of a value that reads a property of a tensor, whatever the value is."""
_ADVICE = {
    (_SIZES, _NUMBER): "compare the number of dimensions, dim()",
    (_SIZES, _LIST): "compare with a tuple",
    (_SIZES, _TENSOR): "compare with its shape",
    (_SIZE, _TUPLE): "compare the shape",
    (_SIZE, _LIST): "compare the shape",
    (_DTYPE, _TEXT): "compare with a dtype of torch",
    (_DTYPE, _FOREIGN_TYPE): "compare with a dtype of torch",
    (_DEVICE, _TEXT): "compare device.type",
}


class _Property(NamedTuple):
    """What an expression reads of a tensor, and the expression that is the tensor."""

    kind: str
    place: ast.expr
    of_arrays: bool = False
    """Whether the arrays of other libraries have it as well, with the same type."""


@compared(_CODE, "==", "!=", "in", "not in")
def of_two_types(comparison: AbstractComparison) -> None:
    """Reports a comparison of a property of a tensor with a value of another type."""
    run, (left, right) = comparison.run, comparison.values
    sides = [(comparison.left, left, comparison.right, right)]
    if comparison.op in ("==", "!="):
        sides.append((comparison.right, right, comparison.left, left))
    for node, value, beside, other in sides:
        read = _property_of(node)
        if read is None:
            continue
        others = members_of(other) if comparison.op in ("==", "!=") else _items(other)
        kinds = [_kind_of(one) or _kind_of_read(run, read, beside, one) for one in others]
        if (
            not kinds
            or not all(one in _NEVER_EQUAL[read.kind] for one in kinds)
            or not _is_read(run, read, value, kinds)
        ):
            continue
        _report(comparison, node, read, kinds[0])
        return


def _report(comparison: AbstractComparison, node: ast.expr, read: _Property, kind: str) -> None:
    text = ast.unparse(comparison.node)
    if len(text) > _LONGEST:
        return
    verdict = "true" if comparison.op in ("!=", "not in") else "false"
    advice = _ADVICE.get((read.kind, kind), "")
    if read.kind == _METHOD:
        advice = f"call {ast.unparse(node)}()"
    message = f"`{text}` is always {verdict}: {ast.unparse(node)} is {read.kind}, not {kind}"
    comparison.run.report(_CODE, comparison.node, f"{message}; {advice}" if advice else message)


@compared(_CODE, "==", "!=")
def of_two_methods(comparison: AbstractComparison) -> None:
    """Reports `a.numel == b.numel`, which compares the methods, not their results."""
    left, right = _property_of(comparison.left), _property_of(comparison.right)
    if left is None or right is None or {left.kind, right.kind} != {_METHOD}:
        return
    if ast.unparse(left.place) == ast.unparse(right.place):
        return
    if _has_method(comparison, comparison.left, left) and _has_method(comparison, comparison.right, right):
        _report(comparison, comparison.left, left, _OTHER_METHOD)


def _has_method(comparison: AbstractComparison, node: ast.expr, read: _Property) -> bool:
    """Whether a value is a tensor for another reason than the method, or an unknown object that is used as one."""
    found = members_of(reevaluate(comparison.run, read.place, comparison.run.frame.scope))
    if found and all(_is_tensor(one) and _has_rank(one) for one in found):
        return True
    function = comparison.run.frame.function
    if function is None or not all(isinstance(one, (Unknown, TensorSpec)) for one in found):
        return False
    if all(map(_is_tensor, found)) and read.place in _annotated(function):
        return True
    is_of_tensors = isinstance(node, ast.Attribute) and node.attr in _OF_TENSORS
    return is_of_tensors and ast.unparse(read.place) in _shaped(function)


@cached_on_node
def _annotated(function: ast.AST) -> frozenset[ast.expr]:
    """The reads of parameters with an annotation."""
    spec = getattr(function, "args", None)
    names = {one.name for one in parameters_of(spec) if one.node.annotation} if spec else set()
    return frozenset(one for one in walk(function) if isinstance(one, ast.Name) and one.id in names)


@cached_on_node
def _shaped(function: ast.AST) -> frozenset[str]:
    """The expressions whose shape a function reads."""
    reads = [one for one in walk(function) if isinstance(one, ast.Attribute) and one.attr == "shape"]
    return frozenset(ast.unparse(one.value) for one in reads)


@cached_on_node
def _property_of(node: ast.expr) -> _Property | None:
    """What an expression reads of a tensor, if it is one; None for other expressions."""
    if isinstance(node, ast.Attribute):
        return _of_attribute(node)
    if isinstance(node, ast.Subscript):
        of = _property_of(node.value)
        if of is None or of.kind != _SIZES:
            return None
        return of if isinstance(node.slice, ast.Slice) else of._replace(kind=_SIZE)
    if not isinstance(node, ast.Call) or node.keywords:
        return None
    if isinstance(node.func, ast.Attribute):
        return _of_method(node.func, node.args)
    if isinstance(node.func, ast.Name) and node.func.id == "len" and len(node.args) == 1:
        of = _property_of(node.args[0])
        return of._replace(kind=_SIZE) if of is not None and of.kind == _SIZES else None
    return None


_ATTRIBUTES = {"shape": (_SIZES, True), "ndim": (_SIZE, True), "dtype": (_DTYPE, False), "device": (_DEVICE, False)}
_METHODS = frozenset("dim size numel ndimension nelement".split())
_OF_TENSORS = frozenset("numel ndimension nelement".split())
"""Those that no other library has, neither as methods nor as attributes."""


def _of_attribute(node: ast.Attribute) -> _Property | None:
    if node.attr in _METHODS:
        return _Property(_METHOD, node.value)
    kind, of_arrays = _ATTRIBUTES.get(node.attr, ("", False))
    return _Property(kind, node.value, of_arrays) if kind else None


def _of_method(function: ast.Attribute, args: list[ast.expr]) -> _Property | None:
    if function.attr == "size":
        return _Property(_SIZE if args else _SIZES, function.value)
    return _Property(_SIZE, function.value) if function.attr in _METHODS and not args else None


def _is_read(run: Run, read: _Property, value: Value, kinds: Iterable[str]) -> bool:
    """Whether the expression reads the property of a tensor, or of an array that has it as well."""
    found = members_of(reevaluate(run, read.place, run.frame.scope))
    if read.kind == _SIZES and not read.of_arrays and not _is_known_tensor(run, read.place, found):
        return False  # a buffer or a queue has a `size()` as well
    if isinstance(value, OpenShape) and read.kind == _SIZES:
        return True
    if read.kind == _METHOD:
        if all(type(one) in _MAY_BE_TENSORS for one in found) and is_evident(run.frame.function, read.place):
            return True
        is_plain = isinstance(read.place, ast.Name)  # a field of an object may be something else with dimensions
        return bool(found) and all(_is_tensor(one) and (is_plain or _has_rank(one)) for one in found)
    is_for_arrays = read.of_arrays and _LIST not in kinds
    return bool(found) and all(_is_tensor(one) or (is_for_arrays and _has_rank(one)) for one in found)


def _is_known_tensor(run: Run, place: ast.expr, found: Sequence[Value]) -> bool:
    """Whether more than the call of one method makes a value a tensor."""
    if found and all(map(_has_rank, found)):
        return True
    function = run.frame.function
    return function is not None and (place in _annotated(function) or ast.unparse(place) in _shaped(function))


def _is_tensor(value: Value) -> bool:
    return isinstance(value, TensorSpec) and mark_of(value) is None


def _has_rank(value: Value) -> bool:
    """Whether something is known of the rank, so that the shape is not any attribute of any object."""
    return isinstance(value, TensorSpec) and bool(value.rank is not None or value.shape.least_rank)


def _kind_of_read(run: Run, read: _Property, node: ast.expr, value: Value) -> str:
    """The type of a value that is unknown, but a property of a tensor; empty for a method of the same tensor."""
    other = _property_of(node)
    if other is None or ast.dump(other.place) == ast.dump(read.place) or not _is_read(run, other, value, ()):
        return ""
    return _KIND_OF_PROPERTY.get(other.kind, "")


def _items(value: Value) -> tuple[Value, ...]:
    """The items of a tuple or list that is known."""
    if isinstance(value, ListValue):
        return () if value.lost else tuple(value.items)
    return value if type(value) is tuple else ()


def _kind_of(value: Value) -> str:
    """The type of a value as messages name it, empty if it may equal anything."""
    if isinstance(value, (int, float, Dim)) and not isinstance(value, bool):
        return _NUMBER
    if isinstance(value, str):
        return _TEXT
    if type(value) is tuple:
        return _TUPLE
    if _is_tensor(value):
        return _TENSOR
    if isinstance(value, ListValue) and value.items and not value.lost:  # a `list[int]` of a signature may be a shape
        return _LIST
    return _FOREIGN_TYPE if _is_foreign(value) else ""


def _is_foreign(value: Value) -> bool:
    """Whether it is a type of Python or numpy that someone may take for a dtype of torch."""
    if isinstance(value, DType) or not isinstance(value, ExternalReference):
        return False
    package, _, name = value.name.rpartition(".")
    return (package == "numpy" and name[:1].islower()) or (package == "builtins" and name in ("float", "int", "bool"))
