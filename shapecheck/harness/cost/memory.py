"""Memory of a model in training, in bytes, by purpose and dtype."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from torch import Tensor, nn
from torch.autograd.graph import saved_tensors_hooks
from torch.nn.parameter import is_lazy

ADAMW_BYTES = 8
"""AdamW keeps two moments in float32 for each trainable element (Loshchilov and Hutter, 2019, algorithm 2)."""


def resident_memory(model: nn.Module) -> dict[str, dict[str, int]]:
    """`parameters` and `buffers`; tensors that share memory count once, together."""
    known: set[int] = set()
    return {
        "parameters": _by_dtype(model.parameters(), known),
        "buffers": _by_dtype(model.buffers(), known),
    }


def training_memory(model: nn.Module) -> dict[str, dict[str, int]]:
    """`gradients`, as large as the trainable parameters, and `optimizer`, the two moments of AdamW for them."""
    wanted = [one for one in _built(model.parameters()) if one.requires_grad]
    gradients: Counter[str] = Counter()
    for one in wanted:
        gradients[_name(one)] += one.nbytes
    moments = ADAMW_BYTES * sum(one.numel() for one in wanted)
    return {"gradients": dict(gradients), "optimizer": {"float32": moments} if moments else {}}


class Activations:
    """Counts what autograd keeps for backward, once per storage, without parameters and buffers."""

    def __init__(self, model: nn.Module) -> None:
        self._known = {_storage(one) for tensors in (model.parameters(), model.buffers()) for one in _built(tensors)}
        self._found: Counter[str] = Counter()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Counts what is saved in the block. The graph must outlive it: storages are identified by address."""
        with saved_tensors_hooks(self._saved, _same):
            yield

    def by_dtype(self) -> dict[str, int]:
        """Bytes by dtype."""
        return dict(self._found)

    def _saved(self, tensor: Tensor) -> Tensor:
        try:
            storage = _storage(tensor)
            if storage not in self._known:
                self._known.add(storage)
                self._found[_name(tensor)] += tensor.untyped_storage().nbytes()
        except (RuntimeError, NotImplementedError):  # a sparse or nested tensor has no storage of its own
            self._found[_name(tensor)] += tensor.nbytes
        return tensor


def _same(tensor: Tensor) -> Tensor:
    return tensor


def _by_dtype(tensors: Iterable[Tensor], known: set[int]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for one in _built(tensors):
        storage = _storage(one)
        if storage not in known:
            known.add(storage)
            found[_name(one)] += one.nbytes
    return dict(found)


def _built(tensors: Iterable[Tensor]) -> Iterator[Tensor]:
    """The tensors that have a size: lazy modules create theirs in the first call."""
    return (one for one in tensors if not is_lazy(one))


def _storage(tensor: Tensor) -> int:
    """The storage of a tensor; a FakeTensor has one too."""
    return int(tensor.untyped_storage()._cdata)


def _name(tensor: Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")
