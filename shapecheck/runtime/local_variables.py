"""Checks annotated local variables: compiles the source of a function again, with a check after each of them.

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

from shapecheck.runtime.hints import has_arrays
from shapecheck.runtime.reading import read
from shapecheck.runtime.resolving import resolver
from shapecheck.runtime.signature import FunctionContract, LocalVariable

SIZES = "_shapecheck_sizes"
CHECKS = "_shapecheck_checks"
_Place = tuple[str, int, int]
_Definition = ast.FunctionDef | ast.AsyncFunctionDef
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SCOPES = (*_DEFINITIONS, ast.Lambda)
_FUTURES = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)


@dataclass(frozen=True)
class WithLocals:
    """A contract with local variables, and the function that checks them: it also takes SIZES and CHECKS."""

    contract: FunctionContract
    function: types.FunctionType


def with_locals(contract: FunctionContract, around: Mapping[str, Any]) -> WithLocals | None:
    """The contract with its annotated local variables, None if there are none to check."""
    function: Any = contract.function
    lines = linecache.getlines(function.__code__.co_filename, function.__globals__)
    if not lines or not _may_have_locals(function.__code__, lines):
        return None
    try:
        return _rewritten(contract, function, around, "".join(lines))
    except (SyntaxError, ValueError, RecursionError):
        return None


def _may_have_locals(code: types.CodeType, lines: list[str]) -> bool:
    """Whether the function's lines contain an annotated assignment, parsed without the rest of the file."""
    last = max(_lines(code), default=code.co_firstlineno)
    block = textwrap.dedent("".join(lines[code.co_firstlineno - 1 : last]))
    if "[" not in block or ":" not in block:
        return False
    try:
        tree = ast.parse(block)
    except SyntaxError:  # the last line belongs to a longer statement
        return True
    return any(isinstance(node, ast.AnnAssign) or _is_question(node) for node in ast.walk(tree))


def _lines(code: types.CodeType) -> Iterator[int]:
    yield from (line for _, _, line in code.co_lines() if line is not None)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _lines(constant)


def _rewritten(
    contract: FunctionContract, function: types.FunctionType, around: Mapping[str, Any], text: str
) -> WithLocals | None:
    module = _parsed(text)
    chain = _chain(module.body, function.__code__)
    if chain is None:
        return None
    found = _found_in(chain[-1], function, around)
    if not found:
        return None
    imports = _imports(module)
    plain = _compiled(_only(imports, chain), function.__code__)
    if plain is None or not _is_the_same(plain, function):
        return None
    chain = copy.deepcopy(chain)
    target: Any = chain[-1]
    # At the end, because super() takes the first argument for the instance.
    target.args.kwonlyargs += [ast.arg(SIZES), ast.arg(CHECKS)]
    target.args.kw_defaults += [None, None]
    target.body = [statement for node in target.body for statement in _listed(_Inserting(found).visit(node))]
    code = _compiled(_only(imports, chain), function.__code__)
    if code is None or set(code.co_freevars) != set(function.__code__.co_freevars):
        return None
    return WithLocals(replace(contract, locals=tuple(found.values())), _with_code(function, code))


def _listed(made: Any) -> list[ast.stmt]:
    return made if isinstance(made, list) else [made]


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


def _only(imports: list[ast.stmt], chain: list[ast.stmt]) -> ast.Module:
    """A module with only these nested definitions and the imports: the compiler calls methods of an
    imported name differently. An outer function is kept whole: what it binds decides what is free in the inner one.
    """
    return ast.fix_missing_locations(ast.Module([*imports, _pruned(chain)], []))


def _imports(module: ast.Module) -> list[ast.stmt]:
    pending: list[ast.AST] = [module]
    found: list[ast.stmt] = []
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found.append(node)
        elif not isinstance(node, (*_SCOPES, ast.expr)):
            pending.extend(ast.iter_child_nodes(node))
    return sorted(found, key=lambda node: node.lineno)


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
    """Whether the function was made from the source on disk."""
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


def _found_in(node: Any, function: types.FunctionType, around: Mapping[str, Any]) -> dict[_Place, LocalVariable]:
    """The annotated assignments with arrays, and the `isinstance` calls for arrays, by their places."""
    resolve = resolver(function, around)
    found: dict[_Place, LocalVariable] = {}
    for inner in _own_nodes(node):
        if isinstance(inner, ast.AnnAssign) and inner.value is not None and isinstance(inner.target, ast.Name):
            asked, name = inner.annotation, inner.target.id
        elif _is_question(inner):
            asked, name = inner.args[1], "value"
        else:
            continue
        try:
            hint = read(resolve(ast.unparse(asked)), resolve)
        except Exception:  # Python does not evaluate annotations of local variables, so they can be anything
            continue
        if has_arrays(hint):
            found[_place(inner)] = LocalVariable(name, hint, isinstance(inner, ast.Call))
    return found


def _is_question(node: Any) -> bool:
    """Whether it is `isinstance(x, Float[Tensor, "b"])`, which jaxtyping answers with the sizes of the call."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != "isinstance":
        return False
    return len(node.args) == 2 and any(isinstance(part, ast.Subscript) for part in ast.walk(node.args[1]))


def _own_nodes(node: Any) -> Iterator[Any]:
    """The nodes of the body, without those in an inner function or class."""
    pending = list(reversed(node.body))
    while pending:
        inner = pending.pop()
        yield inner
        if not isinstance(inner, _SCOPES):
            pending.extend(reversed(list(ast.iter_child_nodes(inner))))


class _Inserting(ast.NodeTransformer):
    """Inserts the call of a check after each annotated assignment, and in place of each `isinstance` for arrays."""

    def __init__(self, found: Mapping[_Place, LocalVariable]) -> None:
        self.numbers = {place: number for number, place in enumerate(found)}

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, _SCOPES):
            return node
        self.generic_visit(node)
        number = self.numbers.get(_place(node))
        if number is None:
            return node
        if isinstance(node, ast.Call):
            return _check_call(node, node.args[0], number)
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            value = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
            return [node, ast.copy_location(ast.Expr(_check_call(node, value, number)), node)]
        return node


def _place(node: Any) -> _Place:
    return type(node).__name__, getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _check_call(place: ast.AST, value: ast.expr, number: int) -> ast.Call:
    check = ast.Subscript(ast.Name(CHECKS, ast.Load()), ast.Constant(number), ast.Load())
    call = ast.Call(check, [value, ast.Name(SIZES, ast.Load())], [])
    for node in (check, check.value, check.slice, call.args[1], call):
        ast.copy_location(node, place)
    return call
