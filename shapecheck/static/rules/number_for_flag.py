"""`nn.Linear(d, k, dropout)` and `nn.GRU(d, h, 2, 0.5)`: a probability for `bias`, which is the next parameter.

Torch takes any object for a flag, and 0.5 is true. Reported are a number between 0 and 1, and an expression whose name
says that it is a probability of dropout.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from shapecheck.ops import Unknown
from shapecheck.ops.names import find
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.engine.hooks import AbstractCall, Built, before

_CODE: Final = "wrong-call"
_LAYERS: Final = """
    Linear Bilinear Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d RNN LSTM GRU RNNCell LSTMCell
    GRUCell BatchNorm1d BatchNorm2d BatchNorm3d InstanceNorm1d InstanceNorm2d InstanceNorm3d LayerNorm GroupNorm
    MultiheadAttention
""".split()
_FLAGS: Final = frozenset(
    "bias batch_first bidirectional affine track_running_stats elementwise_affine add_bias_kv add_zero_attn".split()
)


@before(_CODE, *map(Built, _LAYERS))
def of_layer(call: AbstractCall) -> Unknown | None:
    """Reports the first flag that gets a probability."""
    for flag, node, value in _given_flags(call):
        if (type(value) is float and 0 < value < 1) or (type(value) is not bool and _is_dropout(node)):
            written = value if type(value) is float else ast.unparse(node)
            return call.run.report(_CODE, call.node, f"nn.{call.name}: expected {flag} to be a bool, got {written}")
    return None


def _given_flags(call: AbstractCall) -> Iterator[tuple[str, ast.expr, object]]:
    """The flags that are passed by position: their names, expressions and values."""
    entry = find(f"nn.{call.name}")
    if entry is None or not isinstance(call.node, ast.Call) or len(call.node.args) != len(call.args):
        return
    for name, node, value in zip(entry.signature.parameters, call.node.args, call.args, strict=False):
        if name in _FLAGS:
            yield name, node, value


def _is_dropout(node: ast.expr) -> bool:
    """Whether an expression is a name such as `dropout` or `self.drop_prob`, but not `use_dropout`."""
    name = last_name(node).lower() if isinstance(node, (ast.Name, ast.Attribute)) else ""
    return name.startswith(("dropout", "drop_")) and "use" not in name
