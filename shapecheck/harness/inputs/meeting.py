"""Watches one call: how far it gets, and which integers index what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.overrides import TorchFunctionMode


class Meeting(TorchFunctionMode):
    """Counts the operators that were called, and notes what limits the integers among the arguments.

    limits: by place of an integer tensor, how many different values its consumers have room for; `lengths` are the
    places of those that say how long sequences are.
    """

    def __init__(self, integers: Mapping[str, Tensor]) -> None:
        super().__init__()
        self.count = 0
        self.limits: dict[str, int] = {}
        self.lengths: dict[str, int] = {}
        self.numbers: set[int] = set()
        """Sizes of the weights that the last operator was given."""
        self._places = {_memory(tensor): place for place, tensor in integers.items()}

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Calls the operator as it is."""
        kwargs = kwargs or {}
        self.count += 1
        if not torch.compiler.is_compiling():
            self._note(func, args, kwargs)
        return func(*args, **kwargs)

    def _note(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        every = (*args, *kwargs.values())
        weights = [one for one in every if isinstance(one, torch.nn.Parameter)]
        if weights:
            self.numbers = {size for weight in weights for size in weight.shape}
        reader = _READERS.get(func)
        if reader is None or not self._places:
            return
        for tensor, limit in reader(*args, **kwargs):
            place = self._places.get(_memory(tensor)) if isinstance(tensor, Tensor) else None
            if place is not None:
                known = self.lengths if func in _LENGTHS else self.limits
                known[place] = min(limit, known.get(place, limit))


def _memory(tensor: Tensor) -> int:
    try:
        return int(tensor.untyped_storage()._cdata)
    except (NotImplementedError, RuntimeError):
        return id(tensor)


def _embedding(input: Tensor, weight: Tensor, *_: Any, **__: Any) -> Iterator[tuple[Any, int]]:
    yield input, weight.shape[0]


def _embedding_of_torch(weight: Tensor, indices: Tensor, *_: Any, **__: Any) -> Iterator[tuple[Any, int]]:
    yield indices, weight.shape[0]


def _classes(input: Tensor, target: Tensor, *_: Any, **__: Any) -> Iterator[tuple[Any, int]]:
    yield target, input.shape[0 if input.dim() == 1 else 1]


def _one_hot(tensor: Tensor, num_classes: int = -1) -> Iterator[tuple[Any, int]]:
    if num_classes > 0:
        yield tensor, num_classes


def _along(input: Tensor, dim: int, index: Tensor, *_: Any, **__: Any) -> Iterator[tuple[Any, int]]:
    if isinstance(dim, int) and input.dim():
        yield index, input.shape[dim]


def _item(input: Tensor, index: Any, *_: Any) -> Iterator[tuple[Any, int]]:
    parts = index if isinstance(index, tuple) else (index,)
    if Ellipsis in [part for part in parts if not isinstance(part, Tensor)]:
        return
    for axis, part in enumerate(parts):
        if axis < input.dim():
            yield part, input.shape[axis]


def _packed(input: Tensor, lengths: Tensor, batch_first: bool = False, *_: Any) -> Iterator[tuple[Any, int]]:
    yield lengths, input.shape[1 if batch_first else 0]


_LENGTHS = (torch._VF._pack_padded_sequence,)
_READERS: dict[Any, Any] = {
    F.embedding: _embedding,
    F.embedding_bag: _embedding,
    torch.embedding: _embedding_of_torch,
    F.cross_entropy: _classes,
    F.nll_loss: _classes,
    F.one_hot: _one_hot,
    torch.gather: _along,
    Tensor.gather: _along,
    torch.index_select: _along,
    Tensor.index_select: _along,
    torch.take_along_dim: lambda input, indices, dim=None: _along(input, dim, indices),
    Tensor.scatter: _along,
    Tensor.scatter_: _along,
    torch.scatter: _along,
    Tensor.__getitem__: _item,
    **dict.fromkeys(_LENGTHS, _packed),
}
