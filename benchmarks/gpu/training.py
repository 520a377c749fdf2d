"""Training steps: the peak of memory against its estimate, and memory that grows from step to step."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import psutil
import torch
from torch import Tensor, nn

from benchmarks.gpu.figures import Figures, is_gpu
from benchmarks.gpu.workloads import convolutions, gpt
from shapecheck.harness.cost import cost_of
from shapecheck.harness.probe import Probe

_STEPS, _WARM = 50, 5
_CLOSE = (0.8, 1.5)
"""The measured peak to the estimate: workspaces and temporary tensors are not estimated."""


def peak_memory(device: torch.device) -> Figures:
    """The peak of one step with AdamW, compared with the sum of what `run` reports."""
    found = Figures()
    for name, make in (("gpt", partial(gpt, batch=8, time=256)), ("convolutions", convolutions)):
        model, x = make(device)
        with torch.no_grad(), Probe(model) as probe:
            model(x)
        cost = cost_of(model, partial(model, x), device, probe, backward=True)
        estimate = sum(sum(one.values()) for one in cost.memory.values())
        found.measured[name] = {"estimate": estimate, "by purpose": cost.memory}
        if not is_gpu(device):
            continue
        step = stepping(model, x)
        step()
        before = torch.cuda.memory_allocated(device)
        torch.cuda.reset_peak_memory_stats(device)
        step()
        peak = torch.cuda.max_memory_allocated(device)
        ratio = peak / estimate
        found.measured[name] |= {"peak": peak, "before": before, "peak to estimate": ratio}
        found.expect(_CLOSE[0] <= ratio <= _CLOSE[1], f"{name}: the peak is {ratio:.2f} times the estimate")
    if not is_gpu(device):
        found.skipped.append("the peak: torch measures it on a GPU only")
    return found


def growth(device: torch.device) -> Figures:
    """Memory after each of 50 steps."""
    found = Figures()
    model, x = gpt(device, 2, 32)
    step = stepping(model, x)
    held = []
    for _ in range(_STEPS):
        step()
        held.append(_held(device))
    found.measured = {"after warming up": held[_WARM], "at the end": held[-1]}
    if is_gpu(device):
        found.expect(held[-1] == held[_WARM], f"memory grows by {held[-1] - held[_WARM]} bytes in {_STEPS} steps")
    else:
        found.skipped.append("the verdict: the memory of a process also grows by what its allocator keeps")
    return found


def stepping(model: nn.Module, x: Tensor) -> Callable[[], None]:
    """A function that does one step of training."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)

    def step() -> None:
        optimizer.zero_grad(set_to_none=True)
        model(x).float().square().mean().backward()
        optimizer.step()

    return step


def _held(device: torch.device) -> int:
    if is_gpu(device):
        torch.cuda.synchronize(device)
        return int(torch.cuda.memory_allocated(device))
    return int(psutil.Process().memory_info().rss)
