"""float64 that meets a smaller float: torch promotes, and everything after is float64."""

from __future__ import annotations

from shapecheck.spec import TensorSpec
from shapecheck.static.engine.hooks import Call, before

_PROMOTING = "+ - * / add sub mul div subtract multiply divide true_divide where maximum minimum".split()


@before("float64-leak", *_PROMOTING)
def promoted(call: Call) -> None:
    """Reports operands of which one is float64 and another a smaller float, none of them a scalar."""
    floats = [
        one for one in call.args if isinstance(one, TensorSpec) and one.dtype is not None and one.dtype.is_floating
    ]
    if len(floats) < 2 or not all(one.shape.least_rank for one in floats):
        return
    names = {one.dtype.name for one in floats if one.dtype is not None}
    if "float64" in names and len(names) > 1:
        other = min(names - {"float64"})
        call.machine.report(
            "float64-leak",
            call.node,
            f"float64 {call.name} {other} gives float64; convert the float64 side, with .to(torch.{other}) or dtype=",
        )
