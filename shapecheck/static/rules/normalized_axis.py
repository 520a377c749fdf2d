"""`softmax(q @ k.transpose(-2, -1), dim=-2) @ v`: the weights of each query do not sum to one.

The product with the values sums over the keys, so softmax must normalize over the keys. A softmax over another
dimension has the same shape. Only products of two computed tensors count: with a parameter, `softmax(centers @ x, 1)`
assigns each item to a center, and transition matrices are normalized either way.
"""

from __future__ import annotations

from typing import Final

from shapecheck.ops import ModuleSpec
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.hooks import AbstractCall, before
from shapecheck.static.engine.run import Run
from shapecheck.static.rules._arguments import is_argument
from shapecheck.static.rules._contracted_axes import Contracted, contracted_axes
from shapecheck.static.rules._normalizations import (
    PASSING,
    SOFTMAXES,
    axis_of,
    made_by,
    name_of,
    tensors_of,
    written_axes,
)

_CODE: Final = "normalized-axis"
_LAST = frozenset(("-1", ""))
_MOST_HOPS = 12
_MOST_SCORES = 24
_PRODUCTS = frozenset(("matmul", "@", "bmm", "baddbmm", "einsum"))
_SCALING = PASSING | frozenset("mul div add sub where clamp tanh * / + -".split())
"""What is done to the scores before softmax: a scale, a bias, a mask."""


@before(_CODE, "matmul", "bmm", "@", "einsum")
def of_attention(call: AbstractCall) -> None:
    """Reports a product with weights that are normalized over a dimension which it keeps."""
    written = written_axes(call.run.loaded.tree)
    if all(written.get(name, _LAST) <= _LAST for name in SOFTMAXES):
        return
    operands = contracted_axes(call)
    for one in operands if call.name == "einsum" else operands[:1]:
        axis = _normalized(call.run, one)
        if axis is not None:
            summed = " and ".join(map(str, one.axes))
            message = f"{call.name}: sums over dimension {summed} of the attention weights {one.operand.shape}"
            why = f"but softmax normalized dimension {axis}; pass dim={summed} to softmax"
            call.run.report(_CODE, call.node, f"{message}, {why}")
            return


def _normalized(run: Run, weights: Contracted) -> int | None:
    """The dimension of attention weights that softmax normalized, if the product does not sum over it.

    0 before origins are recorded.
    """
    if not run.origins.noted:
        return 0
    made = made_by(run, weights.operand)
    if made is None or name_of(made) not in SOFTMAXES or not made.args or not isinstance(made.args[0], TensorSpec):
        return None
    axis = axis_of(made)
    if axis is None or not _is_another(axis, weights) or not _is_product(run, made.args[0]):
        return None
    return axis


def _is_another(axis: int, weights: Contracted) -> bool:
    """Whether a dimension is certainly none of those that the product sums over."""
    shape = weights.operand.shape
    if axis < 0:
        return axis not in weights.axes
    if shape.rank is not None:
        return axis - shape.rank not in weights.axes
    return weights.axes == (-1,) and axis + 1 < shape.least_rank


def _is_product(run: Run, scores: TensorSpec) -> bool:
    """Whether scores result from a product of two tensors that are both computed."""
    open_: list[Value] = [scores]
    for _ in range(_MOST_SCORES):
        if not open_:
            return False
        value = open_.pop()
        made = run.origins.of_tensor(value) if isinstance(value, TensorSpec) else None
        if made is None:
            continue
        if name_of(made) in _PRODUCTS:
            return all(_is_computed(run, one) for one in tensors_of(made))
        if name_of(made) in _SCALING:
            open_ += tensors_of(made)
    return False


def _is_computed(run: Run, value: TensorSpec) -> bool:
    """Whether a tensor results from a layer or an argument, by operators such as view, and not from a parameter."""
    for _ in range(_MOST_HOPS):
        made = run.origins.of_tensor(value)
        if made is None:
            return is_argument(run, value)
        if isinstance(made.callee, ModuleSpec):
            return True
        source = next(tensors_of(made), None)
        if source is None:
            return False
        value = source
    return False
