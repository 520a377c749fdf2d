"""Runs one benchmark after the other, each in a process of its own, and says what came of each."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import measure, store
from benchmarks.needs import filled, missing
from benchmarks.ratios import Ratio, from_data
from benchmarks.registry import Benchmark

CANNOT_RUN = 3
"""The exit code of a benchmark that lacks something here, such as a network; its last line says what."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one benchmark: ratios, or why there are none."""

    name: str
    ratios: list[Ratio] = field(default_factory=list)
    skipped: str = ""
    failed: str = ""
    seconds: float = 0.0


def run_all(
    chosen: Sequence[Benchmark],
    folders: Mapping[str, Path | None],
    file: Path,
    *,
    quick: bool,
    within: float | None = None,
) -> Iterator[Outcome]:
    """One after the other; what one of them does ends none of the others.

    within: the minutes that they may take, the one with the oldest figures first. One that takes longer than what is
    left is skipped, so that further runs measure the others.
    """
    began = time.monotonic()
    if within is not None:
        chosen = sorted(chosen, key=lambda one: store.measured(file, one.name))
    for one in chosen:
        left = None if within is None else within - (time.monotonic() - began) / 60
        reason = missing(one, folders)
        if left is not None and one.minutes > left:
            reason = f"takes about {one.minutes:g} minutes, and {max(left, 0):.0f} are left"
        if reason:
            yield Outcome(one.name, skipped=reason)
        else:
            print(f"\n== {one.name}: {one.claim}", flush=True)
            yield _run(one, command(one, folders, file, quick=quick), file)


def command(one: Benchmark, folders: Mapping[str, Path | None], file: Path, *, quick: bool) -> list[str]:
    """The command line, its figures going to `file`. Of an option given twice the last counts."""
    arguments = [filled(argument, folders) for argument in (*one.arguments, *(one.quick if quick else ()))]
    return [sys.executable, "-m", f"benchmarks.{one.module or one.name}", *arguments, "--save", str(file)]


def _run(one: Benchmark, argv: Sequence[str], file: Path) -> Outcome:
    began = time.perf_counter()
    done = subprocess.run(
        argv, cwd=measure.ROOT, env=measure.environment(), stderr=subprocess.PIPE, text=True, check=False
    )
    seconds = time.perf_counter() - began
    section = store.load(file)["benchmarks"].get(one.name)
    if done.returncode == CANNOT_RUN:
        return Outcome(one.name, skipped=_last_line(done), seconds=seconds)
    if done.returncode or section is None:
        return Outcome(one.name, failed=_reason(done), seconds=seconds)
    return Outcome(one.name, from_data(section), seconds=seconds)


def _reason(done: subprocess.CompletedProcess[str]) -> str:
    return f"exit {done.returncode}: {_last_line(done)}"


def _last_line(done: subprocess.CompletedProcess[str]) -> str:
    lines = done.stderr.strip().splitlines()
    return lines[-1][:200] if lines else "no words"
