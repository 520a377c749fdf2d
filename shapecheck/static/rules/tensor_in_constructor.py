"""`nn.ReLU(x)` and `nn.MSELoss(output, target)`: tensors given to the constructor of a layer, not to the layer.

The constructor takes options. Some accept the tensor without an error, and what they return is a layer, not a tensor.
"""

from __future__ import annotations

from typing import Final

from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.engine.hooks import AbstractCall, Built, before

_CODE: Final = "wrong-call"
_ACTIVATIONS: Final = """
    ReLU ReLU6 LeakyReLU ELU SELU CELU GELU SiLU Mish Softmax LogSoftmax Softmin Softplus Hardtanh Hardswish
    Hardsigmoid GLU Dropout Dropout1d Dropout2d Dropout3d AlphaDropout Flatten
""".split()
_LOSSES: Final = "MSELoss L1Loss SmoothL1Loss HuberLoss KLDivLoss PoissonNLLLoss".split()
_WEIGHTED: Final = "CrossEntropyLoss NLLLoss BCELoss BCEWithLogitsLoss".split()
"""Losses whose first option is a tensor of weights."""


@before(_CODE, *map(Built, (*_ACTIVATIONS, *_LOSSES)))
def of_layer(call: AbstractCall) -> Value | None:
    """Reports the first argument of a layer or a loss without weights."""
    return _report(call, call.args[0] if call.args else None)


@before(_CODE, *map(Built, _WEIGHTED))
def of_weighted_loss(call: AbstractCall) -> Value | None:
    """Reports the second argument of a loss with weights."""
    return _report(call, call.args[1] if len(call.args) > 1 else None)


def _report(call: AbstractCall, option: Value) -> Value | None:
    if not isinstance(option, TensorSpec) or not _has_elements(option):
        return None
    message = f"{call.name}: expected an option, got a tensor of shape {option.shape}"
    return call.run.report(_CODE, call.node, f"{message}; call the layer with it: nn.{call.name}()(...)")


def _has_elements(tensor: TensorSpec) -> bool:
    """Whether a tensor is no number, which has one element."""
    sizes = (*tensor.shape.head, *tensor.shape.tail)
    return mark_of(tensor) is None and bool(tensor.shape.least_rank) and any(size != 1 for size in sizes)
