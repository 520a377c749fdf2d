"""Variants of the inputs of an entry point: a batch of one, and odd sizes.

The usual analysis determines what the inputs must be. Then it runs again with one sample, or with an odd number of
pixels or steps.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.spec import Dim, Size, TensorSpec, unknown, without_common_factor
from shapecheck.spec import substitute as put_in
from shapecheck.spec.dim import is_variable, variables
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.callee_names import name_of_callee
from shapecheck.static.domain.substitution import substitute
from shapecheck.static.engine.findings import Finding

_WITH_CHANNELS: Final = 3
"""The lowest rank of an input whose dimensions from 2 on are pixels or steps."""
_LEAST: Final = 8
"""The half of the smallest odd size, so that what remains of it is more than 1."""


class InputVariant(NamedTuple):
    """Other sizes of the inputs, and when their findings occur."""

    condition: str
    found: str
    """What a note says about the run."""
    sizes: Callable[[TensorSpec], Mapping[Dim, Size]]
    """The sizes that replace those of one input."""
    accepts: Callable[[Finding], bool]
    """Which findings follow from these sizes."""
    of_all: bool
    """Whether all inputs have other sizes, not only the first tensor, with what is known to be equal."""

    def resized(self, values: Mapping[str, Value]) -> Mapping[str, Value]:
        """The arguments with these sizes."""
        tensors = [one for one in values.values() if isinstance(one, TensorSpec) and one.rank is not None]
        changed = tensors if self.of_all else tensors[:1]
        sizes = {size: other for one in changed for size, other in self.sizes(one).items()}
        return {name: substitute(one, lambda size: put_in(size, sizes)) for name, one in values.items()}


def _differs_by_rounding(finding: Finding) -> bool:
    """Whether a refused call names two sizes that depend on the same size of an input, as `2*n` and `2*n + 1`.

    Two products, such as the numbers of elements that a split into blocks leaves over, are a requirement of the author.
    """
    sizes = () if finding.conflict is None else finding.conflict.sizes
    if len(sizes) != 2:
        return False
    left, right = sizes
    if not isinstance(left, Dim) or not isinstance(right, Dim) or variables(left).isdisjoint(variables(right)):
        return False
    return without_common_factor(left, right) == (left, right)


def _lacks_batch(finding: Finding) -> bool:
    """Whether a call is refused an operand without the batch of one, not for its number of samples."""
    operands = () if finding.conflict is None else finding.conflict.operands
    return any(one.rank is not None and {0, 1}.isdisjoint(one.dims) for one in operands[:1])


def batch_of(number: int) -> InputVariant:
    """The variant with this number of samples."""

    def sizes(tensor: TensorSpec) -> Mapping[Dim, Size]:
        named = [one for one in tensor.dims if isinstance(one, Dim) and is_variable(one)]
        if len(tensor.dims) < 2 or not named or named[0] is not tensor.dims[0]:
            return {}
        return {one: unknown(one.name, 2) for one in named} | {named[0]: number}

    name = "one" if number == 1 else str(number)
    condition, found = f"fails for a batch of {name}", f"found with a batch of {name}"
    return InputVariant(condition, found, sizes, _lacks_batch, of_all=False)


def _odd_sizes(tensor: TensorSpec) -> Mapping[Dim, Size]:
    dims = tensor.dims
    if len(dims) < _WITH_CHANNELS or (len(dims) == _WITH_CHANNELS and isinstance(dims[1], Dim)):
        return {}
    return {one: 2 * unknown(one.name, _LEAST) + 1 for one in dims[2:] if isinstance(one, Dim) and is_variable(one)}


ODD: Final = InputVariant(
    "fails for odd sizes", "found with sizes of 2*n + 1", _odd_sizes, _differs_by_rounding, of_all=True
)


@cached_on_node
def treats_one(node: ast.AST) -> bool:
    """Whether code removes dimensions of size 1 or compares a size with 1."""
    for one in walk(node):
        if isinstance(one, ast.Call) and name_of_callee(one).startswith("squeeze"):
            return True
        if isinstance(one, ast.Compare) and any(_is_one(part) for part in (one.left, *one.comparators)):
            return True
    return False


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value == 1
