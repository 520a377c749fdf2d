"""Operators of a tensor and an unknown object, which the class of the object may define.

torch returns NotImplemented for an object of another class, so that Python asks that class: `x * point` is a point if
it has `__rmul__`, and `x == pytest.approx(y)` is a bool.
"""

from __future__ import annotations

from typing import Final

from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.floats import is_real
from shapecheck.static.domain.objects import ListValue
from shapecheck.static.engine.run import Run

EQUALITIES: Final = frozenset(("==", "!="))
ARITHMETIC: Final = frozenset("+ - * / // % ** @ & | ^ << >>".split())
_TENSORS_OR_DATA: Final = (TensorSpec, ListValue, tuple, complex)
_MOST_STEPS: Final = 12


def may_be_reflected(run: Run, value: Value, symbols: frozenset[str], steps: int = _MOST_STEPS) -> bool:
    """Whether a tensor is the result of such an operator, so that it may be another object."""
    made = run.origins.of_tensor(value) if isinstance(value, TensorSpec) else None
    if made is None or made.callee not in symbols or steps == 0:
        return False
    if not all(isinstance(one, _TENSORS_OR_DATA) or is_real(one) for one in made.args):
        return True
    return any(may_be_reflected(run, one, ARITHMETIC, steps - 1) for one in made.args)
