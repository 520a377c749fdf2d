"""Where example code chooses the batch size of its inputs: `x = torch.randn(4, 16, 64)`, or `batch = 4` before it.

Example code is the body of a module, and functions without parameters: `main()`, tests. If nothing else there depends
on the number, all places that choose it can be changed together.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.callee_names import last_name, name_of_callee

_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_FACTORIES: Final = frozenset("randn rand zeros ones empty randint normal full".split())
_DISPLAYS: Final = (ast.List, ast.Tuple, ast.Set)
_SMALLEST: Final = 2
_IMAGES: Final = 4
_BATCH: Final = lazy_pattern(r"[bn]|bsz?|\w*batch\w*", re.IGNORECASE)
_OF_BATCHES: Final = lazy_pattern(r"batch_?size|^bsz?$|_?batch$|n(um)?_envs?")
"""Parameters that are a number of samples, and those that may be."""


class ExampleBatch(NamedTuple):
    """A batch size, the constants that choose it, and the lines of the code in which they are."""

    size: int
    sites: tuple[ast.Constant, ...]
    lines: frozenset[int]


@cached_on_node
def example_batches(tree: ast.Module) -> tuple[ExampleBatch, ...]:
    """The batch sizes that example code of a file chooses."""
    body = [one for one in tree.body if not isinstance(one, _DEFINITIONS)]
    scopes = [body, *(one.body for one in tree.body if isinstance(one, ast.FunctionDef) and _takes_nothing(one))]
    found = tuple(found for scope in scopes for found in _batches_of(scope))
    return () if found and _has_own_batches(tree) else found


def with_batch(text: str, batch: ExampleBatch, size: int) -> ast.Module:
    """The tree of a file with another batch size, in which tests run."""
    tree = ast.parse(text)
    places = {(one.lineno, one.col_offset) for one in batch.sites}
    for one in walk(tree):
        if isinstance(one, ast.Constant) and (one.lineno, one.col_offset) in places:
            one.value = size
    tree.body += [_call(one) for one in tree.body if isinstance(one, ast.FunctionDef) and _is_test(one)]
    return tree


def _is_test(function: ast.FunctionDef) -> bool:
    return function.name.startswith("test") and _takes_nothing(function)


def _call(function: ast.FunctionDef) -> ast.stmt:
    call = ast.Call(func=ast.Name(id=function.name, ctx=ast.Load()), args=[], keywords=[])
    return ast.fix_missing_locations(ast.copy_location(ast.Expr(value=call), function))


def _takes_nothing(function: ast.FunctionDef) -> bool:
    spec = function.args
    has_parameters = spec.args or spec.posonlyargs or spec.kwonlyargs or spec.vararg or spec.kwarg
    return not has_parameters and not function.decorator_list


def _has_own_batches(tree: ast.Module) -> bool:
    """Whether the code of a file has a batch size of its own, or data loaders."""
    for one in walk(tree):
        if isinstance(one, ast.arg) and _OF_BATCHES.search(one.arg):
            return True
        if isinstance(one, ast.Call) and name_of_callee(one) == "DataLoader":
            return True
    return False


def _batches_of(scope: Sequence[ast.stmt]) -> Iterator[ExampleBatch]:
    nodes = [one for statement in scope for one in walk(statement)]
    sizes = [found for one in nodes if isinstance(one, ast.Call) for found in [_sizes_of(one)] if found]
    first = next((one for one in sizes if len(one) > 1), [])
    sites = _sites(nodes, first, sizes)
    number = sites[0].value if sites else None
    if type(number) is int and number >= _SMALLEST and not _is_used_elsewhere(nodes, sizes, number, sites):
        lines = {line for one in scope for line in range(one.lineno, (one.end_lineno or one.lineno) + 1)}
        yield ExampleBatch(number, tuple(sites), frozenset(lines))


def _sites(
    nodes: Sequence[ast.AST], first: Sequence[ast.expr], sizes: Sequence[Sequence[ast.expr]]
) -> list[ast.Constant]:
    """The constants that choose the first size of the first tensor, if that is its number of samples.

    It is if the variable is named so, if the tensor has four dimensions, or if several tensors share the size.
    Otherwise it may be the number of channels or steps of a single sample.
    """
    start = first[0] if first else None
    if isinstance(start, ast.Name):
        site = _assigned(nodes, start.id) if _BATCH.fullmatch(start.id) else None
        return [] if site is None else [site]
    if not isinstance(start, ast.Constant):
        return []
    starts = [one[0] for one in sizes]
    same = [one for one in starts if isinstance(one, ast.Constant) and one.value == start.value]
    return same if len(first) >= _IMAGES or len(same) > 1 else []


def _sizes_of(call: ast.Call) -> list[ast.expr]:
    """The sizes that a factory of torch receives; none for another call."""
    if not isinstance(call.func, ast.Attribute) or last_name(call.func.value) != "torch":
        return []
    if call.func.attr not in _FACTORIES:
        return []
    given = [*call.args, *(one.value for one in call.keywords if one.arg == "size")]
    listed = next((one for one in given if isinstance(one, (ast.Tuple, ast.List))), None)
    if listed is not None:
        return list(listed.elts)
    return [] if call.func.attr in ("randint", "full", "normal") else list(call.args)


def _assigned(nodes: Iterable[ast.AST], name: str) -> ast.Constant | None:
    """The number that is assigned to a variable, if that is its only value."""
    values: list[ast.expr | None] = []
    for one in nodes:
        if isinstance(one, ast.Assign):
            for target in one.targets:
                values += [value for part, value in _pairs(target, one.value) if last_name(part) == name]
        elif isinstance(one, (ast.AugAssign, ast.AnnAssign, ast.For)) and last_name(one.target) == name:
            values.append(None)
    only = values[0] if len(values) == 1 else None
    return only if isinstance(only, ast.Constant) else None


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    if not isinstance(target, (ast.Tuple, ast.List)):
        yield target, value
        return
    values = value.elts if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts) else None
    for index, part in enumerate(target.elts):
        yield part, None if values is None else values[index]


def _is_used_elsewhere(
    nodes: Sequence[ast.AST], sizes: Iterable[Sequence[ast.expr]], number: int, sites: Sequence[ast.Constant]
) -> bool:
    """Whether something else may depend on the number: another size, also a product, a list of as many items, a loop.

    Arguments of constructors may have the same value by coincidence.
    """
    chosen = {id(one) for one in sites}
    shapes = {id(one) for each in sizes for one in each}
    built = {id(part) for one in nodes if _is_constructor(one) for part in walk(one)} - shapes
    numbers = [one for one in nodes if isinstance(one, ast.Constant) and type(one.value) is int and one.value == number]
    if any(id(one) not in chosen and id(one) not in built for one in numbers):
        return True
    others = {one.value for each in sizes for one in each if isinstance(one, ast.Constant) and type(one.value) is int}
    if any(other > 1 and number * other in others for other in others):
        return True
    displays = [one for one in nodes if isinstance(one, _DISPLAYS) and len(one.elts) == number]
    parts = [{*map(id, one.elts)} for one in displays if not isinstance(_context(one), ast.Store)]
    return any(shapes.isdisjoint(one) and chosen.isdisjoint(one) for one in parts)


def _context(node: ast.expr) -> ast.expr_context:
    return getattr(node, "ctx", ast.Load())


def _is_constructor(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and name_of_callee(node)[:1].isupper()
