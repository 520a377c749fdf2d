"""Tied weights are one parameter.

Two parameters that share memory are separated when the model is moved or copied; two that share none are not tied. A
layer has the shape of the weight that it shares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import torch
from torch import Tensor, nn

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import check
from shapecheck.harness.inputs.specification import attribute
from shapecheck.harness.layer_definition import find_definition
from shapecheck.spec.presentation import value_text

_SIZES: dict[type[nn.Module], tuple[str, str]] = {
    nn.Linear: ("out_features", "in_features"),
    nn.Embedding: ("num_embeddings", "embedding_dim"),
}
"""The attributes with the sizes of the weight."""


@check(5, needs_data=True)
def tying(context: CheckContext) -> Iterator[Diagnostic]:
    """The memory of each parameter and buffer; constants may share theirs."""
    yield from _untied(context)
    yield from _of_other_shapes(context)
    known: dict[int, list[tuple[str, Tensor]]] = {}
    for name, one in (*context.model.named_parameters(), *context.model.named_buffers()):
        if one.layout is not torch.strided or not one.numel():
            continue
        others = known.setdefault(one.untyped_storage().data_ptr(), [])
        first = next((first for first, other in others if overlap(one, other)), None)
        others.append((name, one))
        if first is None:
            continue
        message = (
            f"{first} and {name} share memory but are different tensors; moving, copying or sharding the model "
            f"separates them; assign the parameter itself"
        )
        place, owner = find_definition(context.model, name) or (None, "")
        yield context.finding("broken-tie", message, place, module=owner)


def _untied(context: CheckContext) -> Iterator[Diagnostic]:
    """The embeddings of a model whose configuration ties them, as in transformers."""
    config = attribute(context.model, "config")
    if attribute(config, "tie_word_embeddings") is not True:
        return
    first = _weight(context.model, "get_input_embeddings")
    names = {id(one): name for name, one in context.model.named_parameters()}
    others = [_weight(context.model, "get_output_embeddings")]
    if attribute(config, "share_encoder_decoder_embeddings") is not False:  # that of Marian
        others += [_weight(_part(context.model, part), "get_input_embeddings") for part in ("encoder", "decoder")]
    for second in others:
        if first is None or second is None or first is second or first.shape != second.shape:
            continue
        if id(first) in names and id(second) in names:
            name = names[id(second)]
            message = f"{names[id(first)]} and {name} are two parameters, but config.tie_word_embeddings is True"
            place, owner = find_definition(context.model, name) or (None, "")
            yield context.finding("broken-tie", message, place, module=owner)


def _part(model: nn.Module, name: str) -> object:
    """The encoder or decoder of a model of two parts, otherwise None."""
    return attribute(model, name) or attribute(attribute(model, "model"), name)


def _of_other_shapes(context: CheckContext) -> Iterator[Diagnostic]:
    """Layers that were built for other sizes than those of the weight that they share."""
    named = dict(context.model.named_parameters(remove_duplicate=False))
    counts = Counter(map(id, named.values()))
    for name, one in named.items():
        path, _, attribute_name = name.rpartition(".")
        layer = context.model.get_submodule(path)
        sizes = _SIZES.get(type(layer))
        if counts[id(one)] < 2 or attribute_name != "weight" or sizes is None:
            continue
        built = tuple(int(getattr(layer, size)) for size in sizes)
        if built != one.shape:
            stated = ", ".join(f"{size}={number}" for size, number in zip(sizes, built, strict=True))
            message = f"{name} is shared and of shape {value_text(tuple(one.shape))}, but its layer has {stated}"
            place, owner = find_definition(context.model, name) or (None, "")
            yield context.finding("broken-tie", message, place, module=owner)


def _weight(model: object, getter: str) -> Tensor | None:
    """The weight of the layer that a method of the model returns."""
    get = attribute(model, getter)
    try:
        weight = attribute(get(), "weight")
    except Exception:  # models without a head
        return None
    return weight if isinstance(weight, Tensor) else None


def overlap(one: Tensor, other: Tensor) -> bool:
    """Whether two tensors in one storage share elements, and one of them is trained."""
    if not (one.requires_grad or other.requires_grad):
        return False
    if one.data_ptr() == other.data_ptr() and one.numel() == other.numel():
        return True
    if not (_has_no_gaps(one) and _has_no_gaps(other)):  # columns of one matrix lie between each other
        return False
    return max(one.data_ptr(), other.data_ptr()) < min(_end(one), _end(other))


def _has_no_gaps(tensor: Tensor) -> bool:
    return _end(tensor) - tensor.data_ptr() == tensor.nbytes


def _end(tensor: Tensor) -> int:
    """The address behind the last element."""
    last = sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride(), strict=True))
    return tensor.data_ptr() + (last + 1) * tensor.element_size()
