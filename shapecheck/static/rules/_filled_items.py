"""Whether the running function assigns to items of a tensor: `heads[i] = attend(i)`."""

from __future__ import annotations

import ast

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.run import Run


def is_filled(run: Run, tensor: Value) -> bool:
    """Whether the function assigns to items of the variable that is the tensor."""
    function = run.frame.function
    names = [name for name, value in run.frame.scope.fields.items() if value is tensor]
    return function is not None and any(name in _filled(function) for name in names)


@cached_on_node
def _filled(function: ast.AST) -> frozenset[str]:
    """The variables to whose items a function assigns."""
    stores = (one for one in walk(function) if isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Store))
    return frozenset(one.value.id for one in stores if isinstance(one.value, ast.Name))
