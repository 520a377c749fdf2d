"""Registries: lists, dicts and sets of a module that its functions change, possibly called from elsewhere."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from shapecheck.static.domain.objects import DictValue, ListValue, Namespace, SetValue
from shapecheck.static.engine.loading import SourceModule
from shapecheck.static.engine.run import Run

_MUTATING = "append|appendleft|add|update|setdefault|extend|insert|pop|popitem|remove|discard|clear"


def havoc_registries(run: Run, names: Namespace) -> None:
    """Havocs the collections of a module that its functions change, after its body has run."""
    for name, value in list(names.fields.items()):
        if not isinstance(value, (ListValue, DictValue, SetValue)) or value.lost:
            continue
        if isinstance(name, str) and _is_changed(names.loaded, name):
            run.journal.lose(value)


def _is_changed(loaded: SourceModule, name: str) -> bool:
    """Whether a function or method of the file changes the collection of this name."""
    found = _mutation(name).finditer(loaded.text)
    lines = [loaded.text.count("\n", 0, one.start()) + 1 for one in found]
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    inside = [(one.lineno, one.end_lineno or one.lineno) for one in loaded.tree.body if isinstance(one, kinds)]
    return any(first <= line <= last for line in lines for first, last in inside)


@lru_cache(maxsize=1 << 12)
def _mutation(name: str) -> re.Pattern[str]:
    """`NAME[key] = ...`, `NAME += ...`, `NAME.append(...)`, `NAME[key].add(...)`."""
    place = rf"(?<![\w.]){re.escape(name)}"
    return re.compile(rf"{place}(?:\[[^\n]*\][ ]*[-+|&^]?=(?!=)|[ ]*[-+|&^]=|(?:\[[^\n]*\])?\.(?:{_MUTATING})\()")
