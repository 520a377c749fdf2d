"""What each part of shapecheck says of many programs.

* static: the errors and warnings of `shapecheck check`.
* runtime: in one ordinary run, which is the program's `main`, what breaks its annotations, what a guard says, or what
  torch refuses.
* harness: the errors and warnings of `shapecheck run`, which makes each class and runs it by its annotations.
"""

from __future__ import annotations

import ast
import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar

import torch

import shapecheck
from benchmarks import measure

SECONDS = 60
"""For one question in a process of its own."""
_T = TypeVar("_T")
Findings = dict[str, list[str]]
"""What was said of each program, by its name."""


def forked(question: Callable[[], _T]) -> _T | None:
    """The answer of a process of its own; None where it died or took too long."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        status = 1
        with suppress(BaseException), os.fdopen(writer, "wb") as stream:
            warnings.simplefilter("ignore")
            pickle.dump(question(), stream)
            status = 0
        os._exit(status)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        answer = stream.read()
    _, status = os.waitpid(child, 0)
    return pickle.loads(answer) if status == 0 else None


def static(programs: Mapping[str, str]) -> Findings | None:
    """All programs in one run of the command."""
    return _reported(["check", "--no-cache", "--quiet"], ["."], programs)


def runtime(programs: Mapping[str, str]) -> Findings | None:
    """Each program imported under the hook, and its `main` run under a guard."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        _write(Path(folder), programs)
        sys.path.insert(0, folder)
        for module in programs:
            said = forked(lambda: _watched(module))  # noqa: B023 - called at once
            found[module] = [f"failure: ended after {SECONDS} s"] if said is None else said
        sys.path.remove(folder)
    return found


def _watched(module: str) -> list[str]:
    torch.manual_seed(0)
    with redirect_stdout(StringIO()), shapecheck.guard(severity="note") as guard:
        try:
            with shapecheck.install_import_hook(module):
                program = import_module(module)
            program.main()
        except shapecheck.ShapeError as error:
            return [f"contract: {str(error).partition(chr(10))[0]}"]
        except Exception as error:
            return [f"failure: {type(error).__name__}: {str(error).partition(chr(10))[0]}"]
    return [f"guard: {one.line}: {one.message} [{one.code}]" for one in guard]


def harness(programs: Mapping[str, str]) -> Findings | None:
    """All classes of all programs in one run of the command; None where this version has no such command.

    Factories are left out: what they make may be as large as its author's cluster. So is the check that compiles, which
    takes four fifths of the time.
    """
    helped = subprocess.run(
        [*measure.SHAPECHECK, "run", "--help"], env=measure.environment(), capture_output=True, check=False
    )
    targets = [f"{module}:{name}" for module, source in programs.items() for name in _models(source)]
    return None if helped.returncode else _reported(["run", "--quiet", "--skip", "compiled"], targets, programs)


def _models(source: str) -> Iterator[str]:
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef) and any(getattr(one, "name", "") == "forward" for one in node.body):
            yield node.name


PARTS: dict[str, Callable[[Mapping[str, str]], Findings | None]] = {
    "static": static,
    "runtime": runtime,
    "harness": harness,
}


def _write(folder: Path, programs: Mapping[str, str]) -> None:
    for module, source in programs.items():
        (folder / f"{module}.py").write_text(source)


def _reported(command: Sequence[str], targets: Sequence[str], programs: Mapping[str, str]) -> Findings:
    with tempfile.TemporaryDirectory() as folder:
        _write(Path(folder), programs)
        argv = [*measure.SHAPECHECK, *command, "--format", "json", *targets]
        done = subprocess.run(argv, cwd=folder, env=measure.environment(), capture_output=True, text=True, check=False)
    try:
        diagnostics = json.loads(done.stdout)["diagnostics"]
    except (ValueError, KeyError):
        raise SystemExit(f"shapecheck {command[0]} gave no report:\n{done.stderr}") from None
    return _by_program(programs, diagnostics)


def _by_program(programs: Mapping[str, str], diagnostics: Iterable[Mapping[str, Any]]) -> Findings:
    found: Findings = {module: [] for module in programs}
    for one in diagnostics:
        module = Path(one["path"]).stem
        if one["severity"] != "note" and module in found:
            found[module].append(f"{one['line']}: {one['message']} [{one['code']}]")
    return found
