from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from shapecheck import __version__
from shapecheck.cli import main


def test_help_names_the_commands() -> None:
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    for name in ("check ", "fix ", "stubs ", "explain "):
        assert f"\n  {name}" in result.output


def test_version() -> None:
    assert __version__ in CliRunner().invoke(main, ["--version"]).output


def test_an_unknown_command_is_a_usage_error() -> None:
    result = CliRunner().invoke(main, ["fxi"])
    assert result.exit_code == 2
    assert "fxi" in result.output


def test_a_misspelt_command_is_recognised() -> None:
    result = CliRunner().invoke(main, ["chek", "."])
    assert result.exit_code == 2
    assert 'unknown command "chek"; did you mean "check"?' in result.stderr


def test_help_loads_nothing_heavy() -> None:
    program = (
        "import sys; from shapecheck.cli import main; main(['fix', '--help'], standalone_mode=False);"
        "print(sorted({'libcst', 'rich', 'tomli', 'tomllib', 'pathspec', 'torch', 'mypy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "shapecheck", "explain", "shape-mismatch"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "shapecheck: cannot write: No space left on device\n")
