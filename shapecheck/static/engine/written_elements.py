"""Tensors whose elements the program writes down: `torch.zeros(1)`, `torch.tensor([3, 2])`, and what follows from them.

A condition on them has one outcome, even if it is not computed here, so one of its branches never runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.callee_names import short_name
from shapecheck.static.domain.objects import ListValue

_WRITING = frozenset(
    """
    zeros zeros_like new_zeros ones ones_like new_ones arange linspace
    logspace eye from_numpy
    """.split()
)
_OF_DATA = frozenset("tensor new_tensor as_tensor asarray full full_like new_full".split())
_WITH_ITS_ELEMENTS = frozenset(
    """
    clone contiguous detach to type type_as float double half bfloat16 long int bool reshape view view_as expand
    expand_as squeeze unsqueeze permute transpose flatten repeat cpu cuda any all amax amin max min mean sum
    """.split()
)
_RANDOM = ("rand", "bernoulli", "dropout", "multinomial", "normal", "poisson", "empty")


def is_written(
    callee: str | ModuleSpec,
    args: tuple[Value, ...],
    kwargs: Mapping[str, Value],
    of_argument: Callable[[TensorSpec], bool],
) -> bool:
    """Whether the elements of a result follow from numbers in the program, given which arguments' elements do."""
    if not isinstance(callee, str):
        return False  # the weights of a layer are random
    name = short_name(callee)
    if name in _WRITING:
        return True
    if name.startswith(_RANDOM):
        return False
    given = args[:1] if name in _WITH_ITS_ELEMENTS else (*args, *kwargs.values())
    tensors = [one for one in given if isinstance(one, TensorSpec)]
    follows = all(map(of_argument, tensors)) and not any(map(_is_unknown, given))
    return follows and (bool(tensors) or name in _OF_DATA)


def _is_unknown(value: Value, depth: int = 4) -> bool:
    """Whether a number or an item is unknown; items more than `depth` lists deep count as unknown."""
    items = value.items if isinstance(value, ListValue) else value
    if type(items) is not tuple:
        return isinstance(value, Unknown)
    return depth == 0 or any(_is_unknown(one, depth - 1) for one in items)
