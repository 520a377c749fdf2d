"""Half precision in a function without a known caller, which may enable autocast, or mixed precision of FSDP.

Both cast what operators such as `linear` receive, so that the dtypes agree. float64 is not cast.
Source: https://docs.pytorch.org/docs/stable/amp.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from shapecheck.ops import ModuleSpec, Trait, names_with
from shapecheck.spec import DTypeError, ShapeError, TensorSpec
from shapecheck.spec.dtype import bfloat16, float16, float32
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.callee_names import short_name
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.run import Run

_HALF = frozenset((float16, bfloat16))
_CAST = _HALF | {float32}


def may_be_cast(run: Run, callee: str | ModuleSpec, operands: Iterable[Value], refusal: ShapeError) -> bool:
    """Whether autocast, which a caller of the code may enable, would accept dtypes that are refused."""
    if not isinstance(refusal, DTypeError) or short_name(callee) not in names_with(Trait.AUTOCAST):
        return False
    weights = vars(callee).values() if isinstance(callee, ModuleSpec) else ()
    dtypes = {one.dtype for one in (*operands, *weights) if isinstance(one, TensorSpec) and one.dtype is not None}
    return dtypes <= _CAST and not dtypes.isdisjoint(_HALF) and any(map(_has_unknown_caller, run.outward()))


def _has_unknown_caller(frame: Frame) -> bool:
    """Whether a function with parameters is analyzed by itself; that of a test is called as it is."""
    function = frame.function
    if frame.call is not None or not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    given = function.args
    has_parameters = bool(given.args or given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg)
    return has_parameters and not function.name.startswith("test")
