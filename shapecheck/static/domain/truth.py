"""Truth values."""

from __future__ import annotations

from shapecheck.ops import ModuleSpec, Other, Unknown
from shapecheck.spec import Dim, TensorSpec, at_least
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives, MaybeAbsent
from shapecheck.static.domain.objects import ITEMS, ClassValue, Collection, FunctionValue
from shapecheck.static.domain.partly_known import PartlyKnown
from shapecheck.static.domain.values import EnumMember, ExternalReference, Method


def truth(value: Value) -> bool | None:
    """The truth value of a value; None if unknown."""
    if isinstance(value, Alternatives):
        verdicts = {truth(one) for one in value.members}
        return verdicts.pop() if len(verdicts) == 1 else None
    if isinstance(value, (Unknown, Other, TensorSpec)):
        return True if isinstance(value, PartlyKnown) and (value.start or value.end) else None
    if isinstance(value, Dim):
        return True if at_least(value, 1) else None
    if isinstance(value, Collection):
        return _is_filled(value)
    if isinstance(value, (bool, int, float, complex, str, bytes, tuple, type(None))):
        return bool(value)
    if isinstance(value, (FunctionValue, ClassValue, Method, EnumMember, ModuleSpec)):
        return True
    if isinstance(value, ExternalReference):
        return False if value.name in ("typing.TYPE_CHECKING", "builtins.TYPE_CHECKING") else None
    return None


def _is_filled(value: Collection) -> bool | None:
    items = value.fields[ITEMS]
    if value.lost or (
        isinstance(items, dict) and items and all(isinstance(one, MaybeAbsent) for one in items.values())
    ):
        return None
    return bool(items)
