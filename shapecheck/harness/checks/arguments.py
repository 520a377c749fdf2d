"""Forward does not modify its arguments."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from torch import Tensor
from torch.overrides import TorchFunctionMode

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import check
from shapecheck.harness.search.attempt import tensors
from shapecheck.runtime.guards.places import SourceLocation, place_of_caller


@check(15)
def arguments(context: CheckContext) -> Iterator[Diagnostic]:
    """The version counters of the inputs, before and after the reference run; a second call finds the line."""
    if not context.reference.changes_arguments:
        return
    given = context.subject.arguments(context.plan)
    watch = _Versions(tensors(given.named))
    with watch:
        context.subject.call(given)
    for name, place in watch.changed.items():
        yield context.finding("changed-input", f"forward modifies its argument {name} in place", place)


class _Versions(TorchFunctionMode):
    """Records the line that first modifies each of these tensors."""

    def __init__(self, watched: Mapping[str, Tensor]) -> None:
        super().__init__()
        self.changed: dict[str, SourceLocation] = {}
        self._watched = {name: (tensor, tensor._version) for name, tensor in watched.items()}

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Calls the operator unchanged."""
        result = func(*args, **(kwargs or {}))
        for name, (tensor, version) in self._watched.items():
            if tensor._version != version and name not in self.changed:
                self.changed[name] = place_of_caller(inspect.currentframe())
        return result
