"""The only size of a new tensor, `torch.ones(dim)`: an argument with which the function computes is no tuple."""

from __future__ import annotations

import ast
from typing import Final

from shapecheck.ops import Trait, names_with
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.own_scope import in_own_scope
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.engine.call_refinement import refine_to_size
from shapecheck.static.engine.run import Run

_OF_NUMBERS: Final = (ast.Pow, ast.Sub, ast.Div, ast.FloorDiv, ast.Mod)


def takes_only_sizes(name: str) -> bool:
    """Whether a function makes a tensor of sizes, which are numbers or one tuple; `name` is without its module."""
    return name in names_with(Trait.TAKES_SIZES) and name in names_with(Trait.NEW_ON_DEFAULT_DEVICE)


def with_only_size(run: Run, node: ast.AST, args: tuple[Value, ...]) -> tuple[Value, ...]:
    """The arguments with a size in the place of an unknown one with which the calling function computes."""
    written = node.args if isinstance(node, ast.Call) else []
    if len(args) != 1 or not isinstance(args[0], SymbolicArgument) or not written:
        return args
    function, name = run.frame.function, written[0]
    if not isinstance(function, ast.FunctionDef) or not isinstance(name, ast.Name):
        return args
    if name.id not in _numbers_in(function):
        return args
    refine_to_size(run, args[0])
    return (args[0].size,)


@cached_on_node
def _numbers_in(function: ast.FunctionDef) -> frozenset[str]:
    """The variables with which a function computes as no tuple can: `dim ** 0.5`, `1 / dim`."""
    found = set()
    for one in in_own_scope(function):
        if isinstance(one, ast.BinOp) and isinstance(one.op, _OF_NUMBERS):
            found |= {part.id for part in (one.left, one.right) if isinstance(part, ast.Name)}
    return frozenset(found)
