"""Dropout does nothing in eval mode."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from torch import Tensor
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import Skip, check
from shapecheck.runtime.guards.places import SourceLocation, place_of_caller

_SWITCHED = (
    *(functional.dropout, functional.dropout1d, functional.dropout2d, functional.dropout3d),
    *(functional.alpha_dropout, functional.feature_alpha_dropout),
)
"""Functions with the parameters `p` and `training`."""


@check(19, needs_data=True)
def dropout(context: CheckContext) -> Iterator[Diagnostic]:
    """A call in eval mode, if another seed gives another result."""
    if not context.is_random:
        raise Skip("the seed does not change results in eval mode")
    watch = _ActiveDropout()
    with watch:
        context.subject.call(context.subject.arguments(context.plan))
    for place, (function, rate) in watch.found.items():
        message = f"{function} drops {rate:.0%} of the values in eval mode too"
        yield context.finding("active-dropout", message, place)


class _ActiveDropout(TorchFunctionMode):
    """Keeps the lines that call dropout while it is active, and how."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[SourceLocation, tuple[str, float]] = {}

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Calls the function unchanged."""
        kwargs = kwargs or {}
        rate = _rate(func, args, kwargs)
        frame = inspect.currentframe()
        if rate and not _is_of_layer(frame):
            self.found.setdefault(place_of_caller(frame), (func.__name__, rate))
        return func(*args, **kwargs)


def _rate(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> float:
    """The share of values that a call drops; 0 for other functions."""
    if function in _SWITCHED:
        given = inspect.signature(function).bind(*args, **kwargs)
        given.apply_defaults()
        return float(given.arguments["p"]) if given.arguments["training"] else 0.0
    if function is functional.scaled_dot_product_attention:
        rate = kwargs.get("dropout_p", args[4] if len(args) > 4 else 0.0)
        return 0.0 if isinstance(rate, Tensor) else float(rate)
    return 0.0


def _is_of_layer(frame: Any) -> bool:
    """Whether a layer of torch calls it, such as nn.Dropout: the program has set that layer to train mode itself."""
    while frame is not None:
        if frame.f_globals.get("__name__") == "torch.nn.modules.dropout":
            return True
        if frame.f_globals.get("__name__", "").partition(".")[0] not in ("torch", "shapecheck"):
            return False
        frame = frame.f_back
    return False
