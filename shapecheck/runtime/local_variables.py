"""Annotated local variables of a checked function: its source is compiled once more, with a check after each of them.

The new code has the names, lines and closure of the old one, so tracebacks and debuggers see the user's source. Where
the source cannot be had, or is not what the function was made from, local variables are not checked.
"""

from __future__ import annotations
import __future__

import ast
import copy
import linecache
import textwrap
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from shapecheck.runtime.hints import Hint, has_arrays
from shapecheck.runtime.reading import read
from shapecheck.runtime.resolving import resolver
from shapecheck.runtime.signature import Contract

_SIZES = "_shapecheck_sizes"
_CHECKS = "_shapecheck_checks"
_Definition = ast.FunctionDef | ast.AsyncFunctionDef
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SCOPES = (*_DEFINITIONS, ast.Lambda)
_FUTURES = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)


@dataclass(frozen=True)
class WithLocals:
    """A contract that knows the local variables, and the function that checks them: it takes sizes and checks first."""

    contract: Contract
    function: types.FunctionType


def with_locals(contract: Contract, around: Mapping[str, Any]) -> WithLocals | None:
    """The contract with its annotated local variables, None where there are none to check."""
    function: Any = contract.function
    lines = linecache.getlines(function.__code__.co_filename, function.__globals__)
    if not lines or not _may_have_locals(function.__code__, lines):
        return None
    try:
        return _rewritten(contract, function, around, "".join(lines))
    except (SyntaxError, ValueError, RecursionError):
        return None


def _may_have_locals(code: types.CodeType, lines: list[str]) -> bool:
    """Whether the lines of the function hold an annotated assignment of an array, read without the rest of the file."""
    last = max(_lines(code), default=code.co_firstlineno)
    block = textwrap.dedent("".join(lines[code.co_firstlineno - 1 : last]))
    if "[" not in block or ":" not in block:
        return False
    try:
        tree = ast.parse(block)
    except SyntaxError:  # the last line belongs to a longer statement
        return True
    return any(isinstance(node, ast.AnnAssign) for node in ast.walk(tree))


def _lines(code: types.CodeType) -> Iterator[int]:
    yield from (line for _, _, line in code.co_lines() if line is not None)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _lines(constant)


def _rewritten(
    contract: Contract, function: types.FunctionType, around: Mapping[str, Any], text: str
) -> WithLocals | None:
    chain = _chain(_parsed(text).body, function.__code__)
    if chain is None:
        return None
    hints = _local_hints(chain[-1], function, around)
    if not hints:
        return None
    plain = _compiled(_only(chain), function.__code__)
    if plain is None or not _is_the_same(plain, function):
        return None
    chain = copy.deepcopy(chain)
    target: Any = chain[-1]
    target.args.posonlyargs[:0] = [ast.arg(_SIZES), ast.arg(_CHECKS)]
    _Inserting(hints).visit_body(target)
    code = _compiled(_only(chain), function.__code__)
    if code is None or set(code.co_freevars) != set(function.__code__.co_freevars):
        return None
    found = replace(contract, locals=tuple((name, hint) for _, name, hint in hints))
    return WithLocals(found, _with_code(function, code))


@lru_cache(maxsize=4)
def _parsed(text: str) -> ast.Module:
    return ast.parse(text)


def _chain(body: list[ast.stmt], code: types.CodeType) -> list[ast.stmt] | None:
    """The definitions around the function, from the outermost, and its own at the end."""
    for node in _definitions(body):
        decorators = [decorator.lineno for decorator in node.decorator_list]
        if node.name == code.co_name and min([node.lineno, *decorators]) == code.co_firstlineno:
            return [node] if not isinstance(node, ast.ClassDef) else None
        if node.lineno <= code.co_firstlineno <= (node.end_lineno or node.lineno):
            inner = _chain(node.body, code)
            return None if inner is None else [node, *inner]
    return None


def _definitions(body: list[ast.stmt]) -> Iterator[_Definition | ast.ClassDef]:
    for statement in body:
        pending: list[ast.AST] = [statement]
        while pending:
            node = pending.pop()
            if isinstance(node, _DEFINITIONS):
                yield node
            else:
                pending.extend(child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr))


