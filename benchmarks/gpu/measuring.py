"""One measurement in a process of its own: `python -m benchmarks.gpu.measuring NAME DEVICE` prints JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import asdict

import torch

from benchmarks.gpu.alignment import alignment
from benchmarks.gpu.figures import Figures, NeedsGPU
from benchmarks.gpu.formats import formats
from benchmarks.gpu.graphs import graphs
from benchmarks.gpu.places import places
from benchmarks.gpu.speed import speed
from benchmarks.gpu.training import growth, peak_memory

MEASUREMENTS: dict[str, Callable[[torch.device], Figures]] = {
    "speed": speed,
    "alignment": alignment,
    "peak memory": peak_memory,
    "growth": growth,
    "formats": formats,
    "graphs": graphs,
    "places": places,
}


def main(name: str, device: str) -> int:
    try:
        found = MEASUREMENTS[name](torch.device(device))
    except NeedsGPU as why:
        found = Figures(skipped=[str(why)])
    print(json.dumps(asdict(found)))
    return int(bool(found.problems))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
