"""The names of a module after its body has run: what its functions, or other modules, change later is unknown."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from shapecheck.ops import Unknown
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.attribute_writes import rebound_by
from shapecheck.static.domain.objects import ITEMS, ClassValue, DictValue, ListValue, Namespace, SetValue
from shapecheck.static.engine.loading import SourceModule
from shapecheck.static.engine.run import Run

_MUTATING = (
    "append|appendleft|add|update|setdefault|extend|extendleft|insert|pop|popitem|popleft|remove|discard|clear|rotate"
)
_COLLECTIONS = (ListValue, DictValue, SetValue)


def havoc_registries(run: Run, names: Namespace) -> None:
    """Havocs what code changes after the body of a module has run.

    These are collections that its functions change, empty collections, also of its classes, which other code fills, and
    variables that a function declares `global`, if their values are placeholders.
    """
    rebound = rebound_by(names.loaded.tree) if "global " in names.loaded.text else frozenset()
    for name, value in list(names.fields.items()):
        if isinstance(value, _COLLECTIONS) and not value.lost and isinstance(name, str):
            if not value.fields[ITEMS] or _is_changed(names.loaded, name):
                run.journal.lose(value)
        elif isinstance(value, ClassValue) and value.closure is names:
            _havoc_empty_attributes(run, value)
        elif name in rebound and _is_placeholder(value):
            run.journal.write(names, name, Unknown(f"a variable {name} that may have changed"))


def _havoc_empty_attributes(run: Run, cls: ClassValue) -> None:
    for value in cls.fields.values():
        if isinstance(value, _COLLECTIONS) and not value.lost and not value.fields[ITEMS]:
            run.journal.lose(value)


def _is_placeholder(value: Value) -> bool:
    """Whether a variable has its first value, such as None, 0 or False."""
    empty = isinstance(value, TensorSpec) and value.rank is not None and any(size == 0 for size in value.dims)
    return value is None or empty or (isinstance(value, (bool, int)) and value <= 1)


def _is_changed(loaded: SourceModule, name: str) -> bool:
    """Whether a function or method of the file changes the collection of this name."""
    if loaded.text.count(name) < 2:  # its definition: a pattern takes longer to compile than to look for
        return False
    lines = [loaded.text.count("\n", 0, one.start()) + 1 for one in _mutation(name).finditer(loaded.text)]
    if not lines:
        return False
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    inside = [(one.lineno, one.end_lineno or one.lineno) for one in loaded.tree.body if isinstance(one, kinds)]
    return any(first <= line <= last for line in lines for first, last in inside)


@lru_cache(maxsize=1 << 12)
def _mutation(name: str) -> re.Pattern[str]:
    """`NAME[key] = ...`, `NAME += ...`, `NAME.append(...)`, `NAME[key].add(...)`."""
    place = rf"(?<![\w.]){re.escape(name)}"
    return re.compile(rf"{place}(?:\[[^\n]*\][ ]*[-+|&^]?=(?!=)|[ ]*[-+|&^]=|(?:\[[^\n]*\])?\.(?:{_MUTATING})\()")
