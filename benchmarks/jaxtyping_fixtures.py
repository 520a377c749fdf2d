"""Replaces the fixtures and decorators of jaxtyping's test suite, so that its items run on `shapecheck.checked`.

`jaxtyping_suite` puts an import of this file at the end of a copy of the suite's conftest.py. The parameters of the
fixtures keep their names, so that items can be compared one by one.
"""

from __future__ import annotations

import importlib
from typing import Any

import jaxtyping
import pytest

import shapecheck
from shapecheck.runtime.bindings import bindings
from shapecheck.spec import AnnotationError

_jaxtyped = jaxtyping.jaxtyped


@pytest.fixture(params=("typechecked", "beartype"))
def typecheck() -> Any:
    """Both type checkers of the suite are ours."""
    return shapecheck.checked


@pytest.fixture(params=(False, True))
def jaxtyp() -> Any:
    """Both ways to write the decorators are ours."""
    return lambda typechecker: typechecker


def _checked(*target: Any, **options: Any) -> Any:
    """`jaxtyped(typechecker=...)` is ours; without a type checker it is jaxtyping's own, and checks nothing."""
    if options.get("typechecker") is None:
        return _jaxtyped(*target, **options)
    return shapecheck.checked(*target)


def _print_bindings() -> None:
    found = "".join(f"{axis.lstrip('*')}={size}\n" for axis, size in bindings().items())
    print(f"The current values for each jaxtyping axis annotation are as follows.\n{found}", end="")


def _install_import_hook(modules: Any, typechecker: Any) -> Any:
    if isinstance(typechecker, str) and "(" not in typechecker:
        module, _, name = typechecker.rpartition(".")
        getattr(importlib.import_module(module), name)  # the suite asks that a wrong one be refused
    return shapecheck.install_import_hook(modules, everything=True)


_replaced: dict[str, Any] = {
    "jaxtyped": _checked,
    "print_bindings": _print_bindings,
    "install_import_hook": _install_import_hook,
    "AnnotationError": (jaxtyping.AnnotationError, AnnotationError),
}
for _name, _value in _replaced.items():
    setattr(jaxtyping, _name, _value)
