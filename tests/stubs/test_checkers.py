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

from tests.mypy_caches import WITHOUT_INTERNALS, configuration
from tests.versions import TORCH

from .conftest import Environment

SOURCES = sorted((Path(__file__).parent / "project").glob("*.py"))
NAMES = [path.name for path in SOURCES]
_MODULE_PREFIX = re.compile(
    r"\b(?:torch\.nn\.modules\.\w+|torch\._tensor|torch\.nn\.parameter|torch\._C|torch|calls|containers|builtins)\."
)


@dataclass
class Said:
    """What a checker said by `file:line`: revealed types and errors."""

    revealed: dict[str, str] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)


def expected(checker: str) -> Said:
    """What the comments say; `from torch: 2.8` where torch's own annotations were less before that version."""
    said = Said()
    places = [(path.name, *line) for path in SOURCES for line in enumerate(path.read_text().splitlines(), 1)]
    for name, number, line in places:
        place = f"{name}:{number}"
        code, _, comment = line.rpartition("  # ")
        general, *own = comment.split("; ") if not re.match(r"\w+: ", comment) else ["", comment]
        answers = dict(answer.split(": ") for answer in own)
        answer = answers.get(checker, general)
        if answer == "error":
            said.errors[place] = ""
        elif "reveal_type(" in code and TORCH >= tuple(map(int, answers.get("from torch", "2.4").split("."))):
            said.revealed[place] = answer
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


def collect(messages: Iterator[tuple[str, str, bool]]) -> Said:
    said = Said()
    for place, text, is_error in messages:
        match = re.match(r'(?:Revealed type(?: is|:)|revealed type:|Type of ".*" is) *["`]?(.*?)["`]?$', text)
        if match:
            kind = _MODULE_PREFIX.sub("", match[1])
            said.revealed[place] = kind.replace("Tuple[", "tuple[")
        elif is_error:
            said.errors[place] = text
    return said


def pyright(folder: Path, *options: str) -> Said:
    if not options:
        options = ("--pythonpath", sys.executable)
    out = run([sys.executable, "-m", "pyright", "--outputjson", *options, *NAMES], folder)
    found: list[dict[str, Any]] = json.loads(out)["generalDiagnostics"]
    places = (f"{Path(d['file']).name}:{d['range']['start']['line'] + 1}" for d in found)
    return collect((place, d["message"], d["severity"] == "error") for place, d in zip(places, found, strict=True))


def lines(out: str, pattern: str) -> Said:
    """From output of one line a message; the pattern names `place`, `kind` and `text`."""
    matches = [match for line in out.splitlines() if (match := re.match(pattern, line))]
    return collect((m["place"], m["text"], m["kind"].lower() == "error") for m in matches)


def mypy(folder: Path, environment: Environment) -> Said:
    cache, settings = folder / "mypy-cache", folder / "mypy-settings.ini"  # not a name that other checkers read
    settings.write_text(configuration(WITHOUT_INTERNALS))
    options = ["--config-file", settings, "--cache-dir", cache, "--python-executable", environment.python]
    command = [sys.executable, "-m", "mypy", *map(str, options)]
    return lines(run([*command, *NAMES], folder), r"(?P<place>\w+\.py:\d+): (?P<kind>\w+): (?P<text>.*)")


def ty(folder: Path, *options: str) -> Said:
    out = run([tool("ty"), "check", "--output-format", "concise", *options, *NAMES], folder)
    return lines(out, r"(?P<place>\w+\.py:\d+):\d+: (?P<kind>\w+)\[[\w-]+\] (?P<text>.*)")


def pyrefly(folder: Path, environment: Environment) -> Said:
    command = [tool("pyrefly"), "check", "--preset", "default", "--min-severity", "info", "--output-format", "min-text"]
    out = run([*command, "--python-interpreter-path", str(environment.python), *NAMES], folder)
    return lines(out, r" *(?P<kind>[A-Z]+) .*?(?P<place>\w+\.py:\d+):[\d-]+: (?P<text>.*?)(?: \[[\w-]+\])?$")


def copy_to(folder: Path) -> None:
    for path in SOURCES:
        shutil.copy(path, folder)


@pytest.fixture(scope="module")
def in_typings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("typings")
    pytest.importorskip("pyright")
    write(make_package(find_torch()), folder / "typings")
    copy_to(folder)
    return folder


@pytest.fixture(scope="module")
def in_environment(sharing: Environment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("environment")
    write(make_package(find_torch()), sharing.site_packages)
    copy_to(folder)
    return folder


def agree(said: Said, checker: str) -> None:
    wanted = expected(checker)
    revealed = {place: kind for place, kind in said.revealed.items() if place in wanted.revealed}
    assert revealed == wanted.revealed
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
    copy_to(tmp_path)
    said = ty(tmp_path, "--python", sys.prefix)
    assert said.revealed[next(iter(expected("ty").revealed))] == "Any"
