"""Names that are used as modules: `model.to(device).eval()` and `model.parameters()` show that `model` is no tensor."""

from __future__ import annotations

import ast

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk

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


def _text(node: ast.expr) -> str:
    """A name or attribute as text, without the methods that are called on it; empty for other expressions."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""
