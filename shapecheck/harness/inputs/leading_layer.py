"""Inputs that the first layer of a model accepts: an image, a sequence of tokens, features."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from torch import nn

from shapecheck.harness.cases.model import KnownInputs

_SIDES = (64, 128, 224)
_LENGTH = 7
_AXES = ("time", "height width", "frames height width")


def inputs_of_leading_layer(model: nn.Module, required: frozenset[str]) -> Iterator[KnownInputs]:
    """The inputs of a model with one required argument."""
    if len(required) != 1:
        return
    (parameter,) = required
    for path, layer in model.named_modules():
        maker = next((made for kind, made in _MAKERS.items() if isinstance(layer, kind)), None)
        if maker is not None:
            origin = f"first layer: {path or type(layer).__name__}, {layer}"
            for annotation, sizes in maker(layer):
                yield KnownInputs({parameter: annotation}, origin, sizes)
            return


def _convolution(layer: Any) -> Iterator[tuple[str, dict[str, int]]]:
    axes = _AXES[len(layer.kernel_size) - 1]
    for side in _SIDES:
        sizes = {axis: min(side, 16) if axis == "frames" else side for axis in axes.split()}
        yield f'Float[Tensor, "batch {layer.in_channels} {axes}"]', sizes


def _tokens(layer: Any) -> Iterator[tuple[str, dict[str, int]]]:
    yield 'Int[Tensor, "batch sequence"]', {"sequence": _LENGTH}
    yield 'Int[Tensor, "batch"]', {}


def _features(layer: Any) -> Iterator[tuple[str, dict[str, int]]]:
    yield f'Float[Tensor, "batch {layer.in_features}"]', {}
    yield f'Float[Tensor, "batch sequence {layer.in_features}"]', {"sequence": _LENGTH}


def _recurrent(layer: Any) -> Iterator[tuple[str, dict[str, int]]]:
    axes = "batch sequence" if layer.batch_first else "sequence batch"
    yield f'Float[Tensor, "{axes} {layer.input_size}"]', {"sequence": _LENGTH}


def _attention(layer: Any) -> Iterator[tuple[str, dict[str, int]]]:
    axes = "batch sequence" if layer.batch_first else "sequence batch"
    yield f'Float[Tensor, "{axes} {layer.embed_dim}"]', {"sequence": _LENGTH}


def _normalized(layer: Any) -> Iterator[tuple[str, dict[str, int]]]:
    sizes = " ".join(map(str, layer.normalized_shape))
    yield f'Float[Tensor, "batch {sizes}"]', {}
    yield f'Float[Tensor, "batch sequence {sizes}"]', {"sequence": _LENGTH}


_MAKERS: dict[Any, Callable[[Any], Iterator[tuple[str, dict[str, int]]]]] = {
    (nn.Conv1d, nn.Conv2d, nn.Conv3d): _convolution,
    (nn.Embedding, nn.EmbeddingBag): _tokens,
    nn.Linear: _features,
    (nn.RNN, nn.LSTM, nn.GRU): _recurrent,
    nn.MultiheadAttention: _attention,
    nn.LayerNorm: _normalized,
}
"""What each kind of layer accepts: annotations and the sizes of their names."""
