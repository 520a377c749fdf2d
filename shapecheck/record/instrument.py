"""Adds to each function of a file a call with its arguments at the start, and one with its result at each return."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from types import CodeType
from typing import TypeVar, cast

from shapecheck.record.calls import Site, enter, leave, sites

ENTER, LEAVE, _TOKEN = "__shapecheck_enter__", "__shapecheck_leave__", "__shapecheck_call__"
NAMES = {ENTER: enter, LEAVE: leave}
"""What the namespace of a function needs whose module was imported without a recording."""
_SPECIAL = re.compile(r"__(?!init__|call__|getitem__)\w+__")
# Other compilers (torch.jit.script, triton.jit, numba.njit) read these functions and do not call them.
_EXEMPTING = re.compile(r"\b(no_type_check|overload|n?jit|script|script_method|vectorize|guvectorize)\b")
_Node = TypeVar("_Node", bound=ast.AST)
_Scope = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def instrumented(source: bytes, path: str, optimize: int = -1) -> CodeType:
    """The code of a file in which the calls of its functions are recorded. Raises SyntaxError."""
    tree = ast.parse(source, path)
    for node, name, is_method in list(_functions(tree.body, "", is_class=False)):
        _instrument(node, path, name, is_method=is_method)
    _import_names(tree)
    code: CodeType = compile(tree, path, "exec", dont_inherit=True, optimize=optimize)
    return code


def first_line(node: ast.FunctionDef) -> int:
    """The line of a function's code: that of its first decorator."""
    return min([node.lineno, *(one.lineno for one in node.decorator_list)])


def _import_names(tree: ast.Module) -> None:
    """Imports the two functions, after the docstring and the imports from `__future__`, which must be first."""
    place = int(ast.get_docstring(tree, clean=False) is not None)
    while len(tree.body) > place and isinstance(one := tree.body[place], ast.ImportFrom) and one.module == "__future__":
        place += 1
    aliases = [ast.alias("enter", ENTER), ast.alias("leave", LEAVE)]
    made = ast.ImportFrom(enter.__module__, aliases, 0)
    tree.body.insert(place, ast.fix_missing_locations(ast.copy_location(made, ast.Pass(lineno=1, col_offset=0))))


def _functions(body: list[ast.stmt], prefix: str, *, is_class: bool) -> Iterator[tuple[ast.FunctionDef, str, bool]]:
    """The functions that are recorded, with their qualified names: not those inside of functions."""
    for one in body:
        if isinstance(one, ast.ClassDef):
            yield from _functions(one.body, f"{prefix}{one.name}.", is_class=True)
        elif isinstance(one, ast.FunctionDef):
            if not _SPECIAL.fullmatch(one.name) and not _is_exempt(one) and not _yields(one):
                yield one, f"{prefix}{one.name}", is_class and not _is_static(one)
        elif isinstance(one, (ast.If, ast.Try)):
            for name in ("body", "orelse", "finalbody"):
                yield from _functions(getattr(one, name, []), prefix, is_class=is_class)


def _is_exempt(node: ast.FunctionDef) -> bool:
    return any(_EXEMPTING.search(ast.unparse(one)) for one in node.decorator_list)


def _is_static(node: ast.FunctionDef) -> bool:
    return any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in node.decorator_list)


def _yields(node: ast.FunctionDef) -> bool:
    return any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in _own_nodes(node))


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, _Scope):
            yield from _own_nodes(child)


def _instrument(node: ast.FunctionDef, path: str, name: str, *, is_method: bool) -> None:
    spec = node.args
    positional = [one.arg for one in (*spec.posonlyargs, *spec.args)]
    parameters = (*positional[is_method:], *(one.arg for one in spec.kwonlyargs))
    number = len(sites)
    sites.append(Site(path, name, first_line(node), parameters))
    _Returns().visit_body(node)
    has_docstring = ast.get_docstring(node, clean=False) is not None
    first = node.body[has_docstring] if len(node.body) > has_docstring else node.body[0]
    values = ast.Tuple([ast.Name(one, ast.Load()) for one in parameters], ast.Load())
    start = ast.Assign([ast.Name(_TOKEN, ast.Store())], _call(ENTER, ast.Constant(number), values))
    node.body.insert(int(has_docstring), _at(start, first))
    if not isinstance(node.body[-1], (ast.Return, ast.Raise)):
        end = ast.Return(_call(LEAVE, ast.Name(_TOKEN, ast.Load()), ast.Constant(None)))
        node.body.append(_at(end, node.body[-1]))


class _Returns(ast.NodeTransformer):
    """Passes the result of each return on."""

    def visit_body(self, node: ast.FunctionDef) -> None:
        """Changes the returns of a function, not those of the functions in it."""
        node.body = [cast(ast.stmt, self.visit(one)) for one in node.body]

    def visit(self, node: ast.AST) -> ast.AST:
        """Leaves other scopes as they are."""
        if isinstance(node, _Scope):
            return node
        if isinstance(node, ast.Return):
            value = node.value or ast.copy_location(ast.Constant(None), node)
            node.value = _at(_call(LEAVE, ast.Name(_TOKEN, ast.Load()), value), value)
            return node
        return self.generic_visit(node)


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _at(made: _Node, place: ast.AST) -> _Node:
    """The generated node and those in it that have no location, at the place of another one."""
    for one in ast.walk(made):
        if "lineno" in one._attributes and not hasattr(one, "lineno"):
            ast.copy_location(one, place)
    return made