def _only(chain: list[ast.stmt]) -> ast.Module:
    """A module with nothing but these definitions in one another. An outer function is kept whole: what it binds
    decides what is free in the inner one."""
    return ast.fix_missing_locations(ast.Module([_pruned(chain)], []))


def _pruned(chain: list[ast.stmt]) -> ast.stmt:
    node: Any = chain[0]
    if len(chain) == 1 or not isinstance(node, ast.ClassDef):
        return node  # type: ignore[no-any-return]
    made = copy.copy(node)
    made.body, made.decorator_list = [_pruned(chain[1:])], []
    return made


def _compiled(module: ast.Module, original: types.CodeType) -> types.CodeType | None:
    code = compile(module, original.co_filename, "exec", flags=original.co_flags & _FUTURES, dont_inherit=True)
    return next((found for found in _codes(code) if _stands_at(found, original)), None)


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _codes(constant)


def _stands_at(found: types.CodeType, original: types.CodeType) -> bool:
    return found.co_name == original.co_name and found.co_firstlineno == original.co_firstlineno


def _is_the_same(plain: types.CodeType, function: types.FunctionType) -> bool:
    """Whether the source on disk is what the function was made from."""
    original = function.__code__
    rewritten_asserts = "@pytest_ar" in function.__globals__
    return rewritten_asserts or (plain.co_code == original.co_code and plain.co_names == original.co_names)


def _with_code(function: types.FunctionType, code: types.CodeType) -> types.FunctionType:
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    closure = tuple(cells[name] for name in code.co_freevars)
    made = types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    made.__qualname__, made.__module__ = function.__qualname__, function.__module__
    return made


def _local_hints(
    node: Any, function: types.FunctionType, around: Mapping[str, Any]
) -> list[tuple[ast.stmt, str, Hint]]:
    """The annotated assignments with arrays in them, with the name and the demand."""
    resolve = resolver(function, around)
    found: list[tuple[ast.stmt, str, Hint]] = []
    for statement in _own_statements(node):
        if not isinstance(statement, ast.AnnAssign) or statement.value is None:
            continue
        if not isinstance(statement.target, ast.Name):
            continue
        try:
            hint = read(resolve(ast.unparse(statement.annotation)), resolve)
        except Exception:  # nobody evaluates the annotation of a local variable, so it may be anything
            continue
        if has_arrays(hint):
            found.append((statement, statement.target.id, hint))
    return found


def _own_statements(node: Any) -> Iterator[ast.stmt]:
    pending = list(reversed(node.body))
    while pending:
        inner = pending.pop()
        if isinstance(inner, ast.stmt):
            yield inner
        if not isinstance(inner, (*_SCOPES, ast.expr)):
            pending.extend(reversed(list(ast.iter_child_nodes(inner))))


class _Inserting:
    """Puts a call of the check behind each of the statements, told by their places."""

    def __init__(self, hints: list[tuple[ast.stmt, str, Hint]]) -> None:
        self.numbers = {_place(statement): index for index, (statement, _, _) in enumerate(hints)}

    def visit_body(self, node: Any) -> None:
        for _, value in ast.iter_fields(node):
            if not isinstance(value, list):
                continue
            for child in list(value):
                if isinstance(child, ast.AnnAssign) and _place(child) in self.numbers:
                    value.insert(value.index(child) + 1, _check_call(child, self.numbers[_place(child)]))
                elif isinstance(child, ast.AST) and not isinstance(child, (*_SCOPES, ast.expr)):
                    self.visit_body(child)


def _place(node: ast.stmt) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _check_call(statement: ast.AnnAssign, number: int) -> ast.stmt:
    target: Any = statement.target
    call = ast.parse(f"{_CHECKS}[{number}]({target.id}, {_SIZES})").body[0]
    for node in ast.walk(call):
        if "lineno" in getattr(node, "_attributes", ()):
            ast.copy_location(node, statement)
    return call
