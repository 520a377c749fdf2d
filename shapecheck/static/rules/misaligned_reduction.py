"""`x / x.sum(dim=1)` of a square x: the sums of the rows are lined up with the columns."""

from __future__ import annotations

from typing import Final

from shapecheck.ops import ModuleSpec
from shapecheck.spec import TensorSpec, same
from shapecheck.static.machine import Machine
from shapecheck.static.rules.moments import Call, before

_CODE: Final = "silent-broadcast"
_REDUCING = frozenset("sum mean amax amin norm std var logsumexp vector_norm".split())


@before(_CODE, "/", "-", "div", "sub", "divide", "subtract", "true_divide")
def lined_up(call: Call) -> None:
    """Reports a matrix of equal sizes against what is left of itself once its last axis is reduced.

    Of other sizes torch refuses it. Where it comes from is only noted when the entry runs for the second time.
    """
    matrix, reduced = call.args[0], call.args[1] if len(call.args) > 1 else None
    if not isinstance(matrix, TensorSpec) or not isinstance(reduced, TensorSpec):
        return
    if matrix.rank != 2 or reduced.rank != 1 or matrix.dtype is None or not matrix.dtype.is_floating:
        return
    if not (same(matrix.dims[0], matrix.dims[1]) and same(matrix.dims[0], reduced.dims[0])):
        return
    if _is_reduced(call.machine, matrix, reduced):
        call.machine.report(
            _CODE,
            call.node,
            f"{matrix.shape} {call.name} {reduced.shape}: the reduced axis is the last one, and the result is lined up "
            "with it; write keepdim=True in the reduction",
        )


def _is_reduced(machine: Machine, matrix: TensorSpec, reduced: TensorSpec) -> bool:
    """Whether the last axis of this very tensor was reduced; suspected where nothing is noted."""
    made = machine.origins.of_tensor(reduced)
    if made is None:
        return not machine.origins.noted
    if isinstance(made.callee, ModuleSpec) or made.callee.rpartition(".")[2] not in _REDUCING:
        return False
    dim = made.kwargs.get(
        "dim", made.kwargs.get("axis", next((one for one in made.args[1:] if type(one) is int), None))
    )
    return bool(made.args) and made.args[0] is matrix and dim in (1, -1)
