"""Decorators that are known by name not to change what a function does to tensors."""

from __future__ import annotations

import ast

from shapecheck.project.node_cache import cached_on_node
from shapecheck.static.domain.callee_names import name_of_callee

_TRANSPARENT_DECORATORS = frozenset(
    """
    no_grad inference_mode jaxtyped typechecked beartype staticmethod classmethod property cached_property wraps
    override overload enable_grad compile script_if_tracing autocast custom_fwd custom_bwd final abstractmethod
    lru_cache cache no_type_check setter deleter ignore unused export _script_if_tracing script_method
    """.split()
)
_KEEP_CLASSES = frozenset("runtime_checkable total_ordering dataclass_transform unique".split())
_FX_WRAP = ("torch.fx.wrap", "fx.wrap")


def is_transparent_decorator(node: ast.expr) -> bool:
    """Whether a decorator does not change what a function does to tensors."""
    name = name_of_callee(node)
    return name in _TRANSPARENT_DECORATORS or (name == "wrap" and _is_fx_wrap(node))


def keeps_methods(node: ast.expr) -> bool:
    """Whether a decorator is known by name to return a class with its methods as they are."""
    return is_transparent_decorator(node) or name_of_callee(node) in _KEEP_CLASSES


def _is_fx_wrap(node: ast.expr) -> bool:
    return ast.unparse(node.func if isinstance(node, ast.Call) else node) in _FX_WRAP


@cached_on_node
def has_transparent_decorators(node: ast.AST) -> bool:
    """Whether all decorators of a function are known by name not to change what it does to tensors."""
    return all(map(is_transparent_decorator, getattr(node, "decorator_list", [])))


def is_registering(node: ast.expr) -> bool:
    """Whether a decorator registers what it decorates, and returns it, by its name: `@MODELS.register_module()`."""
    return name_of_callee(node).lower().lstrip("_").startswith("register")
