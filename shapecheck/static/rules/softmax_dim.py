"""softmax without `dim`: torch chooses the dimension by the rank, which is deprecated."""

from __future__ import annotations

import ast
from inspect import Parameter

from shapecheck.ops.names import find
from shapecheck.project.tree_walk import walk
from shapecheck.spec import TensorSpec
from shapecheck.static.engine.hooks import AbstractCall, Built, before

_FUNCTIONS = ("softmax", "log_softmax", "softmin")
_KEYWORDS = frozenset("input dim axis dtype _stacklevel".split())
_LAYERS = ("Softmax", "LogSoftmax", "Softmin")


@before("softmax-dim", *_FUNCTIONS, *map(Built, _LAYERS))
def without_dim(call: AbstractCall) -> None:
    """Reports a call of the function, or construction of the layer."""
    if not call.kwargs.keys() <= _KEYWORDS or _is_required(call):  # torch rejects the call
        return
    if call.argument(1 if call.name in _FUNCTIONS else 0, "dim") is None and not _is_set_later(call):
        call.run.report("softmax-dim", call.node, f"{call.name} without dim {_guess(call)}")


def _is_required(call: AbstractCall) -> bool:
    """Whether the function has no default for `dim`: only those of torch.nn.functional have one."""
    entry = find(call.operator) if call.name in _FUNCTIONS else None
    return entry is not None and entry.signature.parameters["dim"].default is Parameter.empty


def _is_set_later(call: AbstractCall) -> bool:
    """Whether a subclass of the layer sets the dimension after `super().__init__()`."""
    function = call.run.frame.function
    return (
        isinstance(function, ast.FunctionDef)
        and function.name == "__init__"
        and any(
            isinstance(one, ast.Attribute) and one.attr == "dim" and isinstance(one.ctx, ast.Store)
            for one in walk(function)
        )
    )


def _guess(call: AbstractCall) -> str:
    input = call.argument(0, "input") if call.name in _FUNCTIONS else None
    if not isinstance(input, TensorSpec) or not input.rank:
        return "uses dimension 0 of 1-D and 3-D inputs, else dimension 1; pass dim, such as dim=-1"
    axis = 0 if input.rank in (1, 3) else 1
    return f"uses dimension {axis} of {input.shape}; pass dim={axis if axis + 1 < input.rank else -1}" + (
        ", or dim=-1 for the last dimension" if axis + 1 < input.rank else ""
    )
