"""`torch.autocast`: inside of it, operators choose what their floating inputs are cast to."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from shapecheck.ops import ModuleSpec, Other, Unknown
from shapecheck.project.node_cache import cached_on_node
from shapecheck.spec import TensorSpec
from shapecheck.static.alternatives import Alternatives, members_of
from shapecheck.static.machine import Machine
from shapecheck.static.values import Value

KIND = "autocast"
"""What `ops` calls the context manager."""

_CASTING = frozenset(
    """
    @ matmul mm mv bmm addmm addmv addbmm baddbmm addr linear bilinear einsum conv1d conv2d conv3d conv_transpose1d
    conv_transpose2d conv_transpose3d scaled_dot_product_attention multi_dot chain_matmul prelu __matmul__
    Linear() Bilinear() Conv1d() Conv2d() Conv3d() ConvTranspose1d() ConvTranspose2d() ConvTranspose3d() GRU() LSTM()
    RNN() GRUCell() LSTMCell() RNNCell() MultiheadAttention() Transformer() TransformerEncoder() TransformerDecoder()
    TransformerEncoderLayer() TransformerDecoderLayer()
    """.split()
)


@contextmanager
def entered(machine: Machine, node: ast.With, values: list[Value]) -> Iterator[None]:
    """Runs the body of a `with` statement whose context managers are these."""
    before = machine.autocasting
    for item, value in zip(node.items, values, strict=True):
        if _may_be(item.context_expr, value):
            machine.autocasting = not _is_off(item.context_expr)
    try:
        yield
    finally:
        machine.autocasting = before


def _may_be(node: ast.expr, value: Value) -> bool:
    """Whether a context manager is autocast, or one that was made elsewhere and has not another name."""
    if isinstance(value, Unknown) and not isinstance(value, Alternatives):
        return not isinstance(node, ast.Call) or KIND in _name(node.func)
    return any(isinstance(one, Other) and one.kind == KIND for one in members_of(value))


def _is_off(node: ast.expr) -> bool:
    keywords = node.keywords if isinstance(node, ast.Call) else []
    return any(
        one.arg == "enabled" and isinstance(one.value, ast.Constant) and one.value.value is False for one in keywords
    )


@contextmanager
def switched_on(machine: Machine) -> Iterator[None]:
    """Runs the body of a function above which `@torch.autocast(...)` stands."""
    before, machine.autocasting = machine.autocasting, True
    try:
        yield
    finally:
        machine.autocasting = before


@cached_on_node
def is_decorated(function: ast.AST) -> bool:
    """Whether it stands above a function."""
    calls = (one for one in getattr(function, "decorator_list", ()) if isinstance(one, ast.Call))
    return any(_name(one.func) == KIND and not _is_off(one) for one in calls)


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def forgotten(value: Any) -> Any:
    """A value without the kinds of floating numbers in it, which are cast as needed."""
    if isinstance(value, TensorSpec):
        return value.with_dtype(None) if value.dtype is not None and value.dtype.is_floating else value
    if type(value) in (tuple, list):
        return type(value)(map(forgotten, value))
    return value


def cast(name: str | ModuleSpec, answer: Any) -> Any:
    """What an operator gives, of a kind that is not known where autocast chooses it."""
    short = name.rpartition(".")[2] if isinstance(name, str) else f"{name.name}()"
    return forgotten(answer) if short in _CASTING else answer
