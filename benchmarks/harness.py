"""The cost of observing one forward pass, compared with plain eager, torchinfo, FlopCounterMode and DebugMode.

python -m benchmarks.harness [--device cpu|cuda] [--rounds N] [--json FILE] [--save]

One measurement is all of it: entering, one forward, leaving, and for a Probe its tables, too. Contestants change places
each round; the figure is the median of the ratios to eager of the same round. On a CPU, one thread works and its own
time counts, so that other processes do not; on CUDA, time until the device is done. Target: cheaper than each of the
three on every model while reporting more. Then the time and peak memory of `shapecheck run --device fake` on the 70B
example.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import perf_counter, thread_time
from typing import Any

import torch
import torchinfo
from torch import Tensor, nn
from torch.utils._debug_mode import DebugMode
from torch.utils.flop_counter import FlopCounterMode

from benchmarks import measure, store
from benchmarks.gpt import GPT, VOCABULARY
from benchmarks.ratios import Ratio
from shapecheck.harness.probe import Probe

LARGE = Path("examples/llama_70b.py")
PACKAGES = ("torch", "torchinfo")


class Residual(nn.Module):
    def __init__(self, inner: int, outer: int, stride: int) -> None:
        super().__init__()
        self.first = nn.Sequential(nn.Conv2d(inner, outer, 3, stride, 1, bias=False), nn.BatchNorm2d(outer))
        self.second = nn.Sequential(nn.Conv2d(outer, outer, 3, 1, 1, bias=False), nn.BatchNorm2d(outer))
        short = nn.Sequential(nn.Conv2d(inner, outer, 1, stride, bias=False), nn.BatchNorm2d(outer))
        self.short: nn.Module = nn.Identity() if stride == 1 and inner == outer else short
        self.relu = nn.ReLU()

    def forward(self, x: Tensor) -> Tensor:
        return self.relu(self.second(self.relu(self.first(x))) + self.short(x))


class ResNet(nn.Module):
    """Two blocks of each width, as in ResNet-18."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(2))
        widths = (64, 64, 128, 256, 512)
        self.stages = nn.Sequential(
            *(
                nn.Sequential(Residual(inner, outer, 1 if inner == outer else 2), Residual(outer, outer, 1))
                for inner, outer in pairwise(widths)
            )
        )
        self.pool, self.head = nn.AdaptiveAvgPool2d(1), nn.Linear(512, 1000)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.pool(self.stages(self.stem(x))).flatten(1))


def eager(model: nn.Module, x: Tensor) -> None:
    model(x)


def probe(model: nn.Module, x: Tensor) -> dict[str, int]:
    with Probe(model) as watch:
        model(x)
    return {"modules": len(watch.modules()), "lines": len(watch.lines()), "flops": watch.flops}


def summary(model: nn.Module, x: Tensor) -> dict[str, int]:
    found = torchinfo.summary(model, input_data=[x], verbose=0, mode="eval", depth=99)
    return {"modules": len(found.summary_list), "flops": 2 * found.total_mult_adds}


def flop_counter(model: nn.Module, x: Tensor) -> dict[str, int]:
    with FlopCounterMode(display=False) as counter:
        model(x)
    return {"modules": len(counter.get_flop_counts()), "flops": counter.get_total_flops()}


def debug_mode(model: nn.Module, x: Tensor) -> dict[str, int]:
    with DebugMode() as mode:
        model(x)
    return {"operators": len(mode.operators)}


CONTESTANTS: dict[str, Callable[[nn.Module, Tensor], dict[str, int] | None]] = {
    "eager": eager,
    "Probe": probe,
    "torchinfo": summary,
    "FlopCounterMode": flop_counter,
    "DebugMode": debug_mode,
}
RIVALS = tuple(CONTESTANTS)[2:]
REPORTS = {
    "shapes and dtypes of each module": ("Probe", "torchinfo"),
    "parameters of each module": ("Probe", "torchinfo"),
    "operations of each module": ("Probe", "torchinfo", "FlopCounterMode"),
    "attention among them, on a CPU too": ("Probe",),
    "bytes moved by each module": ("Probe",),
    "copies, syncs, broadcasts and promotions by line": ("Probe",),
    "backward's operations": ("Probe", "FlopCounterMode"),
    "which module was running at an exception": ("Probe",),
    "each call of an operator, in order": ("DebugMode",),
}


def cases() -> dict[str, tuple[Callable[[], nn.Module], Callable[[], Tensor]]]:
    return {
        "GPT 4x128": (GPT, lambda: torch.randint(0, VOCABULARY, (4, 128))),
        "GPT 1x8": (GPT, lambda: torch.randint(0, VOCABULARY, (1, 8))),
        "ResNet B8": (ResNet, lambda: torch.randn(8, 3, 64, 64)),
        "ResNet B1": (ResNet, lambda: torch.randn(1, 3, 64, 64)),
    }


