"""The cost of `shapecheck record`, compared with eager.

    python -m benchmarks.recording [--rounds N]

Target: at most 1.3 times eager on a small GPT, also where calls are shortest (batch 1, 8 tokens, without gradients).
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter_ns

import torch
from torch import Tensor, nn

import shapecheck
from benchmarks.gpt import GPT, VOCABULARY
from benchmarks.measure import ROOT

TARGET = 1.3
INPUTS = {"batch 1, 8 tokens": (1, 8), "batch 4, 128 tokens": (4, 128)}
Step = Callable[[nn.Module, Tensor], None]


def forward(model: nn.Module, tokens: Tensor) -> None:
    with torch.no_grad():
        model(tokens)


def train(model: nn.Module, tokens: Tensor) -> None:
    model(tokens).square().mean().backward()


STEPS: dict[str, Step] = {"forward": forward, "forward and backward": train}


def ratio(model: nn.Module, shape: tuple[int, int], step: Step, rounds: int) -> float:
    """The time of a recorded step to that of an eager one: the median over rounds, in which both take turns."""
    tokens, calls = torch.randint(0, VOCABULARY, shape), max(3, 800 // (shape[0] * shape[1]))
    with tempfile.TemporaryDirectory() as folder:
        recorded = partial(shapecheck.recording, Path(folder) / "calls.json", ROOT)
        found: list[float] = []
        for _ in range(rounds):
            eager = seconds(model, tokens, step, calls, nullcontext)
            found.append(seconds(model, tokens, step, calls, recorded) / eager)
    return median(found)


def seconds(
    model: nn.Module, tokens: Tensor, step: Step, calls: int, around: Callable[[], AbstractContextManager[None]]
) -> float:
    """The time of the steps, without the start and the end of the recording."""
    with around():
        step(model, tokens)
        began = perf_counter_ns()
        for _ in range(calls):
            step(model, tokens)
        return perf_counter_ns() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    torch.set_num_threads(1)
    torch.manual_seed(0)
    model = GPT()
    for name, shape in INPUTS.items():
        for kind, step in STEPS.items():
            found = ratio(model, shape, step, rounds)
            verdict = "" if found <= TARGET else f", more than {TARGET}"
            print(f"GPT, {name}, {kind}: {found:.3f} times eager{verdict}", flush=True)


if __name__ == "__main__":
    main()
