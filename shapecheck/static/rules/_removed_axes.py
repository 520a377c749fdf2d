"""An inserted dimension that a reduction removes again: `x.mean(1) * mask`, where both got a second dimension before.

The code is written for two dimensions: the dimension of the column was not inserted to pair it with the vector.
"""

from __future__ import annotations

from shapecheck.conditions.silent_broadcast import AxisSource
from shapecheck.spec import TensorSpec
from shapecheck.static.engine.run import Run
from shapecheck.static.rules._reduced import reduction_of
from shapecheck.static.rules._written_axes import is_written, origin_of_axis


def lacks_inserted_axis(run: Run, few: TensorSpec, many: TensorSpec, axis: int) -> bool:
    """Whether an operand is a tensor of the shape of the other one, reduced along a dimension inserted like its own.

    `a.norm(dim=1) * b.norm(dim=1)[:, None]` pairs two reductions, for which the dimension was inserted.
    """
    reduction = reduction_of(run, few)
    if reduction is None or many.rank is None or reduction.source.shape != many.shape:
        return False
    place = reduction.axis if reduction.axis < 0 else reduction.axis - many.rank
    if place != axis or not is_written(run, reduction.source, place, AxisSource.BROADCASTING):
        return False
    made = origin_of_axis(run, many, axis, AxisSource.BROADCASTING)
    before = made.args[0] if made is not None and made.args else None
    return isinstance(before, TensorSpec) and reduction_of(run, before) is None
