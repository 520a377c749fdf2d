"""Variables that a function uses as only a tensor can be used: `x.flip(0)`, `x.mul_(2)`.

What they hold may be unknown otherwise.
"""

from __future__ import annotations

import ast
from collections import Counter
from typing import Final

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.engine.argument_binding import parameters_of

_METHODS: Final = frozenset(
    """
    add_ clamp_ div_ mul_ sub_ zero_ fill_ copy_ masked_fill masked_fill_ masked_select index_select index_add_ scatter
    scatter_ scatter_add_ gather unsqueeze permute expand expand_as view_as reshape_as type_as new_zeros new_ones
    new_full new_empty new_tensor contiguous is_contiguous requires_grad_ softmax log_softmax sigmoid topk unbind chunk
    narrow unfold flip matmul bmm addmm logsumexp cuda detach
    """.split()
)
"""Methods of tensors that arrays, images, tables and layers do not have."""
_TESTS: Final = frozenset("isinstance type is_tensor hasattr getattr issubclass callable".split())


def is_evident(function: ast.AST | None, node: ast.expr) -> bool:
    """Whether an expression is a variable of the function that holds a tensor in every run, as its other uses say."""
    return function is not None and isinstance(node, ast.Name) and node.id in _evident(function)


@cached_on_node
def _evident(function: ast.AST) -> frozenset[str]:
    """The variables that are bound once, whose type is not tested, and of which a method of tensors is called."""
    nodes = list(walk(function))
    calls = [one for one in nodes if isinstance(one, ast.Call)]
    methods = [one.func for one in calls if isinstance(one.func, ast.Attribute) and _is_of_tensors(one, one.func.attr)]
    used = {one.value.id for one in methods if isinstance(one.value, ast.Name)}
    tested = {arg.id for one in calls if last_name(one.func) in _TESTS for arg in one.args if isinstance(arg, ast.Name)}
    return frozenset(name for name, times in _bound(function, nodes).items() if times == 1 and name in used - tested)


def _is_of_tensors(call: ast.Call, name: str) -> bool:
    """Whether a method is one of tensors. The `view` of an array takes a dtype."""
    return name in _METHODS or (name == "view" and len(call.args) > 1)


def _bound(function: ast.AST, nodes: list[ast.AST]) -> Counter[str]:
    """How often a function binds each of its variables."""
    found = Counter(one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))
    spec = getattr(function, "args", None)
    found.update(() if spec is None else (one.name for one in parameters_of(spec)))
    return found
