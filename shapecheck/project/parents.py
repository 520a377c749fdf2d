"""Which node of a syntax tree holds another one."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import children_of, walk


@cached_on_node
def parents_in(tree: ast.AST) -> Mapping[ast.AST, ast.AST]:
    """The parent of every node of a tree but the tree itself."""
    return {child: one for one in walk(tree) for child in children_of(one)}
