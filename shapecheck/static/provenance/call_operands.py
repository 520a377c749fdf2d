"""The operands of a call with their expressions, and the sizes of tensors and layers among them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

from shapecheck.spec import Size, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.provenance.sources import operands

INPUT_PARAMETERS = (
    "in_features",
    "in_channels",
    "num_features",
    "num_channels",
    "normalized_shape",
    "input_size",
    "embed_dim",
    "hidden_size",
)
"""The parameters of layers that sizes of their inputs must match."""
OUTPUT_PARAMETERS = ("out_features", "out_channels", "embedding_dim", "hidden_size")
"""The parameters of layers that are sizes of their results."""


def arguments_of(
    node: ast.AST, args: Sequence[Value], kwargs: Mapping[str, Value]
) -> Iterator[tuple[ast.expr | None, Value]]:
    """The arguments of a call with their expressions, tuples and lists flattened."""
    pairs = list(zip(operands(node, len(args)), args, strict=True))
    keywords = {one.arg: one.value for one in node.keywords} if isinstance(node, ast.Call) else {}
    pairs += [(keywords.get(name), value) for name, value in kwargs.items()]
    for one, value in pairs:
        yield from _flattened(one, value)


def _flattened(node: ast.expr | None, value: Value) -> Iterator[tuple[ast.expr | None, Value]]:
    items = getattr(value, "items", value)
    if type(items) is not tuple:
        yield node, value
        return
    inner: Iterable[ast.expr | None] = [None] * len(items)
    if isinstance(node, (ast.Tuple, ast.List)) and len(node.elts) == len(items):
        inner = node.elts
    yield from zip(inner, items, strict=False)


def tensors_of(
    node: ast.AST, args: Sequence[Value], kwargs: Mapping[str, Value]
) -> Iterator[tuple[ast.expr | None, TensorSpec]]:
    """The tensors among the arguments of a call, with their expressions."""
    for one, value in arguments_of(node, args, kwargs):
        if isinstance(value, TensorSpec):
            yield one, value


def known_sizes(tensor: TensorSpec) -> list[Size]:
    """The sizes of a tensor; without those of a run of unknown length."""
    return [*tensor.shape.head, *tensor.shape.tail]
