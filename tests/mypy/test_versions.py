"""Under a mypy that the plugin does not support, one line says so, and a newer mypy does its work without it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from mypy.version import __version__ as installed

from shapecheck.config.load import parse_toml
from shapecheck.mypy.versions import OLDEST, UNTESTED, is_supported, requirement

ROOT = Path(__file__).parents[2]
PROGRAM = """\
from torch import Tensor, nn
class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x
def use(net: Net, x: Tensor) -> None:
    reveal_type(net(x))
wrong: int = ""
"""
STUBS = {
    "torch/__init__.pyi": "from torch import nn as nn\nclass Tensor: ...\n",
    "torch/nn/__init__.pyi": "from torch.nn.modules.module import Module as Module\n",
    "torch/nn/modules/__init__.pyi": "",
    "torch/nn/modules/module.pyi": "from typing import Any\nfrom collections.abc import Callable\n"
    "class Module:\n    __call__: Callable[..., Any]\n",
}
"""In place of torch's own source, which takes mypy many seconds."""
DISABLED = "shapecheck.mypy: warning: plugin disabled: not tested with mypy "


@pytest.fixture
def project(tmp_path: Path) -> Path:
    config = "[mypy]\nplugins = shapecheck.mypy\nmypy_path = stubs\ndisable_error_code = shape-mismatch\n"
    files = {"net.py": PROGRAM, "other.py": "", "mypy.ini": config}
    for name, text in {**files, **{f"stubs/{name}": text for name, text in STUBS.items()}}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def run(project: Path, version: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A mypy process that takes itself for another version; so do the processes that it starts."""
    fake = project / "fake"
    fake.mkdir()
    (fake / "sitecustomize.py").write_text(f"import mypy.version\nmypy.version.__version__ = {version!r}\n")
    paths = os.pathsep.join([str(fake), str(ROOT)])
    command = [sys.executable, "-m", "mypy", *arguments]
    variables = {**os.environ, "PYTHONPATH": paths}
    return subprocess.run(command, cwd=project, env=variables, capture_output=True, text=True, check=False, timeout=300)


def revealed(done: subprocess.CompletedProcess[str]) -> str:
    found = re.search(r'Revealed type is "(.*)"', done.stdout)
    assert found, done.stdout + done.stderr
    return found[1].rpartition(".")[2]


def test_the_extra_requires_the_supported_versions() -> None:
    extras = parse_toml((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert extras["mypy"] == [requirement()]
    assert f"`{requirement()}`" in (ROOT / "docs/mypy.md").read_text(encoding="utf-8")


def test_what_is_supported_is_what_these_tests_run_with() -> None:
    series = tuple(map(int, installed.split(".")[:2]))
    assert OLDEST <= series < UNTESTED
    assert (series[0], series[1] + 1) == UNTESTED


def test_a_supported_mypy_gets_the_plugin(project: Path) -> None:
    done = run(project, "2.4.99", "net.py")
    assert (revealed(done), done.stderr) == ("Tensor", "")


@pytest.mark.parametrize(
    ("version", "parallel"), [("2.5.0", ()), ("2.10", ()), ("3.0.1+dev.0abc", ()), ("2.5.0", ("-n", "2"))]
)
def test_a_newer_mypy_runs_without_the_plugin_and_warns_once(
    project: Path, version: str, parallel: tuple[str, ...]
) -> None:
    done = run(project, version, "net.py", "other.py", *parallel)
    assert (revealed(done), done.returncode) == ("Any", 1)
    assert "net.py:7: error: Incompatible types in assignment" in done.stdout
    [line] = done.stderr.splitlines()
    assert line.startswith(f"{DISABLED}{version} (")
    assert line.endswith(f'); run pip install "{requirement()}"')


def test_an_older_mypy_stops_in_one_line_without_a_traceback(project: Path) -> None:
    done = run(project, "2.3.1", "net.py")
    assert done.returncode == 2
    [line] = done.stderr.splitlines()
    assert line.startswith("shapecheck.mypy: error: expected mypy 2.4 or newer, got 2.3.1 (")
    assert line.endswith(f'); run pip install "{requirement()}"')
    assert "Traceback" not in done.stdout


def test_a_worker_of_a_newer_mypy_prints_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not is_supported("9.0")
    assert capsys.readouterr().err.startswith(f"{DISABLED}9.0 (")
    monkeypatch.setitem(sys.modules, "mypy.build_worker", sys)
    assert not is_supported("9.0")
    assert capsys.readouterr().err == ""
