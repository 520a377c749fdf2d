"""Results that can be iterated, but are no lists: the analysis has their items, and no type for them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.project.own_scope import in_own_scope

_MAKERS = frozenset(
    """
    accumulate buffers chain children combinations compress cycle deque enumerate filter from_iterable islice items iter
    keys map modules named_buffers named_children named_modules named_parameters pairwise parameters permutations
    product range repeat reversed starmap values zip zip_longest
    """.split()
)


def returns_iterator(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function may return an iterator or a view, also in a tuple or by a local name."""
    made = {
        target.id
        for one in in_own_scope(node)
        if isinstance(one, ast.Assign) and any(map(_is_iterator, _parts(one.value)))
        for target in one.targets
        if isinstance(target, ast.Name)
    }
    results = (one.value for one in in_own_scope(node) if isinstance(one, ast.Return) and one.value is not None)
    return any(
        _is_iterator(part) or (isinstance(part, ast.Name) and part.id in made)
        for result in results
        for part in _parts(result)
    )


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    """What an expression may be, or consists of."""
    if isinstance(node, ast.IfExp):
        yield from (*_parts(node.body), *_parts(node.orelse))
    elif isinstance(node, (ast.Tuple, ast.List)):
        for one in node.elts:
            yield from _parts(one)
    elif isinstance(node, ast.BoolOp):
        for one in node.values:
            yield from _parts(one)
    else:
        yield node


def _is_iterator(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return ast.unparse(node.func).rpartition(".")[2] in _MAKERS
    return isinstance(node, ast.GeneratorExp)
