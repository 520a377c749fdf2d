"""`x.squeeze()` of a batch: a batch of one sample loses its first axis too."""

from __future__ import annotations

import ast
from typing import Final

from shapecheck.spec import Dim, TensorSpec, at_least
from shapecheck.static.machine import Machine
from shapecheck.static.places import Place
from shapecheck.static.rules._where import owner, report_at
from shapecheck.static.rules.moments import Call, after, before, returned
from shapecheck.static.values import Value

_CODE: Final = "squeeze-batch"
_KEEPING = "sigmoid tanh relu gelu silu exp log float half double clamp softplus abs neg contiguous".split()
"""What gives a tensor of the same axes."""
_NEEDING = """
    __getitem__ cat concat stack matmul @ bmm mm linear
    mse_loss l1_loss smooth_l1_loss huber_loss cross_entropy nll_loss binary_cross_entropy
    binary_cross_entropy_with_logits kl_div
    MSELoss() L1Loss() SmoothL1Loss() HuberLoss() CrossEntropyLoss() NLLLoss() BCELoss() BCEWithLogitsLoss() KLDivLoss()
    Linear() Conv1d() Conv2d() Conv3d() BatchNorm1d() BatchNorm2d() BatchNorm3d() GroupNorm() LayerNorm()
    MultiheadAttention() LSTM() GRU() RNN()
    """.split()
"""What treats the first axis as the batch."""


@after(_CODE, "squeeze")
def squeezed(call: Call, result: Value) -> Value:
    """Notes the result where the first axis may be 1 and another axis surely is: that one was meant."""
    input = call.argument(0, "input")
    if len(call.args) + len(call.kwargs) > 1 or not isinstance(input, TensorSpec) or not isinstance(result, TensorSpec):
        return result
    if input.rank is None or not input.rank or not _may_be_one(input.dims[0]):
        return result
    axes = [axis for axis, size in enumerate(input.dims) if size == 1]
    if not axes:
        return result
    dim = str(axes[0]) if len(axes) == 1 else f"({', '.join(map(str, axes))})"
    advice = f"squeeze() of {input.shape} removes axis 0 too where it is 1; write squeeze({dim})"
    return _noted(call.machine, result, (Place(call.machine.loaded, call.node), advice))


@after(_CODE, *_KEEPING)
def kept(call: Call, result: Value) -> Value:
    """The note goes on to what has the same axes."""
    note = call.machine.metadata(call.args[0], _CODE) if call.args else None
    return result if note is None or not isinstance(result, TensorSpec) else _noted(call.machine, result, note)


@before(_CODE, *_NEEDING)
def used(call: Call) -> None:
    """Reports the squeeze once the batch is needed."""
    for one in call.args:
        for value in one if type(one) is tuple else (one,):
            _report(call.machine, call.node, value)


@returned(_CODE, "forward")
def given_back(machine: Machine, node: ast.AST, value: Value) -> None:
    """Reports what a module gives back."""
    if owner(machine.frame) is not None:
        for one in value if type(value) is tuple else (value,):
            _report(machine, node, one)


def _may_be_one(size: object) -> bool:
    return isinstance(size, Dim) and not at_least(size, 2)


def _noted(machine: Machine, value: TensorSpec, note: object) -> TensorSpec:
    own = value.with_dtype(value.dtype)
    machine.attach(own, _CODE, note)
    return own


def _report(machine: Machine, node: ast.AST, value: Value) -> None:
    note = machine.metadata(value, _CODE)
    if note is not None:
        place, advice = note
        report_at(machine, place, node, _CODE, advice)
