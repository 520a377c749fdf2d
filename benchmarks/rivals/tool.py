"""A tool that looks at programs, and what it said of them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

SECONDS = 3600


class Finding(NamedTuple):
    """One error or warning."""

    line: int
    text: str


Said = dict[Path, list[Finding]]


class Unusable(Exception):
    """The tool is installed and does not work here; the message says how that shows."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One contestant; `check` gets its interpreter, a directory of programs and the files in it."""

    name: str
    check: Callable[[Path, Path, Sequence[Path]], Said]
    packages: tuple[str, ...] = ()
    """Of its environment; none means the environment that runs this."""
    runs: bool = False
    """It runs the programs."""
    ours: bool = False
    models_only: bool = False
    """It wants a model and inputs, which the pairs of the test suite do not name."""
    every: int = 1
    """It is given every so many pairs of the test suite, because it is slow."""


def output(argv: Sequence[str], cwd: Path, environment: dict[str, str] | None = None) -> str:
    """What a command writes."""
    return _done(argv, cwd, environment).stdout


def _done(argv: Sequence[str], cwd: Path, environment: dict[str, str] | None) -> subprocess.CompletedProcess[str]:
    """The exit code depends on whether the tool found something, so it is ignored."""
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    env = {**clean, "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1", **(environment or {})}
    return subprocess.run(
        argv, cwd=cwd, env=env, capture_output=True, text=True, errors="replace", check=False, timeout=SECONDS
    )


def report(argv: Sequence[str], cwd: Path, environment: dict[str, str] | None = None) -> Any:
    """The same if it is JSON, without any text before it."""
    done = _done(argv, cwd, environment)
    text = done.stdout
    try:
        return json.loads(text[min(index for index in (text.find("{"), text.find("[")) if index >= 0) :])
    except ValueError:
        words = done.stderr.strip().splitlines()[-1:] or ["no words"]
        raise Unusable(f"{Path(argv[0]).name} gave no report: {words[0][:200]}") from None


def by_file(files: Iterable[Path], found: Iterable[tuple[Path, int, str]]) -> Said:
    """The findings of each of `files`; those elsewhere are left out."""
    said: Said = {path.resolve(): [] for path in files}
    for path, line, text in found:
        if path.resolve() in said:
            said[path.resolve()].append(Finding(line, text))
    return {path: said[path.resolve()] for path in files}
