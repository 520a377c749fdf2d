"""The tables of `[tool.shapecheck]`, from the structs of `shapecheck.config`."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from typing import get_type_hints

from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields

from docs.site.marked import table
from shapecheck.config import model
from shapecheck.config.explain import unwrapped

_TABLES: dict[str, type[Struct]] = {
    "tool.shapecheck": model.Options,
    "tool.shapecheck.check": model.CheckConfig,
    'tool.shapecheck.check.per-path."PATTERN"': model.PathConfig,
    "tool.shapecheck.mypy": model.MypyConfig,
    "tool.shapecheck.fix": model.FixConfig,
    "tool.shapecheck.guard": model.GuardConfig,
    "tool.shapecheck.run": model.RunConfig,
    "tool.shapecheck.cases.LABEL": model.CaseConfig,
}
_LONG = 60
"""Characters of a list of allowed values that a cell shows."""


def tables() -> str:
    """A heading and a table for each table of the file."""
    return "\n".join(
        f"## `[{name}]`\n\n{table(('key', 'value', 'default', 'meaning'), _rows(kind))}"
        for name, kind in _TABLES.items()
    )


def _rows(kind: type[Struct]) -> Iterator[tuple[str, str, str, str]]:
    said, hints = _docstrings(kind), get_type_hints(kind, include_extras=True)
    for field in fields(kind):
        _, meta = unwrapped(hints[field.name])
        words = str(meta.description) if meta else "a table"
        if meta or field.name in ("severity", "kwargs", "dims", "ranges"):
            yield f"`{field.encode_name}`", _words(words), _default(field), said[field.name]


def _words(words: str) -> str:
    """The allowed values, without a long list of codes."""
    return words if len(words) < _LONG or " of codes: " not in words else words.partition(": ")[0]


def _default(field: FieldInfo) -> str:
    if field.default is NODEFAULT:
        return "" if field.default_factory is NODEFAULT else "`{}`"
    return "" if field.default in (None, "") else f"`{_toml(field.default)}`"


def _toml(value: object) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def _docstrings(kind: type) -> dict[str, str]:
    """The string below each field of a class."""
    [body] = ast.parse(inspect.getsource(kind)).body
    assert isinstance(body, ast.ClassDef)
    return {
        one.target.id: " ".join(inspect.cleandoc(text.value.value).split())
        for one, text in zip(body.body, body.body[1:], strict=False)
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant) and isinstance(text.value.value, str)
    }  # fmt: skip
