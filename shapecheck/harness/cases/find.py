"""Searches an imported module for models to run."""

from __future__ import annotations

import ast
import inspect
import types
import typing
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from torch import nn

from shapecheck.harness.cases.build import needs_arguments
from shapecheck.harness.cases.declared import Declared, declared_of
from shapecheck.harness.cases.model import NO_SHAPES, Case
from shapecheck.harness.contract import does_nothing, has_shapes


def find_cases(
    module: types.ModuleType,
    configured: Mapping[str, Mapping[str, Declared]],
    only: str = "",
    *,
    infers: bool = False,
) -> list[Case]:
    """The cases of a module, in the order of its source.

    configured: declarations by class or factory and label. only: the name of one class or factory; "" for all. A
    function that is named in either does not need a return annotation. infers: for each case.
    """
    found: list[Case] = []
    for name, target in _models(module, {only, *configured}):
        if not only or name == only:
            declared = {one.label: one for one in declared_of(target)} | dict(configured.get(name, {}))
            found.extend(_cases(module, name, target, declared, infers or bool(only)))
    return sorted((replace(case, infers=infers) for case in found), key=lambda case: case.line)


def _models(module: types.ModuleType, named: Collection[str] = ()) -> list[tuple[str, Any]]:
    return [(name, target) for name, target in vars(module).items() if _is_of(module, name, target, name in named)]


def _is_of(module: types.ModuleType, name: str, target: Any, is_named: bool) -> bool:
    """Whether it is a model or a factory that is defined here and not imported."""
    if getattr(target, "__module__", None) != module.__name__ or getattr(target, "__name__", name) != name:
        return False
    if isinstance(target, type):
        return issubclass(target, nn.Module)
    return isinstance(target, types.FunctionType) and (bool(declared_of(target)) or _is_factory(target, is_named))


def _is_factory(function: types.FunctionType, is_named: bool) -> bool:
    """Whether it needs no arguments and is annotated to return a module; if named, the annotation can be missing."""
    if not is_named and any(one.default is one.empty and one.kind not in _REST for one in _parameters(function)):
        return False
    made = _made_by(function)
    if made is None:
        return is_named
    return isinstance(made, type) and issubclass(made, nn.Module)


def _made_by(function: types.FunctionType) -> Any:
    """Its return annotation."""
    try:
        return typing.get_type_hints(inspect.unwrap(function)).get("return")
    except Exception:  # an annotation can be any expression
        return None


_REST = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def _parameters(function: Any) -> Iterator[inspect.Parameter]:
    yield from inspect.signature(function).parameters.values()


def _cases(
    module: types.ModuleType, name: str, target: Any, declared: Mapping[str, Declared], infers: bool
) -> Iterator[Case]:
    """The cases of a class or factory. infers: whether arguments of its constructor may be made up or given."""
    file, line = _place(module, target)
    base = f"{module.__name__}:{name}"
    for label, one in (declared or {"": Declared()}).items():
        reason = "" if declared else _reason(module, target)
        if not declared and not reason and not infers and _is_unprepared(target):
            reason = NO_SHAPES
        yield Case(f"{base}[{label}]" if label else base, target, file, line, one, reason)


def _is_unprepared(target: Any) -> bool:
    """Whether it is a class that has neither shapes nor a constructor without arguments."""
    return isinstance(target, type) and not has_shapes(target) and needs_arguments(target)


def _reason(module: types.ModuleType, target: Any) -> str:
    if not isinstance(target, type):
        return ""
    if needs_arguments(target):
        for name, other in _models(module):
            if not isinstance(other, type) and _made_by(other) is target:
                return f"built by {name}(), which is a case itself"
    if inspect.isabstract(target):
        return "abstract class"
    if getattr(target, "forward", None) is nn.Module.forward:
        return "no forward method"
    if does_nothing(getattr(target, "forward", None)):
        return "forward has no body: a base class"
    return ""


def _place(module: types.ModuleType, target: Any) -> tuple[Path, int]:
    file = Path(module.__file__ or "<unknown>")
    code = getattr(inspect.unwrap(target), "__code__", None)
    return file, _classes(module).get(target.__name__, 1) if code is None else code.co_firstlineno


@lru_cache(maxsize=8)
def _classes(module: types.ModuleType) -> Mapping[str, int]:
    """The first line of each class of a file, outer ones before inner ones of the same name."""
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError):
        return {}
    found: dict[str, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            found.setdefault(node.name, min([node.lineno, *(one.lineno for one in node.decorator_list)]))
    return found
