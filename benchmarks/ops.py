"""The cost of `shapecheck.infer`, compared with the same call on FakeTensor.

python -m benchmarks.ops [--rounds N] [--save]

Targets: `import shapecheck.ops` under 60 ms; a median under 20 us with numbers and 60 us with names for sizes; at most
a fifth of FakeTensor's.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable
from statistics import median
from time import perf_counter_ns
from typing import Any, NamedTuple

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.nn import functional

from benchmarks import measure, store
from benchmarks.ratios import Ratio
from shapecheck import TensorSpec, infer

IMPORT_MS, CONCRETE_US, SYMBOLIC_US, SHARE = 60, 20, 60, 1 / 5
IMPORT = "import time; t = time.perf_counter(); import shapecheck.ops; print((time.perf_counter() - t) * 1e3)"


class Call(NamedTuple):
    """One operator: its shapes in numbers, the same with names, further arguments, and torch's function."""

    name: str
    concrete: tuple[tuple[int, ...], ...]
    symbolic: tuple[tuple[int | str, ...], ...]
    function: Callable[..., Any]
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = {}


CALLS = (
    Call("torch.add", ((8, 128, 64), (128, 1)), (("b", "t", "d"), ("t", 1)), torch.add),
    Call(
        "torch.matmul", ((8, 4, 128, 64), (8, 4, 64, 128)), (("b", "h", "t", "d"), ("b", "h", "d", "t")), torch.matmul
    ),
    Call("F.linear", ((8, 128, 64), (256, 64), (256,)), (("b", "t", "d"), ("4*d", "d"), ("4*d",)), functional.linear),
    Call("Tensor.view", ((8, 128, 64),), (("b", "t", "d"),), torch.Tensor.view, (-1, 32)),
    Call(
        "F.conv2d",
        ((8, 3, 32, 32), (16, 3, 3, 3), (16,)),
        (("b", "c", "h", "w"), ("o", "c", 3, 3), ("o",)),
        functional.conv2d,
        kwargs={"stride": 2, "padding": 1},
    ),
)


class Row(NamedTuple):
    """Medians of one operator, in microseconds."""

    operator: str
    concrete_us: float
    symbolic_us: float
    fake_us: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=2_000)
    store.add_option(parser)
    arguments = parser.parse_args()
    import_ms = import_time(rounds=15)
    rows = [row(call, arguments.rounds) for call in CALLS]
    ratios = [Ratio("import shapecheck.ops, ms", import_ms, IMPORT_MS), *map(share, rows)]
    print(
        measure.table(
            [("operator", "us", "us, names", "FakeTensor us", "share", "share, names", ""), *map(shown, rows)]
        )
    )
    print(*(one.line() for one in ratios), sep="\n")
    figures = {"import_ms": import_ms, "operators": [one._asdict() for one in rows]}
    store.keep(arguments.save, "ops", figures, ["shapecheck", "torch"], ratios)


def import_time(rounds: int) -> float:
    """The median in milliseconds with the bytecode in a cache, as every start after the first has it."""
    with tempfile.TemporaryDirectory() as cache:
        environment = measure.environment({"PYTHONPYCACHEPREFIX": cache})
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        times = [
            float(
                subprocess.run([sys.executable, "-c", IMPORT], env=environment, capture_output=True, check=True).stdout
            )
            for _ in range(rounds + 1)
        ]
    return median(times[1:])


def row(call: Call, rounds: int) -> Row:
    """Medians over `rounds`, each of which makes all three calls, so that a busy moment hits all of them."""
    concrete = [TensorSpec(shape, "float32", layout="contiguous") for shape in call.concrete]
    symbolic = [TensorSpec(shape, "float32", layout="contiguous") for shape in call.symbolic]
    with FakeTensorMode():
        fake = [torch.empty(shape) for shape in call.concrete]
        contestants: tuple[Callable[[], Any], ...] = (
            lambda: infer(call.name, *concrete, *call.args, **call.kwargs),
            lambda: infer(call.name, *symbolic, *call.args, **call.kwargs),
            lambda: call.function(*fake, *call.args, **call.kwargs),
        )
        times: list[list[int]] = [[], [], []]
        for _ in range(rounds + 50):
            for own, contestant in zip(times, contestants, strict=True):
                began = perf_counter_ns()
                contestant()
                own.append(perf_counter_ns() - began)
    return Row(call.name, *(median(own[50:]) / 1e3 for own in times))


def share(one: Row) -> Ratio:
    """The dearer of numbers and names, of FakeTensor's time."""
    return Ratio(
        f"infer of {one.operator}, relative to FakeTensor", max(one.concrete_us, one.symbolic_us) / one.fake_us, SHARE
    )


def shown(one: Row) -> tuple[str, ...]:
    shares = (f"{figure / one.fake_us:.3f}" for figure in (one.concrete_us, one.symbolic_us))
    met = one.concrete_us < CONCRETE_US and one.symbolic_us < SYMBOLIC_US and share(one).met
    return (one.operator, *(f"{figure:.1f}" for figure in one[1:]), *shares, verdict(met))


def verdict(met: bool) -> str:
    return "met" if met else "MISSED"


if __name__ == "__main__":
    main()
