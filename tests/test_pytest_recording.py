"""`pytest --shapecheck-record`, in real pytest processes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from shapecheck.record.store import read_records
from tests import forked

MODEL = "def scale(x, by):\n    return x * by\n"
TESTS = """\
import pytest
import torch
from model import scale


@pytest.mark.parametrize("n", [2, 3])
def test_scale(n):
    assert scale(torch.ones(n, 8), torch.ones(8)).shape == (n, 8)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "test_model.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    return tmp_path


def run(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [forked.python(), "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("processes", [0, 2])
def test_the_calls_of_the_tested_functions_are_recorded(project: Path, processes: int) -> None:
    done = run(project, "--shapecheck-record", *forked.xdist(processes))
    assert done.returncode == 0, done.stdout
    (one,) = read_records(project / "shapecheck-record.json")
    assert one.name == "scale"
    assert sorted(call[0][0][1] for _, call in one.calls) == [(2, 8), (3, 8)]


def test_the_file_can_be_named(project: Path) -> None:
    run(project, "--shapecheck-record=calls.json")
    assert len(read_records(project / "calls.json")) == 1


def test_a_path_of_tests_after_the_option_is_no_data_file(project: Path) -> None:
    done = run(project, "--shapecheck-record", "test_model.py")
    assert done.returncode == 4
    assert "--shapecheck-record: expected a .json file, got test_model.py" in done.stderr
    assert (project / "test_model.py").read_text() == TESTS


def test_checked_packages_cannot_be_recorded_at_the_same_time(project: Path) -> None:
    done = run(project, "--shapecheck-record", "--shapecheck=model")
    assert done.returncode == 4
    assert "--shapecheck-record cannot be used with --shapecheck=PACKAGE" in done.stderr


def test_nothing_is_recorded_without_the_option(project: Path) -> None:
    assert run(project).returncode == 0
    assert not (project / "shapecheck-record.json").exists()
