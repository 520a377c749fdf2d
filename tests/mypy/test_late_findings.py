"""mypy does not wait: findings that are not ready are reported at the end of the run or in the next one, never lost."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from edited_project import write_stubs
from mypy import api

import shapecheck.mypy.background as background_module
import shapecheck.mypy.concurrent as concurrent_module
from shapecheck.mypy.background import Background

BUG = "import torch\n\n\ndef run(x):\n    return torch.zeros(3) + torch.zeros(4)"
FOUND = "parts.py:5: error: add: cannot broadcast (3,) and (4,): 3 != 4 in dimension -1  [shape-mismatch]"
SILENT = "import sys; sys.stdin.buffer.read()"
"""A process that never answers."""
DYING = "raise SystemExit(3)"
CONFIG = "[mypy]\nplugins = shapecheck.mypy\n"
NOT_READY = "checking shapes takes longer than mypy"


class Project:
    """A file with a finding, and one that imports it and is checked after it."""

    def __init__(self, folder: Path, seeded: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
        self._seeded = seeded
        self._monkeypatch = monkeypatch
        self._started: list[Background] = []
        self._processes: list[subprocess.Popen[bytes]] = []
        start = Background._start

        def recorded(background: Background) -> None:
            start(background)
            self._started.append(background)
            if background._process is not None:
                self._processes.append(background._process)

        monkeypatch.setattr(Background, "_start", recorded)
        monkeypatch.chdir(folder)
        self.write(BUG)
        Path("use.py").write_text("import torch\nimport parts\n\nresult = parts.run(1)\n")
        self.configure("")

    def write(self, text: str) -> None:
        Path("parts.py").write_text(f"{text}\n")

    def configure(self, text: str) -> None:
        """Write mypy's configuration; its cache then knows torch and what Python brings, and nothing of the project."""
        Path("mypy.ini").write_text(CONFIG + text)
        if "incremental" not in text:
            shutil.copytree(self._seeded(text), ".mypy_cache", dirs_exist_ok=True)

    def run(self, script: str | None = None) -> list[str]:
        """What mypy prints, with this script in place of the second process."""
        with self._monkeypatch.context() as patch:
            if script is not None:
                patch.setattr(background_module, "_START", script)
            found, trouble, _ = api.run(["--no-error-summary", "use.py", "parts.py"])
        for background in self._started:
            background.close()  # as when mypy's process ends
        self._started.clear()
        return (found + trouble).splitlines()

    def wait(self) -> None:
        """Until the processes of earlier runs have done their work."""
        for process in self._processes:
            process.wait(60)
        self._processes.clear()


@pytest.fixture(scope="module")
def stubs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_stubs(tmp_path_factory.mktemp("stubs"))


@pytest.fixture(scope="module")
def seeded(stubs: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """For a configuration, the cache of a run that imports torch and has no findings."""

    @cache
    def cache_of(config: str) -> Path:
        folder = tmp_path_factory.mktemp("seed")
        (folder / "mypy.ini").write_text(CONFIG + config)
        (folder / "seed.py").write_text("import torch\n")
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            patch.setenv("MYPYPATH", str(stubs))
            patch.setenv("CI", "1")
            assert api.run(["--no-error-summary", "seed.py"]) == ("", "", 0)
        shutil.rmtree(folder / ".mypy_cache/shapecheck", ignore_errors=True)
        return folder / ".mypy_cache"

    return cache_of


@pytest.fixture
def project(
    tmp_path: Path,
    stubs: Path,
    seeded: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Project:
    monkeypatch.setenv("MYPYPATH", str(stubs))
    monkeypatch.setenv("CI", "")
    project = Project(tmp_path, seeded, monkeypatch)
    capsys.readouterr()
    return project


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the end of a run, mypy waits as long as it takes."""
    monkeypatch.setattr(concurrent_module, "_SHARE", 1000.0)


def test_what_is_not_ready_is_announced_and_reported_by_a_later_run(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    assert project.run(SILENT) == []
    assert NOT_READY in capsys.readouterr().err
    project.wait()
    assert project.run() == []
    assert "not ready yet" in capsys.readouterr().err
    project.wait()
    assert project.run() == [FOUND]
    assert project.run() == [FOUND], "the cache returns the same"
    assert capsys.readouterr().err == ""


def test_a_file_without_findings_is_not_checked_again(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.write("import torch\n\n\ndef run(x):\n    return torch.zeros(3) + x")
    project.run(SILENT)
    project.wait()
    assert project.run() == []
    project.wait()
    capsys.readouterr()
    written = {path: path.stat().st_mtime_ns for path in Path(".mypy_cache").rglob("parts.*")}
    assert project.run() == []
    assert {path: path.stat().st_mtime_ns for path in written} == written
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("patient")
def test_what_is_ready_at_the_end_is_reported_by_the_same_run_and_stored(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    assert project.run() == [FOUND]
    assert project.run(DYING) == [FOUND], "no process is needed"
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("flags", ["", "sqlite_cache = False\n", "fixed_format_cache = False\n"])
def test_how_mypy_stores_results_makes_no_difference(project: Project, flags: str) -> None:
    project.configure(flags)
    assert [project.run(), project.run(DYING)] == [[FOUND], [FOUND]]


@pytest.mark.usefixtures("patient")
def test_without_a_cache_every_run_reports_it(project: Project) -> None:
    project.configure("incremental = False\n")
    assert [project.run(), project.run()] == [[FOUND], [FOUND]]
    assert not Path(".mypy_cache/shapecheck").exists()


@pytest.mark.parametrize("comment", ["type: ignore[shape-mismatch]", "type: ignore"])
def test_a_comment_on_a_missing_finding_is_not_reported_as_unused(project: Project, comment: str) -> None:
    project.configure("warn_unused_ignores = True\n")
    project.write(f"{BUG}  # {comment}")
    for _ in range(3):
        assert project.run() == []
        project.wait()


def test_an_unused_comment_is_reported_when_that_is_known(project: Project) -> None:
    project.configure("warn_unused_ignores = True\n")
    project.write("import torch\n\n\ndef run(x):\n    return x  # type: ignore[shape-mismatch]")
    assert project.run(SILENT) == []
    project.wait()
    project.run()
    project.wait()
    assert project.run() == ['parts.py:5: error: Unused "type: ignore" comment  [unused-ignore]']


def test_a_process_that_dies_is_one_line(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(concurrent_module, "_SHARE", 1000.0)  # so that it has died by then
        assert project.run(DYING) == []
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("shapecheck.mypy: warning: 2 files not checked completely: the process that checks shapes")
    assert "exit code 3" in line


@pytest.mark.parametrize(
    ("table", "ci", "found"),
    [("", "1", [FOUND]), ("", "false", []), ("wait = true", "", [FOUND]), ("wait = false", "1", [])],
)
def test_when_mypy_waits(
    project: Project, table: str, ci: str, found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("pyproject.toml").write_text(f"[tool.shapecheck.mypy]\n{table}\n")
    monkeypatch.setenv("CI", ci)
    assert project.run(SILENT) == found, "if it waits, it computes little source itself"


def test_a_run_that_waits_also_reports_what_an_earlier_one_did_not(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert project.run(SILENT) == []
    monkeypatch.setenv("CI", "1")
    assert project.run() == [FOUND]
