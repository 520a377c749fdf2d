"""Whether two values are equal or the same object, and whether one is among others; None if that is unknown."""

from __future__ import annotations

from shapecheck.ops import Unknown
from shapecheck.spec import Dim, DType, same, unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import MaybeAbsent, OpenShape
from shapecheck.static.domain.class_identity import has_identity, same_class
from shapecheck.static.domain.enums import same_member
from shapecheck.static.domain.objects import ClassValue, Collection, DictValue, FunctionValue, ListValue
from shapecheck.static.domain.partly_known import PartlyKnown, is_excluded
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.domain.values import EnumMember, ExternalReference, NamedTupleClass, TypeOf
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.engine.operands import to_ops

_IDENTIFIED = (ExternalReference, ClassValue, FunctionValue, NamedTupleClass, TypeOf)
PRIMITIVES = (bool, int, float, complex, str, bytes, type(None))
_PARTLY_KNOWN = (PartlyKnown, SymbolicArgument)
_MAX_NESTED = 8
"""How deep lists and tuples may be nested; a list may contain itself."""


def equal(left: Value, right: Value, depth: int = 0) -> bool | None:
    """Whether `left == right`; None if unknown."""
    left, right = _contents(left, right)
    if (type(left) is tuple or isinstance(left, OpenShape)) and type(right) is tuple:
        return _equal_tuples(left, right, depth)
    if isinstance(left, _PARTLY_KNOWN) or isinstance(right, _PARTLY_KNOWN):
        return False if _differ(left, right) else None
    left, right = as_size(left), as_size(right)
    if isinstance(left, (int, Dim)) and isinstance(right, (int, Dim)):
        return same(left, right)
    constants = _same_constant(left, right)
    if constants is not None:
        return constants
    if isinstance(left, _IDENTIFIED) or isinstance(right, _IDENTIFIED):
        one, other = (left, right) if isinstance(left, _IDENTIFIED) else (right, left)
        return False if isinstance(other, PRIMITIVES) and has_identity(one) else same_class(one, other)
    if isinstance(left, EnumMember) or isinstance(right, EnumMember):
        return same_member(left, right)
    if isinstance(left, PRIMITIVES) and isinstance(right, PRIMITIVES):
        return bool(left == right)
    return None


def _differ(left: Value, right: Value) -> bool:
    """Whether a partly known value certainly differs from another value."""
    return is_excluded(left, right) or is_excluded(right, left)


def _contents(left: Value, right: Value) -> tuple[Value, Value]:
    """For two lists or two dicts, tuples that are equal if they are; any other values as they are."""
    if not isinstance(left, Collection) or not isinstance(right, Collection) or left.lost or right.lost:
        return left, right
    if isinstance(left, ListValue) and isinstance(right, ListValue):
        return left.items, right.items
    if not isinstance(left, DictValue) or not isinstance(right, DictValue):
        return left, right
    one, other = left.items, right.items
    if any(isinstance(value, MaybeAbsent) for value in (*one.values(), *other.values())):
        return left, right
    if one.keys() != other.keys():
        return (), (None,)
    return tuple(one.values()), tuple([other[key] for key in one])


def _equal_tuples(left: Value, right: tuple[Value, ...], depth: int) -> bool | None:
    """Whether a tuple, or a shape of unknown rank, equals another tuple."""
    if depth > _MAX_NESTED:
        return None
    if isinstance(left, OpenShape):
        return False if len(right) < left.least else None
    if type(left) is not tuple or len(left) != len(right):
        return False
    verdicts = [equal(a, b, depth + 1) for a, b in zip(left, right, strict=True)]
    return False if False in verdicts else None if None in verdicts else True


def _same_constant(left: Value, right: Value) -> bool | None:
    """Whether two dtypes, layouts or memory formats are the same; None if unknown, or if they are something else."""
    if not isinstance(left, _CONSTANTS) or not isinstance(right, _CONSTANTS):
        is_other = isinstance(right, PRIMITIVES) and not isinstance(right, str)
        return False if is_other and _is_constant(left) else None
    one, other = to_ops(left), to_ops(right)
    if isinstance(one, DType) and isinstance(other, DType):
        return one is other  # `torch.float` and `torch.float32` are two names of one dtype
    return left == right if left in _FORMATS and right in _FORMATS else None


def _is_constant(value: Value) -> bool:
    return isinstance(value, _CONSTANTS) and (value in _FORMATS or isinstance(to_ops(value), DType))


_CONSTANTS = (DType, ExternalReference)
_FORMAT_NAMES = """
    strided sparse_coo sparse_csr sparse_csc sparse_bsr sparse_bsc jagged contiguous_format preserve_format
    channels_last channels_last_3d
""".split()
_FORMATS = frozenset(ExternalReference(f"torch.{name}") for name in _FORMAT_NAMES)
"""Layouts and memory formats: two names are two values."""


def identical(left: Value, right: Value) -> bool | None:
    """Whether `left is right`; None if unknown."""
    if isinstance(left, _PARTLY_KNOWN) and is_excluded(left, right):
        return False
    verdict = same_member(left, right) if isinstance(left, EnumMember) else _same_constant(left, right)
    if verdict is None and isinstance(left, _IDENTIFIED) and right is not None:
        verdict = same_class(left, right)
    if verdict is None and (right is None or isinstance(right, bool)) and not isinstance(left, Unknown):
        return left is right
    return verdict


def is_member(value: Value, values: Value) -> bool | None:
    """Whether `value in values`; None if unknown."""
    if isinstance(values, str) and isinstance(value, str):
        return value in values
    items = items_of(values)
    verdicts = [None] if items is None else [equal(value, one) for one in items]
    return None if True not in verdicts and None in verdicts else True in verdicts


def as_size(value: Value) -> Value:
    """An unknown rank as a size with a lower bound, and a member of an IntEnum as its number."""
    if isinstance(value, EnumMember) and value.is_plain and isinstance(value.value, int):
        return value.value
    return unknown("rank", low=value.least) if isinstance(value, OpenShape) else value
