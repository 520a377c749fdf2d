"""The names of numpy that torch's operators accept for their own parameters: `torch.softmax(x, axis=-1)`."""

from __future__ import annotations

from collections.abc import Mapping

from shapecheck.static.domain.abstract_values import Value

_NUMPY_WORDS = {"axis": "dim", "keepdims": "keepdim"}


def in_torch_words(kwargs: Mapping[str, Value]) -> Mapping[str, Value]:
    """The keyword arguments of an operator under torch's names."""
    if _NUMPY_WORDS.keys().isdisjoint(kwargs):
        return kwargs
    return {_NUMPY_WORDS.get(name, name): value for name, value in kwargs.items()}
