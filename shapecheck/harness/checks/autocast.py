"""Mixed precision: under torch.autocast the model runs, and keeps its annotations."""

from __future__ import annotations

import re
from collections.abc import Iterator

import torch

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import Skip, check
from shapecheck.runtime.guards.refusals import code_of

_DTYPES = (torch.bfloat16, torch.float16)
_NO_KERNEL = re.compile(r"not implemented for '(Half|BFloat16)'|not supported|unsupported", re.IGNORECASE)


@check(40)
def autocast(trial: CheckContext) -> Iterator[Diagnostic]:
    """One call in each of the two 16-bit dtypes."""
    if trial.subject.dtype is not torch.float32:
        raise Skip(f"its parameters are {str(trial.subject.dtype).removeprefix('torch.')}")
    kind = trial.subject.device.type
    for dtype in _DTYPES[:1] if trial.is_fake else _DTYPES:  # without data there is no kernel that could be missing
        with torch.autocast(kind, dtype):
            tried = trial.run(trial.plan)
        name = str(dtype).removeprefix("torch.")
        if tried.error is None:
            continue
        if _NO_KERNEL.search(str(tried.error)) or code_of(tried.error) is None:
            trial.notes.append(f"{kind} has no kernel in {name} for an operator of it")
            continue
        with torch.autocast(kind, dtype):
            found = trial.failed(tried, f"under autocast to {name}")
        yield found
        break
