"""The tables of `[tool.shapecheck]`, from the classes and kinds of `shapecheck.config`."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields
from typing import Any

from docs.site.marked import table
from shapecheck.config import keys, model

_TABLES: dict[str, tuple[type, Mapping[str, Any]]] = {
    "tool.shapecheck": (model.Config, keys.MAIN),
    "tool.shapecheck.check": (model.CheckConfig, keys.CHECK),
    'tool.shapecheck.check.per-path."PATTERN"': (model.PathConfig, keys.PER_PATH),
    "tool.shapecheck.fix": (model.FixConfig, keys.FIX),
    "tool.shapecheck.guard": (model.GuardConfig, keys.GUARD),
    "tool.shapecheck.run": (model.RunConfig, keys.RUN),
    "tool.shapecheck.cases.LABEL": (model.CaseConfig, keys.CASE),
}
_LONG = 60
"""Characters of a list of allowed values that a cell shows."""


def tables() -> str:
    """A heading and a table for each table of the file."""
    return "\n".join(
        f"## `[{name}]`\n\n{table(('key', 'value', 'default', 'meaning'), _rows(kind, values))}"
        for name, (kind, values) in _TABLES.items()
    )


def _rows(kind: type, values: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    known = {field.name.replace("_", "-"): field for field in fields(kind)}
    said = _docstrings(kind)
    for key, allowed in values.items():
        if (key in known and allowed.words != "a table") or key in ("severity", "kwargs", "dims", "ranges"):
            yield f"`{key}`", _words(allowed.words), _default(known[key]), said[known[key].name]


def _words(words: str) -> str:
    """What is allowed; of a list of all codes only that it is one."""
    return words if len(words) < _LONG else words.partition(" of ")[0] + " of codes"


def _default(field: Field[Any]) -> str:
    if field.default is MISSING:
        return "" if field.default_factory is MISSING else "`{}`"
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
