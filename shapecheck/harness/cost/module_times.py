"""The time of each module, its children included."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from statistics import median
from time import perf_counter
from typing import Any

import torch
from torch import nn

_CALLS = 5


def module_seconds(model: nn.Module, call: Callable[[], Any], device: torch.device) -> dict[str, float]:
    """Median seconds by path, of several calls without gradients after a warm-up call.

    On CUDA the host waits for the device at each boundary, so that a module's work counts as its own; the model takes
    longer than without measurement.
    """
    took: dict[str, list[float]] = {}
    with torch.no_grad():
        call()
        for _ in range(_CALLS):
            for path, seconds in _once(model, call, device).items():
                took.setdefault(path, []).append(seconds)
    return {path: median(several) for path, several in took.items()}


def _once(model: nn.Module, call: Callable[[], Any], device: torch.device) -> dict[str, float]:
    began: dict[str, float] = {}
    took: dict[str, float] = {}

    def now() -> float:
        if device.type == "cuda":
            torch.cuda.synchronize(device)
        return perf_counter()

    with ExitStack() as hooks:
        for path, module in model.named_modules():

            def start(*_: Any, path: str = path) -> None:
                began[path] = now()

            def stop(*_: Any, path: str = path) -> None:
                took[path] = took.get(path, 0.0) + now() - began[path]

            hooks.callback(module.register_forward_pre_hook(start).remove)
            hooks.callback(module.register_forward_hook(stop).remove)
        call()
    return took
