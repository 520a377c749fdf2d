"""The time of a forward by events, the share of peak arithmetic (MFU), and the share of the bandwidth, by dtype."""

from __future__ import annotations

from functools import partial

import torch

from benchmarks.gpu.figures import Figures
from benchmarks.gpu.workloads import gpt
from shapecheck.harness.cost.devices import known_device
from shapecheck.harness.cost.timing import seconds_of
from shapecheck.harness.probe import Probe


def speed(device: torch.device) -> Figures:
    found = Figures()
    known = known_device(device)
    if known is None:
        found.skipped.append("MFU and bandwidth: the device is not in the table")
    for dtype in (torch.float32, torch.bfloat16):
        model, tokens = gpt(device, 8, 256)
        model = model.to(dtype)
        with torch.no_grad(), Probe(model) as probe:
            model(tokens)
        seconds = seconds_of(partial(model, tokens), device)
        assert seconds is not None
        figures = {"seconds": seconds, "flops": probe.flops, "moved_bytes": probe.moved_bytes}
        operations = None if known is None else known.operations(dtype)
        if known is not None and operations is not None:
            figures["mfu"] = probe.flops / seconds / operations
            figures["share of bandwidth, without caches"] = probe.moved_bytes / seconds / known.bandwidth
            found.expect(figures["mfu"] <= 1, f"{dtype}: faster than the peak of the device table")
        found.measured[str(dtype).removeprefix("torch.")] = figures
    return found
