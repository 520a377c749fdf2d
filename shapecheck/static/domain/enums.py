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
    if not _is_member(cls, name) or not is_enum(cls):
        return None
    found = cls.fields[name]
    if isinstance(found, _PLAIN) and "__new__" not in cls.fields:
        same = (one for one in cls.fields if isinstance(one, str) and _is_member(cls, one) and cls.fields[one] == found)
        name = next(same, name)
    return EnumMember(cls, name, cls.fields[name])


def _is_member(cls: ClassValue, name: str) -> bool:
    found = None if name.startswith("_") else cls.fields.get(name)
    return found is not None and not isinstance(found, (FunctionValue, ClassValue))


def members_by_name(cls: ClassValue) -> dict[str, Value]:
    """`__members__`: all members in order, and further names of them."""
    found = ((name, member_of(cls, name)) for name in cls.fields if isinstance(name, str))
    return {name: one for name, one in found if one is not None}


def members(cls: ClassValue) -> list[EnumMember]:
    """All members in order."""
    return list(dict.fromkeys(one for one in members_by_name(cls).values() if isinstance(one, EnumMember)))


def member_with(cls: ClassValue, value: Value) -> Value:
    """The result of `Kind(value)`."""
    if isinstance(value, EnumMember) and value.cls is cls:
        return value
    found = (one for one in members(cls) if isinstance(one.value, _PLAIN) and one.value == value)
    known = isinstance(value, _PLAIN)
    return next(found, Unknown("no such enum member")) if known else Unknown("an unknown enum member")


def method_of(member: EnumMember, name: str) -> FunctionValue | None:
    """The method or property with this name of the class of a member."""
    try:
        found = member.cls.lookup(name)
    except KeyError:
        return None
    return found if isinstance(found, FunctionValue) else None


def attribute_of(member: EnumMember, name: str) -> Value:
    """An attribute of a member: `member.value`, `member.name`, `member.__class__`."""
    if name in ("value", "_value_"):
        return Unknown("a value that __new__ sets") if "__new__" in member.cls.fields else member.value
    if name == "__class__":
        return member.cls
    return member.name if name in ("name", "_name_") else Unknown(f"attribute {name} of an enum member")


def is_member_of_outside(member: EnumMember, name: str) -> bool | None:
    """Whether a member is an instance of a class from outside the project; None if unknown."""
    bases = {one.removeprefix("builtins.") for base in member.cls.outside() for one in _DERIVED.get(base, (base,))}
    if name in bases:
        return True
    is_other = name in _OTHERS or name.startswith("torch.")
    return False if is_other and bases <= _KNOWN_BASES else None


_DERIVED = {
    "enum.IntEnum": ("enum.IntEnum", "enum.Enum", "int"),
    "enum.StrEnum": ("enum.StrEnum", "enum.Enum", "str"),
}
_OTHERS = frozenset("int str float bool bytes complex list tuple dict set".split())
_KNOWN_BASES = _BASES | _OTHERS | {"object"}


def same_member(left: Value, right: Value) -> bool | None:
    """Whether a member equals another value, which may be an int or a str; None if neither is a member, or unknown."""
    if any(isinstance(one, EnumMember) and method_of(one, "__eq__") is not None for one in (left, right)):
        return None
    if isinstance(left, EnumMember) and isinstance(right, EnumMember):
        return left == right
    member, plain = (left, right) if isinstance(left, EnumMember) else (right, left)
    if not isinstance(member, EnumMember) or not isinstance(plain, (*_PLAIN, type(None))):
        return None
    if not isinstance(member.value, _PLAIN):
        return None
    return bool(member.is_plain and member.value == plain)
