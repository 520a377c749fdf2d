"""channels_last and autocast: the same results within the precision, and the dtype and layout that are promised."""

from __future__ import annotations

from typing import Any

import torch

from benchmarks.gpu.figures import Figures, is_gpu
from benchmarks.gpu.workloads import convolutions, gpt
from shapecheck.harness.check_context import differ, tolerance
from shapecheck.harness.cost.timing import seconds_of


def formats(device: torch.device) -> Figures:
    found = Figures()
    model, x = convolutions(device)
    with torch.no_grad():
        plain = model(x)
        last: Any = model.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        y = x.to(memory_format=torch.channels_last)
        words = differ([plain], [last(y)], *tolerance(torch.float32))
        found.expect(not words, f"channels_last differs: {words}")
        kept = last[0](y).is_contiguous(memory_format=torch.channels_last)
        found.expect(kept, "a convolution loses channels_last")
    found.measured["channels_last"] = {"seconds": seconds_of(lambda: last(y), device)}
    for dtype in (torch.bfloat16, torch.float16):
        _autocast(device, dtype, found)
    return found


def _autocast(device: torch.device, dtype: torch.dtype, found: Figures) -> None:
    model, tokens = gpt(device)
    name = str(dtype).removeprefix("torch.")
    if dtype is torch.float16 and not is_gpu(device):
        found.skipped.append("autocast to float16: slow without a GPU")
        return
    with torch.no_grad():
        plain = model(tokens)
        with torch.autocast(device.type, dtype):
            mixed = model(tokens)
            seconds = seconds_of(lambda: model(tokens), device)
    words = differ([plain], [mixed.float()], *tolerance(dtype))
    found.expect(mixed.dtype is dtype, f"autocast to {name} returns {mixed.dtype}")
    found.measured[f"autocast to {name}"] = {"seconds": seconds, "difference": words}
