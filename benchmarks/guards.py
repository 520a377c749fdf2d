"""The cost of a guard, compared with plain eager and with modes of torch that do nothing.

python -m benchmarks.guards [--rounds N] [--save]

Targets: at most 1.7 times eager on tiny tensors (a GPT at batch 1, 8 tokens), within 6 % at 4x128.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from statistics import median
from time import perf_counter_ns
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

import shapecheck
from benchmarks import measure, store
from benchmarks.gpt import GPT, VOCABULARY
from benchmarks.ratios import Ratio

TINY, USUAL = 1.7, 1.06


class Nothing(TorchFunctionMode):
    """A function mode that passes everything on."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


class NothingBelow(TorchDispatchMode):
    """A dispatch mode that passes everything on."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


CONTESTANTS: dict[str, Callable[[], AbstractContextManager[Any]]] = {
    "eager": nullcontext,
    "guard()": shapecheck.guard,
    'guard("all")': partial(shapecheck.guard, "all", severity="note"),
    "an empty function mode": Nothing,
    "an empty dispatch mode": NothingBelow,
}
INPUTS = {"GPT, batch 1, 8 tokens": (1, 8), "GPT, batch 4, 128 tokens": (4, 128)}


def seconds(model: nn.Module, tokens: Tensor, around: Callable[[], AbstractContextManager[Any]], calls: int) -> float:
    with torch.no_grad(), around():
        began = perf_counter_ns()
        for _ in range(calls):
            model(tokens)
        return (perf_counter_ns() - began) / 1e9 / calls


def ratios(model: nn.Module, shape: tuple[int, int], rounds: int) -> dict[str, float]:
    """The time of each contestant to eager's: the median over rounds that change places."""
    tokens, calls = torch.randint(0, VOCABULARY, shape), max(1, 2_000 // (shape[0] * shape[1]))
    measured: dict[str, list[float]] = {name: [] for name in CONTESTANTS}
    for _ in range(rounds):
        for name, around in CONTESTANTS.items():
            measured[name].append(seconds(model, tokens, around, calls))
    return {
        name: median(one / eager for one, eager in zip(times, measured["eager"], strict=True))
        for name, times in measured.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=15)
    store.add_option(parser)
    options = parser.parse_args()
    torch.manual_seed(0)
    model = GPT().eval()
    found = {name: ratios(model, shape, options.rounds) for name, shape in INPUTS.items()}
    rows = [["time to eager's", *CONTESTANTS]]
    rows += [[name, *(f"{one:.2f}" for one in figures.values())] for name, figures in found.items()]
    print(measure.table(rows))
    targets = [
        Ratio(f"a guard around {name}, relative to eager", figures["guard()"], target)
        for (name, figures), target in zip(found.items(), (TINY, USUAL), strict=True)
    ]
    print(*(one.line() for one in targets), sep="\n")
    store.keep(options.save, "guards", found, ("torch",), targets)


if __name__ == "__main__":
    main()
