"""Real checkers over one small project, with the stub in its `typings` and in a throwaway site-packages."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from shapecheck.stubs import find_torch, make_package, write

from .conftest import Environment

SOURCE = Path(__file__).parent / "project" / "calls.py"
_MODULE_PREFIX = re.compile(r"\b(?:torch\._tensor|torch\.nn\.parameter|torch\._C|torch|calls|builtins)\.")


@dataclass
class Said:
    """What a checker said by line: revealed types and errors."""

    revealed: dict[int, str] = field(default_factory=dict)
    errors: dict[int, str] = field(default_factory=dict)


def expected(checker: str) -> Said:
    said = Said()
    for number, line in enumerate(SOURCE.read_text().splitlines(), 1):
        code, _, comment = line.rpartition("  # ")
        general, *own = comment.split("; ") if not re.match(r"\w+: ", comment) else ["", comment]
        answers = dict(answer.split(": ") for answer in own)
        answer = answers.get(checker, general)
        if answer == "error":
            said.errors[number] = ""
        elif "reveal_type(" in code:
            said.revealed[number] = answer
    return said


def run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


def tool(name: str) -> str:
    found = shutil.which(name, path=str(Path(sys.executable).parent))
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def collect(messages: Iterator[tuple[int, str, bool]]) -> Said:
    said = Said()
    for line, text, is_error in messages:
        match = re.match(r'(?:Revealed type(?: is|:)|revealed type:|Type of ".*" is) *["`]?(.*?)["`]?$', text)
        if match:
            kind = _MODULE_PREFIX.sub("", match[1])
            said.revealed[line] = kind
        elif is_error:
            said.errors[line] = text
    return said


def pyright(folder: Path, *options: str) -> Said:
    if not options:
        options = ("--pythonpath", sys.executable)
    out = run([sys.executable, "-m", "pyright", "--outputjson", *options, "calls.py"], folder)
    found: list[dict[str, Any]] = json.loads(out)["generalDiagnostics"]
    return collect((d["range"]["start"]["line"] + 1, d["message"], d["severity"] == "error") for d in found)


def lines(out: str, pattern: str) -> Said:
    """From output of one line a message; the pattern names `line`, `kind` and `text`."""
    matches = [match for line in out.splitlines() if (match := re.match(pattern, line))]
    return collect((int(m["line"]), m["text"], m["kind"].lower() == "error") for m in matches)


def mypy(folder: Path, environment: Environment) -> Said:
    cache = str(folder / "mypy-cache")
    command = [sys.executable, "-m", "mypy", "--cache-dir", cache, "--python-executable", str(environment.python)]
    return lines(run([*command, "calls.py"], folder), r"calls\.py:(?P<line>\d+): (?P<kind>\w+): (?P<text>.*)")


def ty(folder: Path, *options: str) -> Said:
    out = run([tool("ty"), "check", "--output-format", "concise", *options, "calls.py"], folder)
    return lines(out, r"calls\.py:(?P<line>\d+):\d+: (?P<kind>\w+)\[[\w-]+\] (?P<text>.*)")


def pyrefly(folder: Path, environment: Environment) -> Said:
    command = [tool("pyrefly"), "check", "--preset", "default", "--min-severity", "info", "--output-format", "min-text"]
    out = run([*command, "--python-interpreter-path", str(environment.python), "calls.py"], folder)
    return lines(out, r" *(?P<kind>[A-Z]+) .*calls\.py:(?P<line>\d+):[\d-]+: (?P<text>.*?)(?: \[[\w-]+\])?$")


@pytest.fixture(scope="module")
def in_typings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("typings")
    pytest.importorskip("pyright")
    write(make_package(find_torch()), folder / "typings")
    shutil.copy(SOURCE, folder)
    return folder


@pytest.fixture(scope="module")
def in_environment(sharing: Environment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("environment")
    write(make_package(find_torch()), sharing.site_packages)
    shutil.copy(SOURCE, folder)
    return folder


def agree(said: Said, checker: str) -> None:
    wanted = expected(checker)
    assert said.revealed == wanted.revealed
    assert set(said.errors) == set(wanted.errors), said.errors


def test_pyright_reads_typings(in_typings: Path) -> None:
    agree(pyright(in_typings), "pyright")


def test_ty_reads_typings(in_typings: Path) -> None:
    prefix = ["--python", sys.prefix, "--extra-search-path", "typings"]
    agree(ty(in_typings, *prefix), "ty")


def test_pyright_reads_the_environment(in_environment: Path, sharing: Environment) -> None:
    agree(pyright(in_environment, "--pythonpath", str(sharing.python)), "pyright")


def test_ty_reads_the_environment(in_environment: Path, sharing: Environment) -> None:
    agree(ty(in_environment, "--python", str(sharing.python)), "ty")


def test_mypy_reads_the_environment(in_environment: Path, sharing: Environment) -> None:
    agree(mypy(in_environment, sharing), "mypy")


def test_pyrefly_reads_the_environment(in_environment: Path, sharing: Environment) -> None:
    agree(pyrefly(in_environment, sharing), "pyrefly")


def test_without_the_stub_a_call_is_any(sharing: Environment, tmp_path: Path) -> None:
    shutil.copy(SOURCE, tmp_path)
    said = ty(tmp_path, "--python", sys.prefix)
    assert said.revealed[min(expected("ty").revealed)] == "Any"
