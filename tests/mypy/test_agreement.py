"""The plugin reports what the command reports: over whole programs, in one run each."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import mypy

from shapecheck.mypy.codes import ERROR_CODES
from tests.patience import PATIENCE

CASES = sorted((Path(__file__).parents[1] / "cases").glob("[0-9]*"))
SAMPLE = CASES[::10]
CONFIGURATION = """\
[tool.shapecheck.check]
ignore = ["loss-broadcast"]
severity = { shared-module = "note" }

[tool.shapecheck.check.per-path."ok_*"]
select = ["all"]
"""
Reported = set[tuple[str, int, str]]


def reported(output: str) -> Reported:
    found = re.findall(r"^(.*?):(\d+)(?::\d+)?: \w+: .* \[([\w-]+)\]$", output, re.MULTILINE)
    return {(path, int(line), code) for path, line, code in found if code in ERROR_CODES}


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """Pairs of programs in one folder, each under a name of its own."""
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "pyproject.toml").write_text(CONFIGURATION)
    for case in SAMPLE:
        for name in ("bug", "ok"):
            shutil.copy(case / f"{name}.py", folder / f"{name}_{case.name}.py")
    return folder


def test_the_plugin_reports_what_the_command_reports(programs: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "shapecheck", "check", "--quiet", "."]
    done = subprocess.run(command, cwd=programs, capture_output=True, text=True, check=False, timeout=PATIENCE)
    wanted = reported(done.stdout)
    assert len({path for path, *_ in wanted}) > len(SAMPLE) / 2
    output = mypy(programs, "--follow-imports=skip", ".", cache=tmp_path / "cache")  # torch is nothing to the plugin
    assert reported(output) == wanted
