"""What a guard costs, beside plain eager and beside torch's own modes, which do nothing.

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
from torch.nn import functional
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

import shapecheck
from benchmarks import measure

TINY, USUAL = 1.7, 1.06
WIDTH, HEADS, BLOCKS = 256, 8, 6


class Nothing(TorchFunctionMode):
    """A function mode that passes everything on."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


class NothingBelow(TorchDispatchMode):
    """A dispatch mode that passes everything on."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.before, self.between = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x: Tensor) -> Tensor:
        b, t, _ = x.shape
        q, k, v = self.qkv(self.before(x)).view(b, t, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(b, t, WIDTH))
        return x + self.down(functional.gelu(self.up(self.between(x))))


class GPT(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.tokens, self.positions = nn.Embedding(1000, WIDTH), nn.Embedding(512, WIDTH)
        self.blocks = nn.Sequential(*(Block() for _ in range(BLOCKS)))
        self.head = nn.Linear(WIDTH, 1000)

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.tokens(tokens) + self.positions(torch.arange(tokens.shape[1]))
        return self.head(self.blocks(x))


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
    tokens, calls = torch.randint(0, 1000, shape), max(1, 2_000 // (shape[0] * shape[1]))
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
    parser.add_argument("--save", action="store_true", help="keep the figures in benchmarks/results/")
    options = parser.parse_args()
    torch.manual_seed(0)
    model = GPT().eval()
    found = {name: ratios(model, shape, options.rounds) for name, shape in INPUTS.items()}
    rows = [["time to eager's", *CONTESTANTS]]
    rows += [[name, *(f"{one:.2f}" for one in figures.values())] for name, figures in found.items()]
    print(measure.table(rows))
    for (name, figures), target in zip(found.items(), (TINY, USUAL), strict=True):
        reached = "reached" if figures["guard()"] <= target else "MISSED"
        print(f"{name}: {figures['guard()']:.2f}, target {target}: {reached}")
    if options.save:
        measure.save("guards", {"ratios": found}, ("torch",))


if __name__ == "__main__":
    main()
