"""Plants bugs in repositories, and counts those that are found: `--planted` of benchmarks.annotate.

The mutators of benchmarks.mutators change one expression of the files that the program of benchmarks.annotate_forwards
imports: in turn one of each kind, in an order that the seed draws. A change is a bug if the program then fails, or if a
model gives another result; of another width, only another shape counts. `check` reads the file, and
`run --infer` runs its models on the device `fake` if `check` says nothing new.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

from benchmarks.absent_libraries import replace_absent_libraries
from benchmarks.annotate_forwards import FORWARDS
from benchmarks.annotate_infer import reported
from benchmarks.mutation_parts import forked
from benchmarks.mutators import Mutant, mutants

_MOST_TRIED = 60
_NO_VALUES = frozenset(("width",))
"""Kinds of changes after which the weights differ, so that values show nothing."""
_CHECK = ("check", "--no-cache", "--quiet", "--jobs", "1")
_RUN = ("run", "--infer", "--quiet", "--device", "fake", "--skip", "compiled", "--timeout", "60", "--jobs", "1")


@dataclass
class Planted:
    """The bugs of one or more repositories."""

    bugs: int = 0
    by_check: int = 0
    by_run: int = 0
    """Those that only run finds."""
    missed: list[str] = field(default_factory=list)
    skipped: str = ""

    def add(self, other: Planted) -> None:
        self.bugs += other.bugs
        self.by_check += other.by_check
        self.by_run += other.by_run

    def __str__(self) -> str:
        if self.skipped:
            return self.skipped
        found = self.by_check + self.by_run
        share = f"{found / max(self.bugs, 1):.0%}"
        return f"{self.bugs} planted, {found} found ({share}): {self.by_check} by check, {self.by_run} only by run"


@dataclass(frozen=True)
class Planting:
    """How bugs are planted, and what looks for them."""

    count: int = 10
    seed: int = 0
    parts: Sequence[str] = ("check", "run")


def planted(name: str, path: Path, libraries: Sequence[Path], planting: Planting) -> Planted:
    """Plants bugs in a copy of a repository, one after the other."""
    if name not in FORWARDS:
        return Planted(skipped="no program that shows which changes are bugs")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / path.name
        shutil.copytree(path, root, ignore=shutil.ignore_patterns("*.pyc", ".git", "*.ipynb"))
        program = _Program(root, FORWARDS[name][1], libraries)
        usual = program.trace()
        if usual is None or usual[0]:
            return Planted(skipped=f"its program does not run: {'it died' if usual is None else usual[0]}")
        result = Planted()
        before: dict[tuple[str, str], Counter[str]] = {}
        for file, original, mutant in _bugs(program, usual, planting.count, planting.seed):
            found = ""
            for command in [one for one in (_CHECK, _RUN) if one[0] in planting.parts]:
                key = (command[0], str(file))
                if key not in before:
                    file.write_text(original)
                    before[key] = _findings(command, file, root, libraries)
                file.write_text(mutant.source)
                new = _findings(command, file, root, libraries) - before[key]
                file.write_text(original)
                if new:
                    found = command[0]
                    break
            result.bugs += 1
            result.by_check += found == "check"
            result.by_run += found == "run"
            if not found:
                diff = mutant.diff.replace("\n", " ")
                result.missed.append(f"  {file.relative_to(root)}:{mutant.line} [{mutant.kind}] {diff}")
    return result


Trace = tuple[str, list[tuple[Any, ...]], list[Path]]
"""The error that ended a program, the shape, dtype and sum of each result, and the files of the root."""


@dataclass(frozen=True)
class _Program:
    """A program that runs the models of a folder."""

    root: Path
    text: str
    libraries: Sequence[Path]

    def trace(self) -> Trace | None:
        """Runs it in a process of its own; None if that died or took too long."""
        return forked(partial(_traced, self.root, self.text, self.libraries))


def _bugs(program: _Program, usual: Trace, count: int, seed: int) -> Iterator[tuple[Path, str, Mutant]]:
    """The first bugs: the file, its original text, and the mutant."""
    rng = random.Random(seed)
    queues: dict[str, list[tuple[Path, str, Mutant]]] = {}
    for file in usual[2]:
        original = file.read_text()
        for mutant in mutants(file.stem, original, {}):
            queues.setdefault(mutant.kind, []).append((file, original, mutant))
    for queue in queues.values():
        rng.shuffle(queue)
    rounds = zip_longest(*(queues[kind] for kind in sorted(queues)))
    candidates = [one for each in rounds for one in each if one is not None]
    found = 0
    for file, original, mutant in candidates[:_MOST_TRIED]:
        file.write_text(mutant.source)
        trace = program.trace()
        file.write_text(original)
        if _is_bug(mutant.kind, usual, trace):
            found += 1
            yield file, original, mutant
        if found == count:
            return


def _is_bug(kind: str, usual: Trace, trace: Trace | None) -> bool:
    if trace is None or trace[0]:
        return True
    if len(trace[1]) != len(usual[1]) or [one[:2] for one in trace[1]] != [one[:2] for one in usual[1]]:
        return True
    pairs = zip(trace[1], usual[1], strict=True)
    return kind not in _NO_VALUES and any(abs(a[2] - b[2]) > 1e-3 * (1 + abs(b[2])) for a, b in pairs)


def _traced(root: Path, program: str, libraries: Sequence[Path]) -> Trace:
    """Runs a program in a folder, in this process."""
    import torch  # noqa: PLC0415 - only the processes of traces need it

    sys.dont_write_bytecode = True
    os.chdir(root)
    sys.path[:0] = ["", *map(str, libraries)]
    replace_absent_libraries()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    seen: list[tuple[Any, ...]] = []
    depth = 0

    def entered(*_: object) -> None:
        nonlocal depth
        depth += 1

    def left(_: object, __: object, result: object) -> None:
        nonlocal depth
        depth -= 1
        if not depth:
            seen.extend(_summaries(result))

    torch.nn.modules.module.register_module_forward_pre_hook(entered)
    torch.nn.modules.module.register_module_forward_hook(left)
    error = ""
    try:
        exec(compile(program, "program", "exec"), {"__name__": "program"})
    except Exception as failure:
        error = f"{type(failure).__name__}: {failure}".splitlines()[0]
    loaded = [getattr(one, "__file__", None) for one in list(sys.modules.values())]
    files = sorted({Path(one).resolve() for one in loaded if one and Path(one).is_file()})
    return error, seen, [one for one in files if one.is_relative_to(root) and one.suffix == ".py"]


def _summaries(value: Any) -> Iterator[tuple[Any, ...]]:
    """The shape, the dtype and a weighted sum of each tensor in a result."""
    import torch  # noqa: PLC0415

    if isinstance(value, torch.Tensor):
        flat = value.detach().double().flatten()
        weights = torch.linspace(0.5, 1.5, len(flat), dtype=torch.float64)
        yield tuple(value.shape), str(value.dtype), float((flat * weights).nansum())
    elif isinstance(value, dict):
        for one in value.values():
            yield from _summaries(one)
    elif isinstance(value, (tuple, list)):
        for one in value:
            yield from _summaries(one)


def _findings(command: Sequence[str], file: Path, root: Path, libraries: Sequence[Path]) -> Counter[str]:
    """The errors and warnings of a command on one file; of run also notes, which are about inferred annotations."""
    report = reported([*command, str(file)], root, libraries)
    found = [] if report is None else report["diagnostics"]
    return Counter(
        f"{one['path']}: {one['message']} [{one['code']}]"
        for one in found
        if command is _RUN or one["severity"] != "note"
    )
