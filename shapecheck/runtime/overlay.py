"""Puts the annotations of one version of a module into the tree of another, whose lines it keeps."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def add_annotations(tree: ast.Module, annotated: str) -> None:
    """Gives the functions of a tree the annotations of the same program in another text, and imports their names."""
    source = ast.parse(annotated)
    for one, other in zip(_functions(tree), _functions(source), strict=True):
        for parameter, given in zip(_parameters(one), _parameters(other), strict=True):
            parameter.annotation = _moved(given.annotation, parameter)
        one.returns = _moved(other.returns, one)
    known = {ast.dump(one) for one in _imports(tree)}
    new = [one for one in _imports(source) if ast.dump(one) not in known]
    place = _first_place(tree)
    tree.body[place:place] = [_at(one, 1) for one in new]


def _functions(tree: ast.Module) -> list[_Function]:
    return [one for one in ast.walk(tree) if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]


def _parameters(node: _Function) -> list[ast.arg]:
    spec = node.args
    every = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg]
    return [one for one in every if one is not None]


def _moved(annotation: ast.expr | None, place: ast.arg | _Function) -> ast.expr | None:
    if annotation is not None:
        for one in ast.walk(annotation):
            if "lineno" in one._attributes:
                ast.copy_location(one, place)
                one.end_lineno, one.end_col_offset = place.lineno, place.col_offset  # type: ignore[attr-defined]
    return annotation


def _imports(tree: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports at the top level, those for type checkers included: run-time checks need all names."""
    for one in tree.body:
        found = one.body if isinstance(one, ast.If) else [one]
        yield from (node for node in found if isinstance(node, (ast.Import, ast.ImportFrom)))


def _first_place(tree: ast.Module) -> int:
    """After the docstring and the imports from `__future__`."""
    place = int(ast.get_docstring(tree, clean=False) is not None)
    while len(tree.body) > place and isinstance(one := tree.body[place], ast.ImportFrom) and one.module == "__future__":
        place += 1
    return place


def _at(node: ast.stmt, line: int) -> ast.stmt:
    for one in ast.walk(node):
        if "lineno" in one._attributes:
            one.lineno = one.end_lineno = line  # type: ignore[attr-defined]
            one.col_offset = one.end_col_offset = 0  # type: ignore[attr-defined]
    return node
