"""What a call of a class does in place of running `__init__` on a new instance: `__new__`, metaclasses, hooks."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.ops import Unknown
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.calls.decorators import FunctionNode, own_nodes
from shapecheck.static.calls.metaclass_calls import AroundConstructor, around_constructor
from shapecheck.static.contracts.opaque_functions import writes_objects
from shapecheck.static.domain.abstract_values import Slot, Value
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.class_facts import is_module
from shapecheck.static.domain.objects import ClassValue, FunctionValue
from shapecheck.static.domain.values import ExternalReference
from shapecheck.static.engine.argument_binding import UNKNOWN_KEYWORDS, unknown_dict
from shapecheck.static.engine.dispatch import dispatch, evaluate
from shapecheck.static.engine.dry_effects import havoc_changes
from shapecheck.static.engine.run import Run

_METACLASS = Slot("the metaclass")
"""The field of a class whose statement names a metaclass, or whose attributes are unknown."""
_PLAIN_METACLASSES = frozenset(("abc.ABCMeta", "builtins.type", "enum.EnumMeta", "enum.EnumType"))


def read_hooks(run: Run, cls: ClassValue) -> None:
    """Records the metaclass of a new class, and havocs what the `__init_subclass__` of a base assigns."""
    for keyword in cls.node.keywords:
        if keyword.arg in ("metaclass", None):
            run.journal.write(cls, _METACLASS, evaluate(run, keyword.value))
    _run_metaclass(run, cls)
    for base in cls.mro()[1:]:
        hook = base.fields.get("__init_subclass__")
        if not isinstance(hook, FunctionValue):
            continue
        _havoc_called(run, cls, hook, (cls,))
        for name in _assigned_to_first(hook.node):
            unknown = Unknown("an attribute that __init_subclass__ sets")
            run.journal.write(cls, _METACLASS if name is None else name, unknown)


def _run_metaclass(run: Run, cls: ClassValue) -> None:
    """Havocs what the methods of a metaclass of the project change, such as a registry of its classes."""
    meta = next((found for one in cls.mro() if isinstance(found := one.fields.get(_METACLASS), ClassValue)), None)
    for base in () if meta is None else meta.mro():
        for name, first in (("__new__", meta), ("__init__", cls)):
            method = base.fields.get(name)
            if isinstance(method, FunctionValue):
                namespace = Unknown("the namespace of a class")
                _havoc_called(run, cls, method, (first, cls.node.name, Unknown("bases"), namespace))


def _havoc_called(run: Run, cls: ClassValue, function: FunctionValue, args: tuple[Value, ...]) -> None:
    """Havocs what a function changes that Python calls when a class is defined."""
    if writes_objects(function.node):
        havoc_changes(
            run, lambda: dispatch.run_function(run, cls.node, function, args, {UNKNOWN_KEYWORDS: unknown_dict()})
        )


def runs_constructor(cls: ClassValue) -> bool:
    """Whether a call of the class creates an instance of it and runs its `__init__` with the arguments.

    A metaclass of a library very likely does that to a module, whatever else it does.
    """
    may_have_any = is_module(cls)
    return all(
        (_has_plain_metaclass(one) or (may_have_any and _has_metaclass_of_library(one))) and _has_plain_new(one)
        for one in cls.mro()
    )


def has_opaque_metaclass(cls: ClassValue) -> bool:
    """Whether a metaclass may set attributes of a new object, and pass other arguments to its constructor."""
    return any(_has_metaclass_of_library(one) for one in cls.mro())


def around(cls: ClassValue) -> AroundConstructor | None:
    """The methods of a new object that its metaclass calls; None if there are none."""
    metas = (one.fields.get(_METACLASS) for one in cls.mro())
    call = next((found for one in metas if isinstance(one, ClassValue) and (found := _own_call(one))), None)
    return None if call is None else around_constructor(call.node)


def _has_metaclass_of_library(cls: ClassValue) -> bool:
    found: Value = cls.fields.get(_METACLASS)
    is_known = found is None or isinstance(found, ClassValue)
    return not is_known and not (isinstance(found, ExternalReference) and found.name in _PLAIN_METACLASSES)


def _has_plain_metaclass(cls: ClassValue) -> bool:
    found: Value = cls.fields.get(_METACLASS)
    if isinstance(found, ClassValue):
        methods = [one.fields.get(name) for one in found.mro() for name in ("__call__", "__new__", "__init__")]
        changing = any(isinstance(one, FunctionValue) and _changes_attributes(one.node) for one in methods)
        call = _own_call(found)
        runs_plainly = call is None or around_constructor(call.node) is not None
        return found.outside() <= _PLAIN_METACLASSES and not changing and runs_plainly
    return found is None or (isinstance(found, ExternalReference) and found.name in _PLAIN_METACLASSES)


def _own_call(meta: ClassValue) -> FunctionValue | None:
    """The `__call__` of a metaclass."""
    found = next((one.fields["__call__"] for one in meta.mro() if "__call__" in one.fields), None)
    return found if isinstance(found, FunctionValue) else None


def _has_plain_new(cls: ClassValue) -> bool:
    found = cls.fields.get("__new__")
    return found is None or (isinstance(found, FunctionValue) and _returns_new_object(found.node))


@cached_on_node
def _returns_new_object(node: FunctionNode) -> bool:
    """Whether `__new__` returns only what `...__new__(cls)` returned."""
    if isinstance(node, ast.Lambda):
        return False
    first = next((one.arg for one in node.args.args), "")
    made: set[str] = set()
    others: set[str] = set()
    returned: list[ast.expr | None] = []
    for one in own_nodes(node.body):
        if isinstance(one, ast.Return):
            returned.append(one.value)
        elif isinstance(one, ast.Assign):
            (made if _is_new(one.value, first) else others).update(map(ast.unparse, one.targets))
    certain = made - {one for one in others if "." not in one}
    return all(one is not None and (_is_new(one, first) or ast.unparse(one) in certain) for one in returned)


def _is_new(node: ast.expr, first: str) -> bool:
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "__new__"
    return called and isinstance(node, ast.Call) and bool(node.args) and ast.unparse(node.args[0]) == first


@cached_on_node
def _changes_attributes(node: ast.AST) -> bool:
    """Whether a method of a metaclass sets attributes of the class, or items of its namespace."""
    return any(
        (isinstance(one, (ast.Subscript, ast.Attribute)) and isinstance(one.ctx, ast.Store))
        or (isinstance(one, ast.Name) and one.id == "setattr")
        for one in walk(node)
    )


@cached_on_node
def _assigned_to_first(node: FunctionNode) -> tuple[str | None, ...]:
    """The attributes of its first parameter that a function sets, by assignment or `setattr`; None is any."""
    first = next((one.arg for one in node.args.args), "")
    return tuple(dict.fromkeys(_set_on(node, first)))


def _set_on(node: ast.AST, first: str) -> Iterator[str | None]:
    for one in walk(node):
        if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store):
            if isinstance(one.value, ast.Name) and one.value.id == first:
                yield one.attr
        elif isinstance(one, ast.Call) and last_name(one.func) == "setattr" and len(one.args) > 1:
            target, name, *_ = one.args
            if isinstance(target, ast.Name) and target.id == first:
                yield name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else None


@cached_on_node
def changes_argument(node: FunctionNode) -> bool:
    """Whether a decorator sets attributes of the class that it receives."""
    return bool(_assigned_to_first(node))
