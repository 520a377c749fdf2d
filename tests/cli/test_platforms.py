"""What differs between systems, as far as one of them shows it: new processes, line ends, separators, drives, names."""

from __future__ import annotations

import io
import json
import ntpath
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from shapecheck.cli import main
from shapecheck.diagnostics import Diagnostic, Note, Severity, checkout
from shapecheck.diagnostics.render import renderer
from shapecheck.project import baseline

SPAWN = """
import sys

sys.platform = "darwin"  # before multiprocessing chooses how processes start
import multiprocessing
from shapecheck.static.entry import parallel
from shapecheck.fix import run as fixing

parallel._WORTH_A_PROCESS = fixing._WORTH_A_PROCESS = 1
if __name__ == "__main__":
    assert multiprocessing.get_start_method() == "spawn"
    from shapecheck.cli import main

    main(sys.argv[1:])
"""
"""The command as on macOS and Windows, where a process is not a copy of its parent."""
NET = """\
import torch
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.up = nn.Linear(8, 12)
        self.out = nn.Linear(16, 2)  # é

    def forward(self, x: Tensor) -> Tensor:
        return self.out(self.up(x))
"""
ON_WINDOWS = Diagnostic(
    "src\\a b.py", 3, 5, 3, 9, "shape-mismatch", Severity.ERROR, "wrong", (Note("src\\b.py", 1, 1, "from here"),)
)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR", "GITHUB_SERVER_URL", "CI_PROJECT_URL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, [*arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def findings(*arguments: str) -> list[dict[str, Any]]:
    return json.loads(run("check", "--no-cache", "--format", "json", *arguments).stdout)["diagnostics"]


@pytest.mark.skipif(os.name == "nt", reason="the test claims to be on macOS")
@pytest.mark.parametrize("command", [("check", "--no-cache"), ("fix", "--check")], ids=" ".join)
def test_processes_that_start_from_nothing_do_the_same(command: tuple[str, ...]) -> None:
    for number in range(6):
        Path(f"net{number}.py").write_text(NET.replace("12", str(12 + number)), encoding="utf-8")
    Path("spawn.txt").write_text(SPAWN)
    words = [sys.executable, "spawn.txt", *command, "--format", "json", "--jobs", "2", "."]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=240)
    assert done.returncode == 1, done.stderr
    expected = run(*command, "--format", "json", "--jobs", "1", ".")
    assert json.loads(done.stdout)["diagnostics"] == json.loads(expected.stdout)["diagnostics"] != []


@pytest.mark.parametrize(
    ("end", "encoding"),
    [("\n", "utf-8-sig"), ("\r\n", "utf-8"), ("\r\n", "utf-8-sig"), ("\r\n", "latin-1"), ("\r", "utf-8")],
)
def test_line_ends_and_encodings_change_no_finding(end: str, encoding: str) -> None:
    head = "# coding: latin-1\n" if encoding == "latin-1" else "# coding: utf-8\n"
    Path("a.py").write_bytes((head + NET).replace("\n", end).encode(encoding))
    Path("b.py").write_text(head.replace("latin-1", "utf-8") + NET, encoding="utf-8")
    of_a, of_b = findings("a.py"), findings("b.py")
    assert json.dumps(of_a).replace("a.py", "b.py") == json.dumps(of_b)
    assert (
        "13 | return self.out(self.up(x))\n   |        ^^^^^^^^^^^^^^^^^^^^\n"
        in run("check", "--no-cache", "--format", "markdown", "a.py").stdout
    )


def test_a_baseline_holds_whatever_the_line_ends_are() -> None:
    """A checkout on Windows may have other line ends than the one where the baseline was written."""
    Path("a.py").write_bytes(NET.encode())
    assert run("check", "--baseline", "known.json", "--write-baseline", "a.py").exit_code == 0
    Path("a.py").write_bytes(NET.replace("\n", "\r\n").encode())
    assert run("check", "--baseline", "known.json", "a.py").exit_code == 0
    Path("known.json").write_bytes(Path("known.json").read_bytes().replace(b"\n", b"\r\n"))
    assert run("check", "--baseline", "known.json", "a.py").exit_code == 0


def test_a_baseline_may_be_on_another_drive(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no relative path leads to the file."""

    def relpath(path: str, start: str) -> str:
        raise ValueError("path is on mount 'C:', start on mount 'D:'")

    monkeypatch.setattr(os.path, "relpath", relpath)
    Path("a.py").write_text(NET, encoding="utf-8")
    found = [replace(ON_WINDOWS, path="a.py", line=12)]
    checked, codes = [Path("a.py").absolute()], frozenset({"shape-mismatch"})
    [entry] = baseline.write(found, Path("known.json"), checked, codes)
    assert entry.path == Path("a.py").absolute().as_posix()
    compared = baseline.compare(found, Path("known.json"), checked, codes)
    assert (compared.new, compared.known, compared.stale) == ([], 1, 0)


@pytest.fixture
def _windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths as on Windows, where reports are made."""

    class Windows:
        environ, fsencode, sep, path = os.environ, staticmethod(os.fsencode), "\\", ntpath

    monkeypatch.setattr(checkout, "os", Windows)
    monkeypatch.setattr("shapecheck.diagnostics.render.sarif.os", Windows)
    monkeypatch.setenv("GITHUB_WORKSPACE", "D:\\work")
    monkeypatch.setattr(ntpath, "realpath", lambda path: ntpath.join("D:\\work\\project", path))


@pytest.mark.usefixtures("_windows")
@pytest.mark.parametrize(
    ("form", "shown"),
    [
        ("github", "file=project/src/a b.py,"),
        ("sarif", '"uri": "project/src/a%20b.py"'),
        ("gitlab", '"path": "project/src/a b.py"'),
        ("markdown", "#### `project/src/a b.py`\n"),
    ],
)
def test_services_get_slashes(form: str, shown: str) -> None:
    stream = io.StringIO()
    renderer(form)([ON_WINDOWS], stream, {})
    assert shown in stream.getvalue()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
@pytest.mark.parametrize("name", ["a b.py", "é形.py", "a\nb.py", "-a.py", "a`b.py", "a%20b.py", "a:b.py", "'a\".py"])
def test_any_name_of_a_file_is_one(name: str) -> None:
    Path(name).write_text(NET, encoding="utf-8")
    for form in ("json", "sarif", "gitlab", "junit", "markdown", "github"):
        result = run("check", "--format", form, f"./{name}")
        assert result.exit_code == 1, (form, result.output)
    assert [one["path"] for one in findings(f"./{name}")] == [name]
    assert len(run("check", "--format", "github", f"./{name}").stdout.splitlines()) == 1
    assert run("check", "--baseline", "known.json", "--write-baseline", f"./{name}").exit_code == 0
    assert run("check", "--baseline", "known.json", f"./{name}").exit_code == 0
