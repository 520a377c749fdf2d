"""Explains in one line why msgspec rejected a table: which key, what was expected, what the key contains.

msgspec's own message names neither the keys of a mapping nor the wrong value. Therefore the table is converted again
piece by piece, down to the smallest piece that is rejected.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from difflib import get_close_matches
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import msgspec

from shapecheck.config.values import decode

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_MAX_SHOWN = 60
"""How many characters of a wrong value a message shows."""


def problem(name: str, value: object, kind: Any) -> str:
    """Why `value` is not a valid `kind`; `name` is its key in the file."""
    base, meta = unwrapped(kind)
    if meta is not None or not isinstance(value, dict):
        unknown = _unknown_item(value, base)
        if unknown is not None:
            return f"{name}: {unknown}"
        return f"{name}: expected {'a table' if meta is None else meta.description}, got {_shown(value)}"
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
            return f"{name}: {_unknown('key', key, kinds)}"
        if not _is_valid(value, kinds[key]):
            return problem(_join(name, key), value, kinds[key])
    missing = next(key for key in kinds if key not in values and _is_required(struct, key))
    _, meta = unwrapped(kinds[missing])
    return f'{name}: missing key "{missing}": expected {meta.description if meta else "a table"}'


def _in_mapping(name: str, values: dict[str, object], key_kind: Any, item_kind: Any) -> str:
    for key, value in values.items():
        if not _is_valid(key, key_kind):
            _, meta = unwrapped(key_kind)
            assert meta is not None, "a key of type str is valid"
            allowed = (meta.extra or {}).get("allowed")
            wrong = _unknown("code", key, allowed) if allowed else f"expected {meta.description}, got {_shown(key)}"
            return f"{name}: {wrong}"
        if not _is_valid(value, item_kind):
            return problem(_join(name, key), value, item_kind)
    raise AssertionError(f"{name} is valid")


def _unknown_item(value: object, base: Any) -> str | None:
    """The first unknown name in a list of names; None if that is not what is wrong."""
    if get_origin(base) is not tuple or not isinstance(value, list):
        return None
    _, meta = unwrapped(get_args(base)[0])
    allowed = (meta.extra or {}).get("allowed", ()) if meta is not None else ()
    unknown = [item for item in value if isinstance(item, str) and item not in allowed]
    return _unknown("code", unknown[0], allowed) if unknown and allowed else None


def _is_valid(value: object, kind: Any) -> bool:
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


def _unknown(what: str, word: str, allowed: Iterable[str]) -> str:
    names = tuple(allowed)
    near = get_close_matches(word, names, 1)
    hint = f'did you mean "{near[0]}"?' if near else f"available: {', '.join(names)}"
    return f"unknown {what} {_shown(word)}; {hint}"


def _shown(value: object) -> str:
    """A value in the notation of TOML, clipped."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        text = f"[{', '.join(map(_shown, value))}]"
    elif isinstance(value, str | bool):
        text = json.dumps(value, ensure_ascii=False)
    else:
        text = str(value)
    return text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 3]}..."


def _join(name: str, key: str) -> str:
    return f"{name}.{key}" if _BARE_KEY.fullmatch(key) else f'{name}."{key}"'
