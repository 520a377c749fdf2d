"""All tensors are on the device of the model: checked without a GPU, with FakeTensor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.overrides import TorchFunctionMode

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.fake_copy import fake_call
from shapecheck.harness.formatting import first_line
from shapecheck.runtime.guards.places import place_of_error

_TWO_DEVICES = re.compile(
    r"two different devices|same device|found at least two devices|[Ee]xpected all tensors to be on"
)


@check(85)
def devices(context: CheckContext) -> Iterator[Diagnostic]:
    """One call with the model and its inputs on another device than the CPU, without data."""
    if context.is_fake:
        raise Skip("device is fake")
    if not context.repeats:
        raise Skip("results depend on earlier calls")
    given = context.subject.arguments(context.plan)
    context.subject.restore_buffers()
    try:
        with _Lookups():
            fake_call(context.model, given.args, given.kwargs, elsewhere=True)
    except Exception as error:
        if not _TWO_DEVICES.search(str(error)):
            raise Skip(f"forward cannot run without data: {first_line(error)}") from None
        yield context.finding(
            "missing-device",
            "CPU tensor combined with a tensor on the model's device; pass device= or register a buffer",
            place_of_error(error),
            module=context.module_of(error),
        )


class _Lookups(TorchFunctionMode):
    """Raises the error of a GPU for a table and indices on different devices, which FakeTensor does not check."""

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Calls the operator unchanged."""
        if func in _TABLES:
            devices = {str(one.device) for one in (*args, *(kwargs or {}).values()) if isinstance(one, Tensor)}
            if len(devices) > 1:
                found = " and ".join(sorted(devices))
                raise RuntimeError(f"Expected all tensors to be on the same device, but found {found}")
        return func(*args, **(kwargs or {}))


_TABLES = (F.embedding, F.embedding_bag, torch.embedding)
