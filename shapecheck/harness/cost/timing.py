"""The time of a forward: medians after warm-up calls, by the device's own clock where it has one."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

import torch

_WARM_UP, _CALLS = 3, 10
_ENOUGH = 1.0
"""Seconds: a slow model is called less often."""


def seconds_of(call: Callable[[], Any], device: torch.device) -> float | None:
    """Median seconds of a call without gradients; None on a device that computes nothing, such as `meta`."""
    if device.type == "cuda":
        return _on_cuda(call, device)
    if device.type == "cpu":
        return _on_cpu(call)
    return None


def peak_bytes_of(call: Callable[[], Any], device: torch.device) -> int | None:
    """The peak of torch's memory on the device during a call; None except on CUDA."""
    if device.type != "cuda":
        return None
    torch.cuda.reset_peak_memory_stats(device)
    call()
    torch.cuda.synchronize(device)
    return int(torch.cuda.max_memory_allocated(device))


def _on_cpu(call: Callable[[], Any]) -> float:
    took: list[float] = []
    with torch.no_grad():
        first = _clocked(call)
        if first > _ENOUGH:  # warming up saves little then
            return first
        while len(took) < _CALLS and sum(took) < _ENOUGH:
            took.append(_clocked(call))
    return median(took)


def _clocked(call: Callable[[], Any]) -> float:
    began = perf_counter()
    call()
    return perf_counter() - began


def _event() -> torch.cuda.Event:
    return torch.cuda.Event(enable_timing=True)  # type: ignore[no-untyped-call]


def _on_cuda(call: Callable[[], Any], device: torch.device) -> float:
    """Measured by events on the device, which may lag behind the program."""
    took: list[float] = []
    with torch.no_grad(), torch.cuda.device(device):
        for _ in range(_WARM_UP):
            call()
        while len(took) < _CALLS and sum(took) < _ENOUGH:
            began, ended = _event(), _event()
            began.record()
            call()
            ended.record()
            ended.synchronize()
            took.append(began.elapsed_time(ended) / 1e3)
    return median(took)
