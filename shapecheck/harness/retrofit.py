"""Adds checks to modules that were imported before the import hook, while a case is examined."""

from __future__ import annotations

import sys
import types
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from shapecheck.runtime.decorator import CheckOptions, checked_function
from shapecheck.runtime.hook import is_hooked


@contextmanager
def checks_installed(packages: Collection[str]) -> Iterator[None]:
    """A context in which the loaded functions and methods of these packages are checked; then they are restored."""
    changed: list[tuple[Any, str, Any]] = []
    made: dict[int, Any] = {}
    try:
        for module in _unchecked(packages):
            for holder in (module, *_classes(module)):
                for name, member in list(vars(holder).items()):
                    if not _is_checkable(member, packages):
                        continue
                    if id(member) not in made:
                        made[id(member)] = checked_function(member, CheckOptions(_names(holder), everything=False))
                    if made[id(member)] is not member:
                        changed.append((holder, name, member))
                        setattr(holder, name, made[id(member)])
        yield
    finally:
        for holder, name, member in reversed(changed):
            setattr(holder, name, member)


def _unchecked(packages: Collection[str]) -> list[types.ModuleType]:
    """The loaded modules of these packages that were imported without the hook."""
    return [
        module
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] in packages and isinstance(module, types.ModuleType) and not is_hooked(module)
    ]


def _classes(module: types.ModuleType) -> list[type]:
    return [value for value in vars(module).values() if isinstance(value, type) and value.__module__ == module.__name__]


def _is_checkable(member: Any, packages: Collection[str]) -> bool:
    """Whether it is a function in the program's source, and not a wrapper of another one."""
    return (
        isinstance(member, types.FunctionType)
        and str(member.__module__).partition(".")[0] in packages
        and not member.__code__.co_filename.startswith("<")
        and not hasattr(member, "__wrapped__")
        and not getattr(member, "__no_type_check__", False)
    )


def _names(holder: Any) -> dict[str, Any]:
    return {holder.__name__: holder} if isinstance(holder, type) else {}
