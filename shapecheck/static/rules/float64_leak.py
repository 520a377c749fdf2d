"""float64 that meets a smaller float, in source."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.conditions import float64_leak as rule
from shapecheck.conditions.operators import with_signs
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.values import ListValue
from shapecheck.static.engine.hooks import OperatorCall, before


@before(rule.CODE, *with_signs(rule.OPERATORS))
def promoted(call: OperatorCall) -> None:
    """Reports operands of which one is float64 and another a smaller float."""
    operands = list(_operands(call))
    in_place = isinstance(call.node, ast.AugAssign) and bool(operands)
    found = rule.find(call.name, operands, operands[0].dtype if in_place else None)
    if found is not None:
        call.run.report(rule.CODE, call.node, found.message)


def _operands(call: OperatorCall) -> Iterator[TensorSpec]:
    """The tensors among the arguments, and in a list of them."""
    for one in call.args:
        items = one.items if isinstance(one, ListValue) and not one.lost else one if type(one) is tuple else (one,)
        yield from (item for item in items if isinstance(item, TensorSpec))
