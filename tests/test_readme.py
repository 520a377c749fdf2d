"""The README's example, run as it stands there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).resolve().parents[1] / "README.md").read_text()
EXAMPLE = re.findall(r"```python\n(# head\.py\n.*?)```", README, re.DOTALL)
SESSIONS = re.findall(r"```console\n\$ ([^\n]*head\.py[^\n]*)\n(.*?)```", README, re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("readme")
    (made / "head.py").write_text(EXAMPLE[0])
    return made


def run(command: str, folder: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "MYPY_CACHE_DIR": str(folder / ".mypy_cache")}
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout


def test_there_is_one_example_and_three_sessions() -> None:
    assert len(EXAMPLE) == 1
    assert [command for command, _ in SESSIONS] == [
        "mypy head.py",
        "shapecheck fix --diff head.py",
        "shapecheck fix --quiet head.py && mypy head.py",
    ]


def test_each_session_prints_what_the_readme_shows(folder: Path) -> None:
    (folder / "plugin.ini").write_text("[mypy]\nplugins = shapecheck.mypy\n")
    plugin = run("mypy --config-file plugin.ini head.py", folder)
    for command, shown in SESSIONS:
        assert run(command, folder) == shown, command
    after_fix = SESSIONS[-1][1]
    assert re.findall(r"\[\S+\]", plugin) == re.findall(r"\[\S+\]", after_fix), (
        "the plugin finds the same without an edit"
    )


def test_the_models_that_are_run_have_the_faults_that_are_shown(tmp_path: Path) -> None:
    [model] = re.findall(r"```python\n(# pool\.py\n.*?)```", README, re.DOTALL)
    [(command, shown)] = re.findall(r"```console\n\$ ([^\n]*pool\.py)\n(.*?)```", README, re.DOTALL)
    (tmp_path / "pool.py").write_text(model)
    assert run(command, tmp_path) == shown
