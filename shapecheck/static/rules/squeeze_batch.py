"""`x.squeeze()` of a batch, in source: reported where the batch is needed after it."""

from __future__ import annotations

import ast

from shapecheck.conditions import squeeze_batch as rule
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.values import Value
from shapecheck.static.engine.hooks import OperatorCall, after, before, returned
from shapecheck.static.engine.places import Place
from shapecheck.static.engine.run import Run
from shapecheck.static.rules._owners import owner, report_at

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


@after(rule.CODE, *rule.OPERATORS)
def squeezed(call: OperatorCall, result: Value) -> Value:
    """Notes the result where the batch may be lost."""
    input = call.argument(0, "input")
    if len(call.args) + len(call.kwargs) > 1 or not isinstance(input, TensorSpec) or not isinstance(result, TensorSpec):
        return result
    found = rule.find(input.shape, of_one_run=False)
    return result if found is None else _noted(call.run, result, (Place(call.run.loaded, call.node), found))


@after(rule.CODE, *_KEEPING)
def kept(call: OperatorCall, result: Value) -> Value:
    """The note goes on to what has the same axes."""
    note = call.run.metadata(call.args[0], rule.CODE) if call.args else None
    return result if note is None or not isinstance(result, TensorSpec) else _noted(call.run, result, note)


@before(rule.CODE, *_NEEDING)
def used(call: OperatorCall) -> None:
    """Reports the squeeze once the batch is needed."""
    for one in call.args:
        for value in one if type(one) is tuple else (one,):
            _report(call.run, call.node, value)


@returned(rule.CODE, "forward")
def given_back(run: Run, node: ast.AST, value: Value) -> None:
    """Reports what a module gives back."""
    if owner(run.frame) is not None:
        for one in value if type(value) is tuple else (value,):
            _report(run, node, one)


def _noted(run: Run, value: TensorSpec, note: object) -> TensorSpec:
    own = value.with_dtype(value.dtype)
    run.attach(own, rule.CODE, note)
    return own


def _report(run: Run, node: ast.AST, value: Value) -> None:
    note = run.metadata(value, rule.CODE)
    if note is not None:
        place, found = note
        report_at(run, place, node, rule.CODE, found.message)
