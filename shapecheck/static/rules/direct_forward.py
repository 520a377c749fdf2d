"""`model.forward(x)` from outside the model: hooks are skipped."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from shapecheck.ops import ModuleSpec
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.parents import parents_in
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import members_of
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.class_facts import has_plain_call, is_module
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance, ModuleContainer, Namespace
from shapecheck.static.domain.values import BuiltinMethod, Method
from shapecheck.static.engine.hooks import method
from shapecheck.static.engine.places import text_of
from shapecheck.static.engine.run import Run

_WITHOUT_HOOKS = frozenset("forward to cuda cpu half float double bfloat16 eval train requires_grad_".split())
"""Methods of a module that register no hooks on it and return nothing but the module or a result."""


@method("direct-forward", "forward")
def from_outside(run: Run, node: ast.AST, called: Value) -> None:
    """Reports the call unless a method of the same object makes it, or it goes to a base class by `super()`.

    A class with a `__call__` of its own has no hooks that are skipped, nor has an object that never leaves a function.
    """
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return
    model = node.func.value
    if all(_skips_hooks(run, model, one) for one in members_of(called)):
        name = text_of(model) or "module"
        run.report("direct-forward", node, f"{name}.forward() skips hooks; call {name}()")


def _skips_hooks(run: Run, model: ast.expr, called: Value) -> bool:
    """Whether a method is that of another object, on which hooks may be registered."""
    if not isinstance(called, (Method, BuiltinMethod)) or not _is_layer(called.receiver) or _is_super(model):
        return False
    receiver = called.receiver
    if isinstance(receiver, Instance) and _has_own_call(receiver.cls):
        return False
    is_own = any(_is_method_of(receiver, frame.names) for frame in run.outward())
    return not is_own and not _is_local(run, model, receiver)


def _is_layer(value: Value) -> bool:
    if isinstance(value, Instance):
        return is_module(value.cls) and has_plain_call(value.cls)
    return isinstance(value, (ModuleSpec, ModuleContainer))


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def _is_method_of(receiver: Value, names: Namespace | None) -> bool:
    """Whether the names are those of a method of the object, or of a function in it."""
    while names is not None:
        if names.fields.get("self") is receiver:
            return True
        names = names.parent
    return False


def _has_own_call(cls: ClassValue) -> bool:
    """Whether a class of the project defines a `__call__` that differs from that of nn.Module."""
    found = [one.fields["__call__"] for one in cls.mro() if "__call__" in one.fields]
    return not all(isinstance(one, FunctionValue) and _only_calls_base(one.node) for one in found)


@cached_on_node
def _only_calls_base(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> bool:
    """Whether a `__call__` has no effect but a type: `return super().__call__(x)`, or no body."""
    if isinstance(node, ast.Lambda):
        return False
    body = [one for one in node.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    if not body or isinstance(body[0], ast.Pass):
        return True
    value = body[0].value if isinstance(body[0], ast.Return) else None
    while isinstance(value, ast.Call) and not isinstance(value.func, ast.Attribute):
        value = value.args[-1] if value.args else None  # cast(Tensor, ...)
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "__call__"


def _is_local(run: Run, node: ast.expr, receiver: Value) -> bool:
    """Whether the object is made in the running function and nothing else there can register a hook on it.

    Or whether the function is a test, which calls `forward` on purpose.
    """
    function = run.frame.function
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    if function.name.startswith("test"):
        return True
    if isinstance(receiver, Instance) and any(_registers_hooks(one.node) for one in receiver.cls.mro()):
        return False
    return _is_construction(node) or (isinstance(node, ast.Name) and node.id in _local_objects(function))


@cached_on_node
def _registers_hooks(node: ast.ClassDef) -> bool:
    """Whether the code of a class may register hooks."""
    return any(isinstance(one, ast.Attribute) and one.attr.endswith("_hook") for one in walk(node))


@cached_on_node
def _local_objects(function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """The variables of a function that hold the result of a call of a class, and of which only attributes are used.

    A function that returns a module, or receives one, may have registered a hook on it.
    """
    parents = parents_in(function)
    made: set[str] = set()
    others: set[str] = set()
    for one, around in parents.items():
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            is_made = isinstance(around, ast.Assign) and _is_construction(around.value)
            (made if is_made else others).add(one.id)
        elif isinstance(one, ast.Name) and not _is_own_attribute(parents, one):
            others.add(one.id)
    return frozenset(made - others)


def _is_construction(node: ast.expr) -> bool:
    """Whether it is the call of a class, by the convention for names, possibly converted: `Net().eval()`."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _WITHOUT_HOOKS:
        node = node.func.value
    return isinstance(node, ast.Call) and last_name(node.func)[:1].isupper()


def _is_own_attribute(parents: Mapping[ast.AST, ast.AST], node: ast.Name) -> bool:
    """Whether only an attribute of a variable is used, which registers no hook and is not `forward` itself."""
    around = parents[node]
    if not isinstance(around, ast.Attribute) or around.attr.endswith("_hook"):
        return False
    called = parents[around]
    return around.attr != "forward" or (isinstance(called, ast.Call) and called.func is around)
