"""Whether a call may lead to another function than the one that is found: an override, an overload, a patch."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

from shapecheck.project.node_cache import cached_on_node
from shapecheck.static.calls.decorators import returns_its_argument
from shapecheck.static.contracts.name_resolution import AnnotationScope, resolve_name
from shapecheck.static.contracts.opaque_functions import is_stub
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.attribute_writes import written_after_construction
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance, Namespace
from shapecheck.static.domain.values import ExternalReference
from shapecheck.static.engine.run import Run


def may_be_replaced(run: Run, node: ast.Call, function: FunctionValue, args: tuple[Value, ...]) -> bool:
    """Whether another function may be called instead."""
    if function.overloads or is_stub(function.node) or _ends_in_raise(function.node):
        return True
    if _is_decorated_by_project(run, function) or _is_assigned(run, function) or _is_exchanged(run, node.func):
        return True
    receiver = args[0] if args else None
    if _is_class_of_self(node.func):
        return _stand_in(run) is not None
    if not isinstance(receiver, Instance) or _stand_in(run) is not receiver:
        return False
    return _is_overridden(run, node, function, receiver.cls)


def _ends_in_raise(node: ast.AST) -> bool:
    """Whether the last statement of a function is a `raise`, as in an abstract method."""
    body = getattr(node, "body", None)
    return isinstance(body, list) and isinstance(body[-1], ast.Raise)


def _is_decorated_by_project(run: Run, function: FunctionValue) -> bool:
    """Whether a decorator with the name of a transparent one is a function of the project that may change arguments."""
    for one in getattr(function.node, "decorator_list", ()):
        target = one.func if isinstance(one, ast.Call) else one
        found = resolve_name(AnnotationScope(run, function.closure, function.owner), target)
        inside = not isinstance(found, ExternalReference) and not isinstance(target, ast.Attribute)
        if inside and not returns_its_argument(run, function.closure, one, function.owner):
            return True
    return False


def _is_assigned(run: Run, function: FunctionValue) -> bool:
    """Whether the file of the function or that of the call replaces an attribute or name of this name."""
    pattern = _assignment(function.name)
    return any(pattern.search(text) is not None for text in {function.closure.loaded.text, run.loaded.text})


def _is_exchanged(run: Run, callee: ast.expr) -> bool:
    """Whether a callee is an attribute of `self` that a method assigns which users of the object call: `convert()`."""
    owner = _stand_in(run)
    names = run.frame.names.fields
    if owner is None or not isinstance(callee, ast.Attribute) or not isinstance(callee.value, ast.Name):
        return False
    is_own = names.get(callee.value.id) is owner
    return is_own and any(callee.attr in one.written for one in written_after_construction(owner.cls))


@lru_cache(maxsize=256)
def _assignment(name: str) -> re.Pattern[str]:
    short = re.escape(name)
    by_name = rf"(?:setattr|patch(?:\.object)?)\([^\n]*['\"](?:[\w.]*\.)?{short}['\"]"
    return re.compile(rf"(?:\.{short}\s*=(?!=))|(?:{by_name})|(?:^{short}\s*=(?!=))", re.MULTILINE)


def _is_class_of_self(node: ast.expr) -> bool:
    """`self.__class__`, `type(self)` or `cls`: possibly a subclass, with another constructor."""
    if isinstance(node, ast.Call):
        return last_name(node.func) == "type"
    return last_name(node) in ("__class__", "cls")


def _stand_in(run: Run) -> Instance | None:
    """The object whose method is analyzed in isolation: it represents objects of all subclasses."""
    for frame in run.outward():
        if frame.call is None and frame.function is not None:
            first = next(iter(frame.names.fields.values()), None)
            return first if isinstance(first, Instance) else None
    return None


def _is_overridden(run: Run, node: ast.Call, function: FunctionValue, cls: ClassValue) -> bool:
    """Whether a subclass certainly exists, or exists in the file, for which the call leads to another function."""
    by_super = isinstance(node.func, ast.Attribute) and last_name(getattr(node.func.value, "func", None)) == "super"
    if _is_abstract(cls) or "Mixin" in cls.node.name:
        return True
    owner = run.frame.names.fields.get("__class__")
    after = owner if by_super and isinstance(owner, ClassValue) else None
    return any(
        one.holder(function.name, after) is not function.owner
        for one in _classes_in_file(cls)
        if one is not cls and cls in one.mro() and (after is None or after in one.mro())
    )


def _classes_in_file(cls: ClassValue) -> Iterator[ClassValue]:
    names: Namespace | None = cls.closure
    while names is not None:
        yield from [one for one in names.fields.values() if isinstance(one, ClassValue)]
        names = names.parent


def _is_abstract(cls: ClassValue) -> bool:
    """Whether a class has abstract methods, so that only its subclasses have instances."""
    methods = {name: one.fields[name] for one in reversed(cls.mro()) for name in one.fields}
    return any(isinstance(one, FunctionValue) and _is_abstract_method(one.node) for one in methods.values())


@cached_on_node
def _is_abstract_method(node: ast.AST) -> bool:
    marked = any("abstract" in last_name(one) for one in getattr(node, "decorator_list", ()))
    body = node.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else ()  # that of a lambda is none
    raised = [one.exc for one in body if isinstance(one, ast.Raise)]
    return marked or any("NotImplementedError" in ast.unparse(one) for one in raised if one is not None)
