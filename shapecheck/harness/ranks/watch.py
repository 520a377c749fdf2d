"""Records the collectives of this process, before each is called."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Sequence
from typing import IO, Any

import msgspec
import torch
from torch import Tensor
from torch import distributed as dist
from torch.distributed.tensor import DTensor
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

from shapecheck.harness.ranks.judge import different
from shapecheck.harness.ranks.records import Collective, RankFiles
from shapecheck.harness.torch_versions import let_higher_order_operators_through
from shapecheck.runtime.guards.call import shown
from shapecheck.runtime.guards.places import SourceLocation, place_of_caller

_NAMES = {
    "_allgather_base_": "all_gather_into_tensor",
    "_reduce_scatter_base_": "reduce_scatter_tensor",
    "allgather_": "all_gather",
    "allreduce_": "all_reduce",
    "alltoall_": "all_to_all",
    "alltoall_base_": "all_to_all_single",
}
"""Public names of operators; those of others end in an underscore less."""
_BETWEEN_TWO = frozenset({"send", "recv_", "recv_any_source_"})
"""Operators that only two processes of a group call."""


class MismatchError(RuntimeError):
    """Another process has called another collective, or has ended without this one."""


class Collectives(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Writes each collective to a file. It is active in the backward pass too, and below DTensors.

    others: the files of the other processes, whose collectives are compared before a call.
    """

    supports_higher_order_operators = True

    def __init__(self, file: IO[bytes], before: SourceLocation, others: Sequence[RankFiles] = ()) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._file = file
        self._others = others
        self._counts: Counter[str] = Counter()
        self._before = before
        """The line for collectives that no line of the program calls, such as those of a backward pass."""

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Calls the operator unchanged."""
        if any(issubclass(one, DTensor) for one in types):
            return NotImplemented  # it calls operators on its local tensors, which are seen here
        if getattr(func, "namespace", "") in ("c10d", "_c10d_functional"):
            self._write(func, args)
        return func(*args, **(kwargs or {}))

    def _write(self, func: Any, args: tuple[Any, ...]) -> None:
        name = func._schema.name.partition("::")[2]
        if name in _BETWEEN_TWO or name == "wait_tensor":
            return
        group = _group(args)
        if group is None or group.size() < dist.get_world_size():
            return
        place = place_of_caller(inspect.currentframe())
        if not place.line or place.path.startswith("<"):
            place = self._before
        shapes = tuple(shown(one) for one in pytree.tree_leaves(args) if isinstance(one, Tensor))
        called = Collective(_NAMES.get(name, name.rstrip("_")), shapes, group.group_name, *place)
        self._file.write(msgspec.json.encode(called) + b"\n")
        self._file.flush()
        for other in self._others:
            self._compare(called, other)
        self._counts[called.group] += 1

    def _compare(self, called: Collective, other: RankFiles) -> None:
        """Raises MismatchError if the call of the other process is known, and differs, before one of them waits."""
        is_done = other.record.exists()  # before its calls are read: it makes no more
        calls = [one for one in other.read_collectives() if one.group == called.group]
        theirs = calls[self._counts[called.group]] if len(calls) > self._counts[called.group] else None
        if (theirs is not None or is_done) and different((called, theirs)) is not None:
            raise MismatchError(f"mismatch between collectives of this rank and rank {other.rank}")


def _group(args: tuple[Any, ...]) -> Any:
    """The process group among the arguments of an operator, as an object or by name."""
    for one in args:
        if isinstance(one, torch.ScriptObject) and "ProcessGroup" in str(one._type()):
            return dist.ProcessGroup.unbox(one)
    names = [one for one in args if isinstance(one, str)]
    resolve: Any = vars(dist.distributed_c10d)["_resolve_process_group"]
    return resolve(names[-1]) if names else None


let_higher_order_operators_through(Collectives)
