"""Names that are not used as tensors: `model.to(device).eval()` and `field.dtype` next to `field.lower()`."""

from __future__ import annotations

import ast

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.array_likes import is_shared_attribute
from shapecheck.static.domain.torch_names import is_modelled

_OF_MODULES = frozenset(
    """
    eval train parameters named_parameters buffers named_buffers children named_children modules named_modules
    state_dict load_state_dict zero_grad register_buffer register_parameter add_module get_submodule get_parameter
    register_forward_hook register_forward_pre_hook
    """.split()
)
"""Methods of modules that tensors do not have."""


def is_used_as_module(tree: ast.Module, node: ast.AST) -> bool:
    """Whether the file calls a method that only modules have on what an attribute is read of."""
    return isinstance(node, ast.Attribute) and _text(node.value) in _modules(tree)


@cached_on_node
def _modules(tree: ast.Module) -> frozenset[str]:
    """The names and attributes on which such methods are called, also after methods that return the module."""
    methods = (one for one in walk(tree) if isinstance(one, ast.Attribute) and one.attr in _OF_MODULES)
    return frozenset(_text(one.value) for one in methods) - {""}


def has_other_attributes(function: ast.AST | None, node: ast.AST) -> bool:
    """Whether the function reads attributes that neither tensors nor arrays have of what an attribute is read of."""
    return function is not None and isinstance(node, ast.Attribute) and _text(node.value) in _others(function)


@cached_on_node
def _others(function: ast.AST) -> frozenset[str]:
    """The names and attributes of which a function reads such attributes. What it assigns to them does not count."""
    read = (one for one in walk(function) if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Load))
    return frozenset(_text(one.value) for one in read if not _is_of_tensors(one.attr)) - {""}


def _is_of_tensors(attribute: str) -> bool:
    name = attribute if attribute.startswith("_") else attribute.rstrip("_")
    return is_shared_attribute(name) or is_modelled(f"Tensor.{name}")


def _text(node: ast.expr) -> str:
    """A name or attribute as text, without the methods that are called on it; empty for other expressions."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""
