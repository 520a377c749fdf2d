"""The command lines with which the mypy extensions of VS Code run mypy, and the lines that they read from it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from mypy.errors import CompileError

from shapecheck.mypy import plugin
from tests.patience import PATIENCE

from .conftest import GOOD, MESSAGE, ROOT

MICROSOFT = (
    *("--no-color-output", "--no-error-summary", "--show-absolute-path", "--show-column-numbers"),
    *("--show-error-codes", "--no-pretty", "--show-error-end"),
)
"""ms-python.mypy-type-checker, for each file that is opened or saved."""
MATANGOVER = ("--show-column-numbers", "--no-error-summary", "--no-pretty", "--no-color-output")
"""matangover.mypy, for the folder."""
LINE = re.compile(
    r"(?P<path>..[^:]*):(?P<line>\d+):(?P<column>\d+)(?::(?P<end_line>\d+):(?P<end_column>\d+))?: "
    r"(?P<severity>\w+): (?P<message>.*?)(?:  \[(?P<code>[\w-]+)\])?"
)
"""Both split a line at these places; the code is found by the two spaces before it."""
TORCH = {
    "torch/__init__.pyi": "from torch import nn as nn\nclass Tensor: ...\ndef zeros(*size: int) -> Tensor: ...\n",
    "torch/nn/__init__.pyi": """\
from typing import Any, Callable
from torch import Tensor
class Module:
    def __init__(self) -> None: ...
    __call__: Callable[..., Any]
class Linear(Module):
    def __init__(self, fan_in: int, fan_out: int) -> None: ...
    def forward(self, input: Tensor) -> Tensor: ...
""",
}
"""As much of torch as the project needs, for mypy to read it in no time."""


@pytest.fixture
def stubs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in TORCH.items():
        file = tmp_path / "stubs" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    monkeypatch.setenv("MYPYPATH", str(tmp_path / "stubs"))


def output(folder: Path, module: str, *arguments: str) -> list[str]:
    # mypy takes what PYTHONPATH names for installed packages, whose edits its daemon does not see
    environment = {**os.environ, "PYTHONUTF8": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stdout + done.stderr
    assert not done.stderr
    return done.stdout.splitlines()


def read(lines: list[str]) -> list[dict[str, str | None]]:
    matches = [LINE.fullmatch(line) for line in lines]
    assert all(matches), lines
    return [match.groupdict() for match in matches if match]


@pytest.fixture
def daemon(project: Path, tmp_path: Path) -> Iterator[tuple[str, ...]]:
    """The arguments of dmypy before the command's name; the daemon is stopped afterwards."""
    arguments = ("--status-file", str(tmp_path / "status.json"))
    yield arguments
    output(project, "mypy.dmypy", *arguments, "stop")


@pytest.mark.usefixtures("stubs")
def test_the_extension_of_microsoft_without_a_daemon(project: Path) -> None:
    file = project / "head.py"
    first, *notes = read(output(project, "mypy", *MICROSOFT, str(file)))
    assert first == {
        "path": str(file),
        "line": "12",
        "column": "16",
        "end_line": "12",
        "end_column": "35",
        "severity": "error",
        "message": MESSAGE,
        "code": "shape-mismatch",
    }
    assert [(note["line"], note["severity"], note["code"]) for note in notes] == [("12", "note", None)] * 3
    assert [note["message"] for note in notes] == [
        "layer expects 128: nn.Linear(128, 10) (head.py:9:20)",
        "256 comes from hidden=256 (head.py:6:24)",
        "when called here: Head()(torch.zeros(8, 64)) (head.py:15:10)",
    ]


@pytest.mark.usefixtures("stubs")
def test_the_extension_of_microsoft_with_its_daemon(project: Path, daemon: tuple[str, ...]) -> None:
    file = project / "head.py"
    command = (*daemon, "run", "--", *MICROSOFT, str(file))
    started, *lines = output(project, "mypy.dmypy", *command)
    assert started == "Daemon started"
    assert [one["code"] for one in read(lines)] == ["shape-mismatch", None, None, None]
    # Each version has another length, because mypy reads no times below a second.
    file.write_text(f"{GOOD}# corrected\n")
    assert output(project, "mypy.dmypy", *command) == []
    file.write_text(GOOD.replace("(8, 64)", "(8, 128)"))
    assert read(output(project, "mypy.dmypy", *command))[0]["code"] == "shape-mismatch"


@pytest.mark.usefixtures("stubs")
def test_the_extension_of_matangover(project: Path, daemon: tuple[str, ...]) -> None:
    command = (*daemon, "run", "--", ".", *MATANGOVER, "--python-executable", sys.executable)
    first, *_ = read(output(project, "mypy.dmypy", *command)[1:])
    assert first == {
        "path": "head.py",
        "line": "12",
        "column": "16",
        "end_line": None,
        "end_column": None,
        "severity": "error",
        "message": MESSAGE,
        "code": "shape-mismatch",
    }


def test_an_old_mypy_in_an_editor_is_reported_in_one_line() -> None:
    with pytest.raises(CompileError) as told:
        plugin("1.15.0")
    [line] = told.value.messages
    assert line.startswith("shapecheck.mypy: error: expected mypy 2.4 or newer, got 1.15.0 (")
