"""Layers with the option batch_first: recurrent layers, attention, and the layers of a transformer."""

from __future__ import annotations

from collections.abc import Iterable

from shapecheck.ops import ModuleSpec

RECURRENT = frozenset(("RNN", "LSTM", "GRU"))
ATTENDING = frozenset(
    "MultiheadAttention Transformer TransformerEncoder TransformerDecoder TransformerEncoderLayer "
    "TransformerDecoderLayer".split()
)
_MOST_NESTED = 4


def batch_axis_of(layer: ModuleSpec | None) -> int | None:
    """The dimension of the batch in (sequence, batch, features), or with batch_first; None if that is unknown."""
    if layer is None or "batch_first" in layer.open:
        return None
    given = getattr(layer, "batch_first", None)
    return int(not given) if isinstance(given, bool) else None


def attention_of(module: object) -> ModuleSpec | None:
    """The attention of a layer, a stack of layers, or a whole transformer."""
    for _ in range(_MOST_NESTED):
        if not isinstance(module, ModuleSpec) or module.name.endswith("MultiheadAttention"):
            break
        stack = getattr(module, "layers", ())
        first = next(iter(stack), None) if isinstance(stack, Iterable) else None
        module = getattr(module, "self_attn", getattr(module, "encoder", first))
    return module if isinstance(module, ModuleSpec) else None
