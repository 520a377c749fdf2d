"""Where the rows of a batch start to hang on one another: the first operator that gives a row something else."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from torch import Tensor
from torch.overrides import TorchFunctionMode

from shapecheck.harness.trial import Trial, differ, flat, tolerance
from shapecheck.runtime.guards.places import Place, place_of_caller


def mixing_place(trial: Trial, batch: Mapping[str, Any], alone: Mapping[str, Any], row: int) -> Place | None:
    """Runs the model again with both, an operator beside the other; None where they do not go the same way."""
    single = _Recorded()
    with single:
        trial.call(dict(alone))
    compared = _Compared(single, row, tolerance(trial.subject.dtype))
    with compared:
        trial.call(dict(batch))
    return compared.place


class _Recorded(TorchFunctionMode):
    """What each operator gave, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[tuple[Any, list[Tensor]]] = []

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Calls the operator as it is."""
        result = func(*args, **(kwargs or {}))
        # copies, because a later operator may write into them
        self.given.append((func, [one.detach().clone() for one in flat(result)]))
        return result


class _Compared(TorchFunctionMode):
    """Compares each operator with the recorded one, until the first that differs."""

    def __init__(self, single: _Recorded, row: int, allowed: tuple[float, float]) -> None:
        super().__init__()
        self.place: Place | None = None
        self._given = iter(single.given)
        self._row = row
        self._allowed = allowed
        self._done = False

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Calls the operator as it is."""
        result = func(*args, **(kwargs or {}))
        if not self._done:
            same_func, alone = next(self._given, (None, []))
            self._done = same_func != func
            if not self._done and self._differs(flat(result), alone):
                self.place = place_of_caller(inspect.currentframe())
                self._done = True
        return result

    def _differs(self, results: list[Tensor], alone: list[Tensor]) -> bool:
        pairs = zip(results, alone, strict=False)
        rows = [(row, one) for many, one in pairs if (row := _row_of(many, one, self._row)) is not None]
        return bool(differ([row for row, _ in rows], [one for _, one in rows], *self._allowed))


def _row_of(many: Tensor, one: Tensor, row: int) -> Tensor | None:
    """The row of `many` that is to be `one`; None unless they differ in the length of a single axis."""
    if many.dim() != one.dim():
        return None
    axes = [axis for axis in range(one.dim()) if many.shape[axis] != one.shape[axis]]
    if len(axes) != 1 or one.shape[axes[0]] != 1 or many.shape[axes[0]] <= row:
        return None
    return many.detach().narrow(axes[0], row, 1)
