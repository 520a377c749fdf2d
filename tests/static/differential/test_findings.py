"""What a file is reported for does not depend on how the run goes about it."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from shapecheck.mypy.codes import ERROR_CODES
from tests.patience import PATIENCE
from tests.static.differential.runs import (
    CASES,
    EXAMPLES,
    FILES,
    PACKAGE,
    Findings,
    displayed,
    findings,
    findings_in_processes,
)

WELL_OVER = 800_000
"""Bytes of source for which two processes are certainly worth it."""


def differing(one: Findings, other: Findings) -> list[Path]:
    return [path for path in one.keys() | other.keys() if one.get(path) != other.get(path)]


@pytest.fixture(scope="module")
def reference() -> Findings:
    """Each file alone, by a checker that knows no other run and remembers no call."""
    asked = displayed(FILES)
    found = {path: findings([path], asked=asked, memo=False)[path] for path in FILES}
    assert all(any(found[path] for path in files) for files in (CASES, EXAMPLES))
    return found


def test_all_together_in_another_order_in_two_processes(reference: Findings) -> None:
    """A run of all files takes a quarter of a minute, so this one has all at once that must make no difference.

    If it fails, `findings(FILES)`, with another order, and `findings_in_processes` of the files that differ show which.
    """
    assert sum(path.stat().st_size for path in FILES) > WELL_OVER
    order = random.Random(15).sample(FILES, len(FILES))
    assert differing(findings_in_processes(order, jobs=2), reference) == []


# -- small projects, for what the files above do not hold

MEMO = {
    "main.py": """\
        import torch
        from torch import nn

        def positions():
            return torch.arange(20)

        class First(nn.Module):
            def forward(self):
                return nn.Embedding(10, 4)(positions())

        class Second(nn.Module):
            def forward(self):
                return nn.Embedding(10, 4)(positions())
        """
}
"""The same mistake twice, in the result of one call."""

IMPORTED_ON_ONE_WAY = {
    "a.py": """\
        import random

        class Kind:
            def load(self):
                import module
                return module.double(2)

        class Other(Kind):
            def load(self):
                import module
                return module.double(3)

        kind = Kind() if random.random() < 0.5 else Other()
        kind.load()
        """,
    "module.py": """\
        def double(x):
            return x * 2

        double(1, 2)
        """,
}
"""A module that is imported for the first time in a call on alternatives."""


def written(project: Mapping[str, str], folder: Path) -> list[Path]:
    for name, text in project.items():
        (folder / name).write_text(re.sub("^        ", "", text, flags=re.MULTILINE))
    return [folder / name for name in project]


def test_a_range_that_two_classes_ask_for_without_the_memo(tmp_path: Path) -> None:
    files = written(MEMO, tmp_path)
    found = findings(files, memo=False)
    assert [one.code for one in found[files[0]]] == ["index-range", "index-range"]
    assert findings(files) == found


def test_a_module_that_is_imported_in_a_call_on_alternatives_in_another_order(tmp_path: Path) -> None:
    files = written(IMPORTED_ON_ONE_WAY, tmp_path)
    found = findings(files, reversed(files))
    assert [one.code for one in found[files[1]]] == ["wrong-call"]
    assert findings(files) == found


# -- in mypy


def printed(*arguments: str | Path) -> Any:
    """The diagnostics of the command."""
    command = [sys.executable, "-m", "shapecheck", "check", "--no-cache", "--format", "json", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)["diagnostics"]


LINE = re.compile(r"^(.*?):(\d+):(\d+): (?:error|warning|note): (.*?)  \[([\w-]+)\]$", re.MULTILINE)
Reported = set[tuple[str, int, int, str, str]]


def of_mypy(output: str) -> Reported:
    found = LINE.findall(output)
    return {
        (path, int(line), int(column), code, text) for path, line, column, text, code in found if code in ERROR_CODES
    }


def of_command(diagnostics: list[dict[str, Any]]) -> Reported:
    return {(one["path"], one["line"], one["column"], one["code"], one["message"]) for one in diagnostics}


def without_columns(reported: Reported) -> set[tuple[str, int, str, str]]:
    return {(path, line, code, text) for path, line, _, code, text in reported}


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with some of the cases under names of their own, the examples, and the package."""
    folder = tmp_path_factory.mktemp("sample")
    for path in CASES[::15]:
        shutil.copy(path, folder / f"{path.stem}_{path.parent.name}.py")
    for path in EXAMPLES:
        shutil.copy(path, folder / f"{path.stem}_{path.parent.name}_example.py")
    shutil.copytree(PACKAGE[0].parent, folder / PACKAGE[0].parent.name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "mypy.ini").write_text("[mypy]\nplugins = shapecheck.mypy\npretty = False\n")
    return folder


def test_in_mypy(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(sample)
    monkeypatch.setenv("CI", "true")  # where mypy waits for all findings, however busy the machine is
    expected = of_command(printed("."))
    assert len({path for path, *_ in expected}) > len(CASES[::15]) / 3
    flags = ("--show-column-numbers", "--no-error-summary", "--follow-imports=skip", "--cache-dir=cache")
    command = [sys.executable, "-m", "mypy", *flags, "."]  # torch is nothing to the plugin
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    found = of_mypy(done.stdout)
    assert found <= expected, done.stderr
    assert without_columns(found) == without_columns(expected)  # mypy prints a message once a line
