"""Mixed precision: under torch.autocast the model runs and satisfies its annotations."""

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
def autocast(context: CheckContext) -> Iterator[Diagnostic]:
    """One call in each of the two 16-bit dtypes."""
    if context.subject.dtype is not torch.float32:
        raise Skip(f"parameters of dtype {context.subject.dtype}")
    kind = context.subject.device.type
    for dtype in _DTYPES[:1] if context.is_fake else _DTYPES:  # without data no kernel can be missing
        with torch.autocast(kind, dtype):
            tried = context.run(context.plan)
        if tried.error is None:
            continue
        if _NO_KERNEL.search(str(tried.error)) or code_of(tried.error) is None:
            context.notes.append(f"no {dtype} kernel on {kind} for one of the operators")
            continue
        with torch.autocast(kind, dtype):
            found = context.failed(tried, f"under autocast to {dtype}")
        yield found
        break