def seconds(call: Callable[[nn.Module, Tensor], object], model: nn.Module, x: Tensor) -> float:
    if not x.is_cuda:
        began = thread_time()
        call(model, x)
        return thread_time() - began
    torch.cuda.synchronize()
    began = perf_counter()
    call(model, x)
    torch.cuda.synchronize()
    return perf_counter() - began


def ratios(model: nn.Module, x: Tensor, rounds: int) -> dict[str, float]:
    """The time of each contestant to eager's: the median over rounds in random order; the first round warms up."""
    measured: dict[str, list[float]] = {name: [] for name in CONTESTANTS}
    names = list(CONTESTANTS)
    for number in range(rounds + 1):
        random.shuffle(names)
        took = {name: seconds(CONTESTANTS[name], model, x) for name in names}
        if number:
            for name, one in took.items():
                measured[name].append(one / took["eager"])
    return {name: median(one) for name, one in measured.items()}


def overhead(device: str, rounds: int) -> dict[str, Any]:
    """The ratios of each model, and how much each contestant reports of it."""
    found: dict[str, Any] = {}
    for name, (make, inputs) in cases().items():
        model, x = make().eval().to(device), inputs().to(device)
        with torch.no_grad():
            reports = {one: contestant(model, x) for one, contestant in CONTESTANTS.items() if one != "eager"}
            found[name] = {"ratios": ratios(model, x, rounds), "reports": reports}
    return found


def large() -> dict[str, Any]:
    """Time and peak memory of the 70B example without a device; a reason where it cannot be run."""
    argv = [*measure.SHAPECHECK, "run", "--device", "fake", str(LARGE)]
    if not (measure.ROOT / LARGE).exists():
        return {"skipped": f"there is no {LARGE}"}
    known = measure.run([*measure.SHAPECHECK, "run", "--help"], measure.ROOT)
    if known.status:
        return {"skipped": "there is no command `shapecheck run`"}
    return asdict(measure.run(argv, measure.ROOT))


def show(found: dict[str, Any], rivals: dict[str, Any]) -> None:
    print(measure.table([["time to eager's", *CONTESTANTS], *(_row(name, one) for name, one in found.items())]))
    print()
    print(measure.table([["reports", *tuple(CONTESTANTS)[1:]], *(_who(what, who) for what, who in REPORTS.items())]))
    for name, one in found.items():
        print(f"{name}: " + "; ".join(f"{who}: {_counts(counts)}" for who, counts in one["reports"].items()))
    if "skipped" in rivals:
        print(f"70B: skipped, {rivals['skipped']}")
    else:
        print(f"70B: {rivals['seconds']:.1f} s, {rivals['peak_mb']:.0f} MB, exit {rivals['status']}")


def ratios_of(found: dict[str, Any]) -> Iterator[Ratio]:
    """The overhead of a Probe against that of the cheapest rival, and what the 70B example takes."""
    for name, one in found["overhead"].items():
        times = one["ratios"]
        rival = min(RIVALS, key=times.__getitem__)
        yield Ratio(
            f"time that Probe adds on {name}, relative to {rival}", (times["Probe"] - 1) / (times[rival] - 1), 1
        )
    if "skipped" not in found["large"]:
        yield Ratio("70 billion parameters on a fake device, s", found["large"]["seconds"], 30)
        yield Ratio("the same, peak MB", found["large"]["peak_mb"], 1000)


def _row(name: str, one: dict[str, Any]) -> list[str]:
    return [name, *(f"{one['ratios'][contestant]:.2f}" for contestant in CONTESTANTS)]


def _who(what: str, who: tuple[str, ...]) -> list[str]:
    return [what, *("yes" if contestant in who else "" for contestant in tuple(CONTESTANTS)[1:])]


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {what}" for what, count in counts.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--json", type=Path, help="write the figures to a file")
    store.add_option(parser)
    options = parser.parse_args()
    if options.device.startswith("cuda") and not torch.cuda.is_available():
        print("benchmarks.harness: there is no CUDA device", file=sys.stderr)
        raise SystemExit(2)
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    random.seed(0)
    found = {"device": options.device, "overhead": overhead(options.device, options.rounds), "large": large()}
    show(found["overhead"], found["large"])
    if options.json:
        options.json.write_text(json.dumps({"machine": store.machine(), **found}, indent=2) + "\n")
    targets = list(ratios_of(found))
    print(*(one.line() for one in targets), sep="\n")
    store.keep(
        options.save, "harness" if options.device == "cpu" else f"harness_{options.device}", found, PACKAGES, targets
    )


if __name__ == "__main__":
    main()
