"""Conditions that compare the ranks of two tensors: `mask.ndim >= query.ndim and mask.shape[-3] == heads`.

If the rank of one of them is unknown, what follows is for some ranks, and whether the other one is of them is unknown.
"""

from __future__ import annotations

import ast
from itertools import pairwise

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.narrowing.tensor_reads import tensor_read_of


@cached_on_node
def compares_ranks(test: ast.AST) -> bool:
    """Whether a condition compares the ranks of two tensors."""
    comparisons = (one for one in walk(test) if isinstance(one, ast.Compare))
    return any(
        _ranks(left) and _ranks(right) for one in comparisons for left, right in pairwise((one.left, *one.comparators))
    )


def _ranks(node: ast.expr) -> bool:
    """Whether an operand is made from a rank: `x.ndim`, or `x.dim() - 1`."""
    return any(
        isinstance(one, ast.expr) and (read := tensor_read_of(one)) is not None and read.kind == "rank"
        for one in walk(node)
    )
