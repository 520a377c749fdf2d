"""Arithmetic that promotes a smaller floating-point dtype to float64, in source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from shapecheck.conditions import float64_leak as rule
from shapecheck.ops import Trait
from shapecheck.spec import TensorSpec
from shapecheck.spec.dtype import float64
from shapecheck.static.domain.objects import ListValue
from shapecheck.static.engine.hooks import AbstractCall, before
from shapecheck.static.provenance.causes import causes_of_dtype


@before(rule.CODE, Trait.PROMOTES_DTYPES)
def promoted(call: AbstractCall) -> None:
    """Reports a float64 operand that is combined with one of a smaller floating-point dtype."""
    operands = list(_operands(call))
    in_place = isinstance(call.node, ast.AugAssign) and bool(operands)
    found = rule.find(call.name, operands, operands[0].dtype if in_place else None)
    if found is not None:
        causes = partial(causes_of_dtype, call.run, call.node, call.args, float64)
        call.run.report(rule.CODE, call.node, found.message, causes=causes)


def _operands(call: AbstractCall) -> Iterator[TensorSpec]:
    """The tensors among the arguments and in lists of them."""
    for one in call.args:
        items = one.items if isinstance(one, ListValue) and not one.lost else one if type(one) is tuple else (one,)
        yield from (item for item in items if isinstance(item, TensorSpec))
