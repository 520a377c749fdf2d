"""Copies, synchronization and allocations by line: what a Probe finds, against what the driver's own records say."""

from __future__ import annotations

import inspect
import warnings
from collections import Counter
from pathlib import Path

import torch
from torch import Tensor, nn

from benchmarks.gpu.figures import Figures, is_gpu
from shapecheck.harness.probe import Probe


class Reader(nn.Module):
    """One copy, and two lines that wait for the device."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(64, 64)

    def forward(self, x: Tensor) -> Tensor:
        x = self.fc(x).t().contiguous()  # copy
        if x.sum().item() > 1e9:  # sync
            x = x * 2
        host = x.cpu()  # sync
        return x + host.shape[0]


def places(device: torch.device) -> Figures:
    found = Figures()
    model, x = Reader().to(device), torch.randn(8, 64, device=device)
    with torch.no_grad(), Probe(model) as probe:
        model(x)
    lines = {(one.kind, one.line) for one in probe.lines() if Path(one.path) == Path(__file__)}
    found.measured["probe"] = sorted(lines)
    expected = {("copy", _line("copy")), *(("sync", line) for line in _lines("sync"))}
    missing = expected - lines if is_gpu(device) else {("copy", _line("copy"))} - lines
    found.expect(not missing, f"the probe misses {sorted(missing)}")
    if not is_gpu(device):
        found.skipped.append("the driver's synchronization and allocations: there is no GPU")
        return found
    waits = _synchronizing_lines(model, x)
    found.measured |= {
        "torch.cuda.set_sync_debug_mode": sorted(waits),
        "allocated bytes by line": _allocations(model, x),
    }
    unknown = waits - {line for kind, line in lines if kind == "sync"}
    found.expect(not unknown, f"the driver waits at lines {sorted(unknown)}, where the probe reports nothing")
    return found


def _lines(word: str) -> list[int]:
    source, first = inspect.getsourcelines(Reader)
    return [first + offset for offset, text in enumerate(source) if text.rstrip().endswith(f"# {word}")]


def _line(word: str) -> int:
    return _lines(word)[0]


def _synchronizing_lines(model: nn.Module, x: Tensor) -> set[int]:
    """The lines of this file at which torch warns that an operator waits."""
    torch.cuda.set_sync_debug_mode("warn")
    try:
        with torch.no_grad(), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model(x)
    finally:
        torch.cuda.set_sync_debug_mode("default")
    return {one.lineno for one in caught if Path(one.filename) == Path(__file__)}


def _allocations(model: nn.Module, x: Tensor) -> dict[str, int]:
    """Bytes that the allocator gives to each line of the forward."""
    torch.cuda.memory._record_memory_history(context="all", stacks="python")
    try:
        with torch.no_grad():
            model(x)
        traces = torch.cuda.memory._snapshot()["device_traces"]
    finally:
        torch.cuda.memory._record_memory_history(enabled=None)
    counted: Counter[str] = Counter()
    for event in (one for trace in traces for one in trace if one["action"] == "alloc"):
        line = next((one["line"] for one in event["frames"] if Path(one["filename"]) == Path(__file__)), None)
        counted[str(line)] += event["size"]
    return dict(counted)
