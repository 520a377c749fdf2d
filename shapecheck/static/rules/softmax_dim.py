"""softmax without `dim`: torch guesses the axis from the rank, and warns that it will stop doing so."""

from __future__ import annotations

import ast

from shapecheck.spec import TensorSpec
from shapecheck.static.engine.hooks import OperatorCall, before

_PLACES = {"softmax": 1, "log_softmax": 1, "softmin": 1, "Softmax": 0, "LogSoftmax": 0, "Softmin": 0}
"""Where `dim` stands among the arguments."""


@before("softmax-dim", *_PLACES)
def without_dim(call: OperatorCall) -> None:
    """Reports the functions where they are called, the layers where they are built."""
    if call.argument(_PLACES[call.name], "dim") is None and not _is_set_later(call):
        call.run.report("softmax-dim", call.node, f"{call.name} without dim: {_guess(call)}")


def _is_set_later(call: OperatorCall) -> bool:
    """Whether a class that is such a layer sets the axis after `super().__init__()`."""
    function = call.run.frame.function
    return (
        isinstance(function, ast.FunctionDef)
        and function.name == "__init__"
        and any(
            isinstance(one, ast.Attribute) and one.attr == "dim" and isinstance(one.ctx, ast.Store)
            for one in ast.walk(function)
        )
    )


def _guess(call: OperatorCall) -> str:
    input = call.argument(0, "input") if call.name.islower() else None
    if not isinstance(input, TensorSpec) or not input.rank:
        return "torch guesses axis 0 of one or three axes, else axis 1; write dim=-1 where the last one is meant"
    axis = 0 if input.rank in (1, 3) else 1
    return f"torch guesses axis {axis} of {input.shape}; write dim={axis if axis + 1 < input.rank else -1}" + (
        ", or dim=-1 where the last one is meant" if axis + 1 < input.rank else ""
    )
