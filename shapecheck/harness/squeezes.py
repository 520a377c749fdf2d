"""Which dimensions each `squeeze()` without a dimension removes."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from torch import Tensor
from torch.overrides import TorchFunctionMode

from shapecheck.runtime.guards.places import SourceLocation, place_of_caller


class Squeezes(TorchFunctionMode):
    """Records the dimensions of size 1 of what is squeezed, by the line that calls it."""

    def __init__(self) -> None:
        super().__init__()
        self._removed: dict[SourceLocation, set[int]] = {}

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Calls the operator unchanged."""
        if getattr(func, "__name__", "") == "squeeze" and len(args) == 1 and not kwargs and isinstance(args[0], Tensor):
            ones = {axis for axis, size in enumerate(args[0].shape) if size == 1}
            self._removed.setdefault(place_of_caller(inspect.currentframe()), set()).update(ones)
        return func(*args, **(kwargs or {}))

    def only_of_one(self, of_one: Squeezes) -> Iterator[SourceLocation]:
        """The lines that remove nothing here, but a dimension in a run that differs by a batch of one."""
        for place, removed in of_one._removed.items():
            if removed and self._removed.get(place) == set():
                yield place
