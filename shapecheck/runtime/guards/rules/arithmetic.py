"""Operators that promote the dtypes of their operands to a common one."""

from __future__ import annotations

from torch import Tensor

from shapecheck.runtime.guards.call import OperatorCall

NAMES = tuple(
    """
    add sub mul div subtract multiply divide true_divide rsub __rsub__ __rdiv__ add_ sub_ mul_ div_ pow __rpow__
    where maximum minimum atan2 cat stack concat addcmul addcdiv lerp
    """.split()
)


def operands(call: OperatorCall) -> list[Tensor]:
    """The floating tensors among the arguments that have axes."""
    found = call.tensors()
    if call.args and isinstance(call.args[0], (list, tuple)):
        found += [one for one in call.args[0] if isinstance(one, Tensor)]
    return [one for one in found if one.dim() and one.is_floating_point()]
