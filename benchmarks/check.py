"""`shapecheck check`, compared with pyrefly and mypy on the same files, and its time against the amount of code.

python -m benchmarks.check PATH... [--rounds N] [--part rivals|growth|start|all] [--save]

PATHs are files and directories of other projects; they are only read. mypy is cold: its cache is a new directory each
time. Without PATHs only growth and start are measured.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import measure, store
from benchmarks.ratios import Ratio

TARGETS = {"file": 1.0, "folder": 1.5}
"""At most this many times pyrefly's time."""
OF_MYPY = {"time": 1 / 10, "memory": 1 / 2}
SIZES = (1, 2, 4, 8)
GROWING = """\
import torch
from torch import Tensor, nn


class Block{n}(nn.Module):
    def __init__(self, width: int = 64, heads: int = 4) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        b, t, c = x.shape
        q, k, v = self.qkv(self.norm(x)).view(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        weights = q @ k.transpose(-2, -1) / 8
        if mask is not None:
            weights = weights + mask
        return x + self.out((weights.softmax(-1) @ v).transpose(1, 2).reshape(b, t, c))


def run{n}(steps: int) -> Tensor:
    block = Block{n}()
    x = torch.zeros(2, 10, 64)
    for _ in range(steps):
        x = block(x)
    return x
"""
START = {
    "python -c pass": (sys.executable, "-c", "pass"),
    "check, a file without torch": (*measure.SHAPECHECK, "check", "--no-cache", "--quiet", "plain.py"),
    "check, a small model": (*measure.SHAPECHECK, "check", "--no-cache", "--quiet", "model.py"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--part", choices=("rivals", "growth", "start", "all"), default="all")
    store.add_option(parser)
    arguments = parser.parse_args()
    figures: dict[str, Any] = {}
    ratios: list[Ratio] = []
    if arguments.part in ("rivals", "all"):
        figures["rivals"] = {path.name: rivals(path.resolve(), arguments.rounds) for path in arguments.paths}
        for path in arguments.paths:
            ratios += _ratios(path, figures["rivals"][path.name]["runs"])
        print(*(one.line() for one in ratios), sep="\n")
    if arguments.part in ("growth", "all"):
        figures["growth"] = growth(arguments.rounds)
    if arguments.part in ("start", "all"):
        figures["start"] = start(arguments.rounds)
    store.keep(arguments.save, "check", figures, ["shapecheck", "mypy", "pyrefly"], ratios)


def rivals(path: Path, rounds: int) -> dict[str, Any]:
    """Every contestant once a round, so that a busy moment hits all of them."""
    runs: dict[str, list[measure.Run]] = {}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as scratch:
            for name, command in contestants(path, Path(scratch)):
                runs.setdefault(name, []).append(measure.run(command, Path(scratch)))
    summaries = {name: measure.summarise(found) for name, found in runs.items()}
    print(f"\n{path.name}: {_lines(path):,} lines")
    _print_rivals(summaries)
    return {"lines": _lines(path), "runs": summaries}


def contestants(path: Path, scratch: Path) -> Iterator[tuple[str, Sequence[str]]]:
    """The commands, each with a cold cache where it has one."""
    check = (*measure.SHAPECHECK, "check", "--quiet", "--no-cache")
    yield "shapecheck", (*check, str(path))
    yield "shapecheck, one process", (*check, "--jobs", "1", str(path))
    if shutil.which("pyrefly"):
        yield "pyrefly", ("pyrefly", "check", "--output-format", "min-text", str(path))
    cache = ("--cache-dir", str(scratch / "mypy"))
    yield "mypy", (sys.executable, "-m", "mypy", *cache, "--ignore-missing-imports", "--no-error-summary", str(path))


def _print_rivals(summaries: Mapping[str, measure.Summary]) -> None:
    own = summaries["shapecheck"]
    rows: list[tuple[object, ...]] = [("command", "seconds", "CPU s", "peak MB", "shapecheck takes", "exit")]
    for name, one in summaries.items():
        ratio = f"{own.seconds / one.seconds:.2f}x" if one is not own else ""
        rows.append((name, f"{one.seconds:.2f}", f"{one.cpu_seconds:.2f}", f"{one.peak_mb:.0f}", ratio, one.statuses))
    print(measure.table(rows))


def _ratios(path: Path, summaries: Mapping[str, measure.Summary]) -> Iterator[Ratio]:
    own, mypy = summaries["shapecheck"], summaries["mypy"]
    start = f"check of {path.stem if path.is_dir() else path.parent.name + '/' + path.name} relative to"
    if "pyrefly" in summaries:
        target = TARGETS["file" if path.is_file() else "folder"]
        yield Ratio(f"{start} pyrefly, time", own.seconds / summaries["pyrefly"].seconds, target)
    yield Ratio(f"{start} cold mypy, time", own.seconds / mypy.seconds, OF_MYPY["time"])
    yield Ratio(f"{start} mypy, memory", own.peak_mb / mypy.peak_mb, OF_MYPY["memory"])


def growth(rounds: int) -> dict[str, float]:
    """Seconds for 1x, 2x, 4x and 8x the same code, less the start: in one file, and spread over several files."""
    found: dict[str, float] = {}
    for layout, write in (("one file", _in_one_file), ("many files", _in_many_files)):
        with tempfile.TemporaryDirectory() as scratch:
            folders = {size: Path(scratch, f"x{size}") for size in (0, *SIZES)}
            for size, folder in folders.items():
                folder.mkdir()
                write(folder, 40 * size)
            command = (*measure.SHAPECHECK, "check", "--quiet", "--no-cache", "--jobs", "1", ".")
            runs = {size: [measure.run(command, folder) for _ in range(rounds)] for size, folder in folders.items()}
        cpu = {size: median(run.cpu_seconds for run in found_runs) for size, found_runs in runs.items()}
        found |= {f"{layout}, {size}x": cpu[size] - cpu[0] for size in SIZES}
        rows: list[tuple[object, ...]] = [("code", "CPU s", "per 1x")]
        rows += [(f"{size}x", f"{cpu[size] - cpu[0]:.2f}", f"{(cpu[size] - cpu[0]) / size:.3f}") for size in SIZES]
        print(f"\n{layout}:\n{measure.table(rows)}")
    return found


def _in_one_file(folder: Path, classes: int) -> None:
    (folder / "code.py").write_text("".join(GROWING.replace("{n}", str(n)) for n in range(classes)) or "import torch\n")


def _in_many_files(folder: Path, classes: int) -> None:
    (folder / "first.py").write_text("import torch\n")
    for n in range(classes):
        (folder / f"code{n}.py").write_text(GROWING.replace("{n}", str(n)))


def start(rounds: int) -> dict[str, measure.Summary]:
    """A small file with and without torch, against Python's own start."""
    with tempfile.TemporaryDirectory() as scratch:
        Path(scratch, "plain.py").write_text("def f(a: int) -> int:\n    return a + 1\n")
        Path(scratch, "model.py").write_text(GROWING.replace("{n}", ""))
        runs: dict[str, list[measure.Run]] = {name: [] for name in START}
        for _ in range(5 * rounds):
            for name, command in START.items():
                runs[name].append(measure.run(command, Path(scratch)))
    summaries = {name: measure.summarise(found) for name, found in runs.items()}
    rows: list[tuple[object, ...]] = [("command", "median ms", "CPU ms", "peak MB", "exit")]
    rows += [
        (name, f"{one.seconds * 1e3:.0f}", f"{one.cpu_seconds * 1e3:.0f}", f"{one.peak_mb:.0f}", one.statuses)
        for name, one in summaries.items()
    ]
    print(f"\n{measure.table(rows)}")
    return summaries


def _lines(path: Path) -> int:
    files = [path] if path.is_file() else path.rglob("*.py")
    return sum(file.read_bytes().count(b"\n") for file in files)


if __name__ == "__main__":
    main()
