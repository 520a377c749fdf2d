"""Enumerations and their members."""

from __future__ import annotations

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ClassValue, FunctionValue
from shapecheck.static.domain.values import EnumMember

_BASES = frozenset(f"enum.{name}" for name in ("Enum", "IntEnum", "StrEnum"))
_PLAIN = (bool, int, float, str)


def is_enum(cls: ClassValue) -> bool:
    """Whether it is an enumeration."""
    return not cls.outside().isdisjoint(_BASES)


def member_of(cls: ClassValue, name: str) -> EnumMember | None:
    """The member with this name; None for a method, and if the class is no enumeration."""
    found = cls.fields.get(name)
    if found is None or isinstance(found, (FunctionValue, ClassValue)) or name.startswith("_") or not is_enum(cls):
        return None
    return EnumMember(cls, name, found)


def members(cls: ClassValue) -> list[EnumMember]:
    """All members in order."""
    found = (member_of(cls, name) for name in cls.fields if isinstance(name, str))
    return [one for one in found if one is not None]


def member_with(cls: ClassValue, value: Value) -> Value:
    """The result of `Kind(value)`."""
    if isinstance(value, EnumMember) and value.cls is cls:
        return value
    found = (one for one in members(cls) if isinstance(one.value, _PLAIN) and one.value == value)
    known = isinstance(value, _PLAIN)
    return next(found, Unknown("no such enum member")) if known else Unknown("an unknown enum member")


def attribute_of(member: EnumMember, name: str) -> Value:
    """An attribute of a member: `member.value`, `member.name`."""
    if name in ("value", "_value_"):
        return Unknown("a value that __new__ sets") if "__new__" in member.cls.fields else member.value
    return member.name if name in ("name", "_name_") else Unknown(f"attribute {name} of an enum member")


def same_member(left: Value, right: Value) -> bool | None:
    """Whether a member equals another value, which may be an int or a str; None if neither is a member, or unknown."""
    if isinstance(left, EnumMember) and isinstance(right, EnumMember):
        return left == right
    member, plain = (left, right) if isinstance(left, EnumMember) else (right, left)
    if not isinstance(member, EnumMember) or not isinstance(plain, (*_PLAIN, type(None))):
        return None
    if not isinstance(member.value, _PLAIN):
        return None
    return bool(member.is_plain and member.value == plain)
