"""What is wrong with a table that msgspec refused, in one line: which key, what it may hold, what it holds.

msgspec's own message names neither the keys of a mapping nor the wrong value. So the table is converted again piece by
piece, down to the smallest piece that is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import msgspec

from shapecheck.config.values import decode

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def problem(name: str, value: object, kind: Any) -> str:
    """Why `value` is refused as a `kind`; `name` is where it is in the file."""
    base, meta = unwrapped(kind)
    if meta is not None or not isinstance(value, dict):
        return f"{name} must be {'a table' if meta is None else meta.description}, not {value!r}"
    if get_origin(base) is None:
        return _in_struct(name, value, base)
    key_kind, item_kind = get_args(base)
    return _in_mapping(name, value, key_kind, item_kind)


def _in_struct(name: str, values: dict[str, object], struct: type[msgspec.Struct]) -> str:
    hints = get_type_hints(struct, include_extras=True)
    names = zip(struct.__struct_encode_fields__, struct.__struct_fields__, strict=True)
    kinds = {key: hints[field] for key, field in names}
    for key, value in values.items():
        if key not in kinds:
            return _unknown_key(name, key, kinds)
        if not _fits(value, kinds[key]):
            return problem(_join(name, key), value, kinds[key])
    missing = next(key for key in kinds if key not in values and _is_required(struct, key))
    _, meta = unwrapped(kinds[missing])
    return f"{name} needs a `{missing}`, {meta.description if meta else 'a table'}"


def _in_mapping(name: str, values: dict[str, object], key_kind: Any, item_kind: Any) -> str:
    for key, value in values.items():
        if not _fits(key, key_kind):
            _, meta = unwrapped(key_kind)
            assert meta is not None, "a key of type str fits"
            allowed = (meta.extra or {}).get("allowed")
            return _unknown_key(name, key, allowed) if allowed else f"{name}: {key!r} is no {meta.description}"
        if not _fits(value, item_kind):
            return problem(_join(name, key), value, item_kind)
    raise AssertionError(f"{name} fits")


def _fits(value: object, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind, dec_hook=decode)
    except msgspec.ValidationError:
        return False
    return True


def unwrapped(kind: Any) -> tuple[Any, msgspec.Meta | None]:
    """The type without `| None` and `Annotated`, and the `Meta` of the latter."""
    options = get_args(kind)
    if NoneType in options:
        return unwrapped(next(option for option in options if option is not NoneType))
    metadata = getattr(kind, "__metadata__", None)
    return (kind, None) if metadata is None else (kind.__origin__, metadata[0])


def _is_required(struct: type[msgspec.Struct], key: str) -> bool:
    return any(field.encode_name == key and field.required for field in msgspec.structs.fields(struct))


def _unknown_key(name: str, key: str, allowed: Iterable[str]) -> str:
    names = tuple(allowed)
    near = get_close_matches(key, names, 1)
    hint = (f"did you mean {near[0]!r}? " if near else "") + "allowed: " + ", ".join(names)
    return f"{name} has no key {key!r}; {hint}"


def _join(name: str, key: str) -> str:
    return f"{name}.{key}" if _BARE_KEY.fullmatch(key) else f'{name}."{key}"'
