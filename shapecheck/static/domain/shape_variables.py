"""Local variables that are only ever assigned the shape of a tensor: `s = x.shape`, `s = x.size()`."""

from __future__ import annotations

import ast

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk


def is_shape_expression(node: ast.expr) -> bool:
    """Whether it is `x.shape` or `x.size()`."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr == "size" and not (node.args or node.keywords)
    return isinstance(node, ast.Attribute) and node.attr == "shape"


@cached_on_node
def shape_variables(function: ast.AST) -> frozenset[str]:
    """The names that a function binds by such assignments alone."""
    found: set[str] = set()
    targets: set[int] = set()
    for one in walk(function):
        if isinstance(one, ast.Assign) and is_shape_expression(one.value):
            names = [target for target in one.targets if isinstance(target, ast.Name)]
            found.update(target.id for target in names)
            targets.update(map(id, names))
    bound = {
        one.id
        for one in walk(function)
        if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load) and id(one) not in targets
    }
    parameters = {one.arg for one in walk(function) if isinstance(one, ast.arg)}
    return frozenset(found - bound - parameters)
