"""`softmax(nn.Linear(d, 1)(x), dim=-1)`: softmax over the only output of a layer returns ones.

The layer must be built with the number 1. A number of classes or experts that is 1 in some configuration is not meant.
"""

from __future__ import annotations

import ast
from typing import Final

from shapecheck.ops import ModuleSpec, Trait, names_with
from shapecheck.spec import TensorSpec
from shapecheck.static.engine.hooks import AbstractCall, Called, before
from shapecheck.static.engine.origins import TensorOrigin
from shapecheck.static.engine.run import Run
from shapecheck.static.rules._normalizations import PASSING, name_of

_CODE: Final = "normalized-axis"
_LAYERS = frozenset(("Linear", "Conv1d", "Conv2d", "Conv3d"))
_KEYWORDS = frozenset(("out_features", "out_channels"))
_PLACE = 1
"""The argument of these layers with the number of their outputs."""
_ARITHMETIC = frozenset("+ - * / add sub mul div".split())
_MOST_HOPS = 12


@before(_CODE, "softmax", "log_softmax", Called("Softmax"), Called("LogSoftmax"))
def of_one_output(call: AbstractCall) -> None:
    """Reports softmax over a dimension of size 1."""
    scores = call.argument(0, "input")
    axis = call.argument(1, "dim") if call.layer is None else getattr(call.layer, "dim", None)
    if not isinstance(scores, TensorSpec) or type(axis) is not int or not _is_one(scores, axis):
        return
    if call.run.origins.noted and not _is_only_output(call.run, scores, axis):
        return
    constant = "0" if call.name.lower().startswith("log") else "1"
    message = (
        f"{call.name} over dimension {axis} of {scores.shape}, the only output of a layer, always returns {constant}"
    )
    call.run.report(_CODE, call.node, message)


def _is_one(scores: TensorSpec, axis: int) -> bool:
    """Whether a dimension that exists has size 1."""
    exists = scores.rank is None or -scores.rank <= axis < scores.rank
    return exists and scores.shape.at(axis) == 1


def _is_only_output(run: Run, scores: TensorSpec, axis: int) -> bool:
    """Whether the dimension holds the outputs of a layer, behind operators that keep the shape."""
    value = scores
    for _ in range(_MOST_HOPS):
        made = run.origins.of_tensor(value)
        if made is None:
            return False
        if name_of(made) in _LAYERS:
            return _has_one_output(run, made) and _is_of_outputs(made, scores, axis)
        source = made.args[0] if made.args else None
        if not isinstance(source, TensorSpec) or not _keeps_shape(made) or source.shape != value.shape:
            return False
        value = source
    return False


def _keeps_shape(made: TensorOrigin) -> bool:
    name = name_of(made)
    return name in PASSING or name in _ARITHMETIC or name in names_with(Trait.KEEPS_AXES)


def _is_of_outputs(made: TensorOrigin, scores: TensorSpec, axis: int) -> bool:
    """Whether a dimension is the last one behind a linear layer, or that of the channels behind a convolution."""
    if name_of(made) == "Linear":
        return axis == -1 or (scores.rank is not None and axis == scores.rank - 1)
    channels = -int(name_of(made)[-2]) - 1
    return axis == channels or (scores.rank is not None and axis == scores.rank + channels)


def _has_one_output(run: Run, made: TensorOrigin) -> bool:
    """Whether the call that built the layer passes the number 1."""
    built = run.origins.of_layer(made.callee) if isinstance(made.callee, ModuleSpec) else None
    if built is None or not isinstance(built.node, ast.Call):
        return False
    given = [one.value for one in built.node.keywords if one.arg in _KEYWORDS]
    given += built.node.args[_PLACE : _PLACE + 1]
    return any(isinstance(one, ast.Constant) and one.value == 1 for one in given)
