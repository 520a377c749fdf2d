"""A call that works only if a size that the user chooses is 1: `nn.Linear(dim, 10)` of an input (b, c, 1).

A parameter or an attribute of the object holds what the user chooses. That the size may be 1 is no reason to
assume it, unlike for a dimension of a tensor, which is 1 for an image with one channel.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import partial

from shapecheck.ops import ModuleSpec, Trait, names_with
from shapecheck.ops.assumptions import Assumption
from shapecheck.spec import Dim, Size, TensorSpec
from shapecheck.spec.dim import is_variable, variables
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.chosen_sizes import chosen_name
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.conflicts import conflict_notes

_CODE = "off-default"


def report_only_one(
    run: Run,
    node: ast.AST,
    name: str | ModuleSpec,
    args: tuple[Value, ...],
    kwargs: dict[str, Value],
    assumed: Iterable[Assumption],
) -> None:
    """Reports an equality that a rule assumed if it holds for no other value of a chosen size than 1.

    The rule about the elements of a reshape knows more about it: a size by which the number grows may be 1.
    """
    if isinstance(name, str) and name.rpartition(".")[2] in names_with(Trait.RESHAPES):
        return
    for one in assumed:
        for size in _forced(one.left, one.right):
            chosen = str(size) if _is_of_weight(name, size) else chosen_name(run, size)
            if chosen is not None and run.is_unconditional and not _is_axis(run, size):
                why = partial(conflict_notes, run, node, name, args, kwargs, one.message)
                run.report(_CODE, node, f"{one.message} (works only for {chosen}=1)", why)
                return


def _forced(left: Size, right: Size) -> Iterable[Dim]:
    """The size that must be 1: the other side of an equality with 1."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, int) and one == 1 and isinstance(other, Dim) and is_variable(other):
            return (other,)
    return ()


def _is_of_weight(name: str | ModuleSpec, size: Dim) -> bool:
    """Whether the weight of the layer that is called has this size, which its constructor received."""
    weight = None if isinstance(name, str) else getattr(name, "weight", None)
    return isinstance(weight, TensorSpec) and weight.rank is not None and size in weight.dims and str(size) != "?"


def _is_axis(run: Run, size: Dim) -> bool:
    """Whether a tensor that an active call received has a dimension of this size."""
    for frame in run.outward():
        spec = getattr(frame.function, "args", None)
        for parameter in parameters_of(spec) if spec is not None else ():
            value = frame.names.fields.get(parameter.name)
            if isinstance(value, TensorSpec) and any(size in variables(one) for one in _sizes(value)):
                return True
    return False


def _sizes(value: TensorSpec) -> tuple[Size, ...]:
    return (*value.shape.head, *value.shape.tail)
