"""Records one call: how many operators ran, and which integers index what."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.parameter import is_lazy
from torch.overrides import TorchFunctionMode


class CallRecorder(TorchFunctionMode):
    """Counts the operators that were called, and records the limits of the integers among the arguments.

    limits: by place of an integer tensor, how many different values its consumers allow; `lengths` are the
    places of lengths of sequences, `starts` those of offsets of bags of words.
    constants: the model's own tensors. attributes: its own numbers; a tensor created with them is also a constant.
    """

    def __init__(
        self, integers: Mapping[str, Tensor], constants: Iterable[Tensor] = (), attributes: Collection[int] = ()
    ) -> None:
        super().__init__()
        self.count = 0
        self.limits: dict[str, int] = {}
        self.lengths: dict[str, int] = {}
        self.starts: dict[str, int] = {}
        self.numbers: set[int] = set()
        """Sizes of the model's own tensors, and of those derived from them, among the last operator's arguments."""
        self._places = {_memory(tensor): place for place, tensor in integers.items()}
        self._constants = {id(tensor): tensor for tensor in constants}
        self._attributes = frozenset(attributes) - {1}
        self._copies: list[Tensor] = []

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Calls the operator unchanged."""
        kwargs = kwargs or {}
        self.count += 1
        if torch.compiler.is_compiling():
            return func(*args, **kwargs)
        given = list(tensors_in((*args, *kwargs.values())))
        own = [tensor for tensor in given if id(tensor) in self._constants and not is_lazy(tensor)]
        if given:  # what leaves no_grad() behind an error has none
            self.numbers = {size for tensor in own for size in tensor.shape}
        self._read(func, args, kwargs)
        result = func(*args, **kwargs)
        if len(own) == len(given):
            made = [tensor for tensor in tensors_in((result,)) if own or set(tensor.shape) & self._attributes]
            self._constants |= {id(tensor): tensor for tensor in made}
        self._follow(func, given, result)
        return result

    def _read(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Records the requirements of the operator on the integers among its arguments."""
        for known, readers in ((self.limits, _READERS), (self.lengths, _LENGTHS), (self.starts, _STARTS)):
            reader = readers.get(func) if self._places else None
            for tensor, limit in reader(*args, **kwargs) if reader is not None else ():
                place = self._places.get(_memory(tensor)) if isinstance(tensor, Tensor) else None
                if place is not None:
                    known[place] = min(limit, known.get(place, limit))

    def _follow(self, func: Any, given: list[Tensor], result: Any) -> None:
        """Records which results contain the integers of an argument, in any order."""
        if not self._places or not given or getattr(func, "__name__", "") not in _SAME_VALUES:
            return
        place = self._places.get(_memory(given[0]))
        made = next(tensors_in((result,)), None)
        if place is not None and made is not None:
            self._copies.append(made)  # its memory must not be reused for another tensor
            self._places[_memory(made)] = place


def tensors_in(values: Iterable[Any]) -> Iterator[Tensor]:
    """The tensors among arguments or results, including those in lists."""
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from tensors_in(value)


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


def _bags(input: Tensor, weight: Tensor, offsets: Any = None, *_: Any, **__: Any) -> Iterator[tuple[Any, int]]:
    yield offsets, input.shape[0]


_INDEXING = (
    *("gather", "index_select", "scatter", "scatter_add", "scatter_reduce"),
    *("index_add", "index_copy", "index_fill"),
)
_SAME_VALUES = frozenset(
    ("sort", "to", "cpu", "cuda", "long", "int", "clone", "contiguous", "flip", "reshape", "flatten", "repeat", "roll")
)
_LENGTHS: dict[Any, Any] = {torch._VF._pack_padded_sequence: _packed}
_STARTS: dict[Any, Any] = {F.embedding_bag: _bags}
_READERS: dict[Any, Any] = {
    F.embedding: _embedding,
    F.embedding_bag: _embedding,
    torch.embedding: _embedding_of_torch,
    F.cross_entropy: _classes,
    F.nll_loss: _classes,
    F.one_hot: _one_hot,
    torch.take_along_dim: lambda input, indices, dim=None: _along(input, dim, indices),
    Tensor.__getitem__: _item,
    Tensor.__setitem__: _item,
    **{
        getattr(owner, name + suffix): _along
        for name in _INDEXING
        for suffix in ("", "_")
        for owner in (torch, Tensor)
        if hasattr(owner, name + suffix)
    },
}
