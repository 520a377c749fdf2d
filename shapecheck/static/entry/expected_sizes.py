"""Whether the models of a file are written for inputs of any size: then odd sizes are worth a run.

A model that halves sizes and doubles them again works for multiples of a power of two alone, which many authors accept.
Where a place of the same file pads, crops or resizes to the size of another tensor, other sizes are expected. So they
are where two paths only make sizes smaller, and nothing says that some sizes are excluded.
"""

from __future__ import annotations

import ast
import re
from typing import Final

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.callee_names import last_name, name_of_callee
from shapecheck.static.engine.loading import SourceModule

_UP: Final = lazy_pattern(
    r"(?:Lazy)?ConvTranspose\dd|conv_transpose\dd|Upsample\w*|interpolate|upsample\w*|PixelShuffle"
)
_POOL: Final = lazy_pattern(r"(?:Avg|Max)Pool\dd|(?:avg|max)_pool\dd")
_RESIZING: Final = lazy_pattern(r"[Pp]ool|ConvTranspose|conv_transpose|[Uu]psample|interpolate|PixelShuffle")
_EXCLUDED: Final = lazy_pattern(r"divisible|multiples? of|powers? of|\bodd\b|\beven\b", re.IGNORECASE)
"""What a file says that expects some sizes only, or that treats them."""
_FOR_MODELS: Final = 6_000
_FOR_BLOCKS: Final = 600
_SHAPE: Final = ("shape", "size")
_TO_SIZE: Final = lazy_pattern(r"interpolate|upsample|resize|\w*crop\w*")


def steps_for_sizes(loaded: SourceModule) -> int:
    """How many steps to spend on odd sizes; 0 if they are not expected, as far as the source shows.

    A model that enlarges what it made smaller is examined as a whole; of two paths that only make it smaller, a block.
    """
    is_open = _RESIZING.search(loaded.text) and not _EXCLUDED.search(loaded.text)
    return _steps(loaded.tree) if is_open else 0


@cached_on_node
def _steps(tree: ast.Module) -> int:
    nodes = list(walk(tree))
    calls = [one for one in nodes if isinstance(one, ast.Call)]
    names = [name_of_callee(one) for one in calls]
    enlarges = any(map(_UP.fullmatch, names))
    if not (enlarges or any(map(_POOL.fullmatch, names))) or any(map(_is_selective, nodes)):
        return 0
    if not enlarges:
        return _FOR_BLOCKS
    matched = _names_of_differences(tree)
    is_expected = any(_matches(one, matched) for one in calls) or any(map(_is_crop, nodes))
    return _FOR_MODELS if is_expected else 0


def _is_selective(node: ast.AST) -> bool:
    """Whether an expression takes every other item, or computes a remainder: some sizes may be excluded."""
    if isinstance(node, ast.Slice):
        return node.step is not None
    is_text = isinstance(node, ast.BinOp) and isinstance(node.left, (ast.Constant, ast.JoinedStr))
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and not is_text


def _matches(call: ast.Call, differences: frozenset[str]) -> bool:
    """Whether a call resizes, pads or crops to the size of another tensor."""
    name = name_of_callee(call)
    given = [*call.args[1:], *(one.value for one in call.keywords)]
    if name == "pad":
        return any(_reads(one, differences) or _is_difference(one) for one in given)
    return bool(_TO_SIZE.fullmatch(name)) and any(_reads_shape(one) and not _computes(one) for one in given)


def _is_crop(node: ast.AST) -> bool:
    """Whether an expression is `x[..., : y.shape[-1]]`, for two tensors."""
    if not isinstance(node, ast.Subscript):
        return False
    items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    ends = [one.upper for one in items if isinstance(one, ast.Slice) and one.upper is not None]
    return any(isinstance(one, (ast.Subscript, ast.Call)) and _reads_shape(one) for one in ends)


def _names_of_differences(tree: ast.Module) -> frozenset[str]:
    """The variables that are differences of sizes: `dy = skip.shape[2] - x.shape[2]`."""
    made = [one for one in walk(tree) if isinstance(one, ast.Assign) and _is_difference(one.value)]
    targets = [target for one in made for target in one.targets]
    return frozenset(one.id for target in targets for one in walk(target) if isinstance(one, ast.Name))


def _is_difference(node: ast.expr) -> bool:
    """Whether an expression subtracts the size of a tensor from that of another."""
    return any(
        isinstance(one, ast.BinOp)
        and isinstance(one.op, ast.Sub)
        and _reads_shape(one.left)
        and _reads_shape(one.right)
        for one in walk(node)
    )


def _reads_shape(node: ast.AST) -> bool:
    return any(last_name(one) in _SHAPE for one in walk(node))


def _computes(node: ast.AST) -> bool:
    return any(isinstance(one, ast.BinOp) for one in walk(node))


def _reads(node: ast.AST, names: frozenset[str]) -> bool:
    return any(isinstance(one, ast.Name) and one.id in names for one in walk(node))
