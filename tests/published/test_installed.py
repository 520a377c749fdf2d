"""What each extra can do in an environment that has nothing else; what it cannot do, it says in a line."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tarfile
from pathlib import Path

import pytest

from shapecheck import __version__
from tests.published.building import ROOT, Built
from tests.published.environments import Environment

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows asks for a privilege to make symbolic links")

HEAD = """\
import torch
from torch import Tensor, nn


class Head(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(8, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.fc(x)


score = Head()(torch.randn(4, 9))
"""
CHECKED = """\
import torch
from jaxtyping import Float
from torch import Tensor

import shapecheck


@shapecheck.checked
def add(x: Float[Tensor, "b d"], y: Float[Tensor, "b d"]) -> Float[Tensor, "b d"]:
    return x + y


try:
    add(torch.zeros(3, 4), torch.zeros(3, 5))
except shapecheck.ShapeError as error:
    print(str(error).splitlines()[0].partition(": ")[2])
with shapecheck.guard(severity="note") as found:
    torch.zeros(4, 1) - torch.zeros(4)
print(*[one.code for one in found])
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "head.py").write_text(HEAD)
    return tmp_path


def imports(environment: Environment, module: str, cwd: Path) -> bool:
    return environment.run("python", "-c", f"import {module}", cwd=cwd).returncode == 0


@pytest.mark.parametrize("absent", ["torch", "numpy", "mypy", "pytest", "jaxtyping", "psutil", "jinja2"])
def test_core_has_only_what_it_declares(core: Environment, absent: str, tmp_path: Path) -> None:
    assert not imports(core, absent, tmp_path)
    assert imports(core, "shapecheck.cli", tmp_path)


def test_core_says_its_version(core: Environment, tmp_path: Path) -> None:
    assert core.run("shapecheck", "--version", cwd=tmp_path).stdout == f"shapecheck, version {__version__}\n"
    assert core.run("python", "-m", "shapecheck", "--version", cwd=tmp_path).returncode == 0


def test_core_fixes(core: Environment, project: Path) -> None:
    done = core.run("shapecheck", "fix", "--quiet", "head.py", cwd=project)
    assert (done.returncode, done.stderr) == (0, "")
    assert "def __call__(self, x: Tensor) -> Tensor: ..." in (project / "head.py").read_text()


def test_core_checks(core: Environment, project: Path) -> None:
    done = core.run("shapecheck", "check", "--quiet", "head.py", cwd=project)
    assert (done.returncode, done.stderr) == (1, "")
    assert "to be 8, got 9" in done.stdout
    assert "[shape-mismatch]" in done.stdout


def test_core_explains(core: Environment, tmp_path: Path) -> None:
    shown = core.run("shapecheck", "explain", "shape-mismatch", cwd=tmp_path).stdout
    assert shown == (ROOT / "docs/codes/shape-mismatch.md").read_text(encoding="utf-8")


def test_core_shows_what_works_in_it(core: Environment, project: Path) -> None:
    done = core.run("shapecheck", "doctor", cwd=project)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"^  fix +works$", done.stdout, re.MULTILINE)
    assert 'torch and jaxtyping are not installed; run: pip install "torch-shapecheck[torch]"' in done.stdout
    (project / "pyproject.toml").write_text('[tool.mypy]\nplugins = ["shapecheck.mypy"]\n')
    done = core.run("shapecheck", "doctor", cwd=project)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "Found 1 front end to fix: mypy plugin")


def test_core_sets_a_project_up(core: Environment, project: Path) -> None:
    (project / ".git").mkdir()
    done = core.run("shapecheck", "init", cwd=project)
    assert (done.returncode, done.stderr) == (0, "")
    assert (project / "pyproject.toml").read_text() == '[tool.shapecheck]\npaths = ["."]\n'  # mypy is not installed
    assert core.run("shapecheck", "check", "--quiet", cwd=project).returncode == 1
    assert core.run("shapecheck", "init", cwd=project).stdout == "Nothing to add\n"


def test_mypy_and_its_plugin_work_in_their_extra(with_mypy: Environment, project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.mypy]\nplugins = ["shapecheck.mypy"]\n')
    done = with_mypy.run("shapecheck", "doctor", cwd=project)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"^  mypy plugin +works \(configured in pyproject.toml\)$", done.stdout, re.MULTILINE)


def test_core_infers(core: Environment, tmp_path: Path) -> None:
    program = (
        "from shapecheck import TensorSpec, infer\nprint(infer('torch.flatten', TensorSpec(('b', 3, 4), 'float32'), 1))"
    )
    assert core.run("python", "-c", program, cwd=tmp_path).stdout == "torch.float32 (b, 12)\n"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["stubs"], "torch is not installed"),
        (["run", "head.py"], 'pip install "torch-shapecheck[torch]"'),
    ],
)
def test_core_says_in_a_line_what_needs_torch(core: Environment, project: Path, command: list[str], said: str) -> None:
    done = core.run("shapecheck", *command, cwd=project)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert said in done.stderr


def test_the_start_imports_click_and_nothing_else(core: Environment, tmp_path: Path) -> None:
    done = core.run("python", "-X", "importtime", "-m", "shapecheck", "--help", cwd=tmp_path)
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()[1:]}
    ours = loaded - sys.stdlib_module_names - {"sitecustomize", "usercustomize", "_distutils_hack"}
    assert ours == {"shapecheck", "click"}


def test_core_beside_pytest_says_in_a_line_what_needs_torch(beside_pytest: Environment, project: Path) -> None:
    (project / "test_none.py").write_text("def test_none(): pass\n")
    for option, missing in [
        ("--shapecheck=head", "torch"),
        ("--shapecheck-run=head.py", "torch, jaxtyping and psutil"),
    ]:
        done = beside_pytest.run("python", "-m", "pytest", option, cwd=project)
        assert (done.returncode, done.stdout) == (4, "")
        assert (
            done.stderr.strip()
            == f'ERROR: shapecheck: cannot import {missing}; run: pip install "torch-shapecheck[torch]"'
        )


def test_core_beside_pytest_is_in_nobodys_way(beside_pytest: Environment, project: Path) -> None:
    (project / "test_none.py").write_text("def test_none(): pass\n")
    assert beside_pytest.run("python", "-m", "pytest", "-q", cwd=project).returncode == 0


def test_mypy_takes_the_plugin_and_the_types(with_mypy: Environment, tmp_path: Path) -> None:
    (tmp_path / "use.py").write_text(
        "import shapecheck\nreveal_type(shapecheck.TensorSpec)\n"
        "@shapecheck.checked\ndef half(x: int) -> float: return x / 2\nhalf('1')\n"
    )
    (tmp_path / "mypy.ini").write_text("[mypy]\nplugins = shapecheck.mypy\nstrict = True\n")
    done = with_mypy.run("python", "-m", "mypy", "use.py", cwd=tmp_path)
    assert re.findall(r"use\.py:(\d+): (\w+)", done.stdout) == [("2", "note"), ("5", "error")], done.stdout
    assert "shapecheck.spec.tensor.TensorSpec" in done.stdout
    assert not imports(with_mypy, "torch", tmp_path)


def test_torch_checks_and_guards(with_torch: Environment, tmp_path: Path) -> None:
    (tmp_path / "use.py").write_text(CHECKED)
    done = with_torch.run("python", "use.py", cwd=tmp_path)
    message = 'expected dimension 1 ("d") to be 4, got 5 (d was bound by x[1])'
    assert done.stdout.splitlines() == [message, "silent-broadcast"], done.stderr
    assert not imports(with_torch, "mypy", tmp_path)


def test_torch_runs_an_example_and_writes_all_its_reports(with_torch: Environment, tmp_path: Path) -> None:
    shutil.copy(ROOT / "examples/vit.py", tmp_path)
    reports = [word for form in ("html", "json", "sarif", "xml") for word in ("--output", f"out.{form}")]
    done = with_torch.run(
        "shapecheck", "run", "vit.py", "--check", "contract,sweep", "--jobs", "1", *reports, cwd=tmp_path
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "<html" in (tmp_path / "out.html").read_text(encoding="utf-8")
    cases = json.loads((tmp_path / "out.json").read_text())["cases"]
    assert {case["outcome"] for case in cases} == {"passed"}
    assert with_torch.run("shapecheck", "diff", "out.json", "out.json", cwd=tmp_path).returncode == 0


def test_torch_writes_stubs(with_torch: Environment, tmp_path: Path) -> None:
    assert with_torch.run("shapecheck", "stubs", cwd=tmp_path).returncode == 0
    assert (tmp_path / "typings/torch-stubs/nn/modules/module.pyi").is_file()
    assert with_torch.run("shapecheck", "stubs", "--check", cwd=tmp_path).returncode == 0


def test_the_tests_of_the_sdist_run_from_it(with_test: Environment, built: Built, tmp_path: Path) -> None:
    with tarfile.open(built.sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    [unpacked] = tmp_path.iterdir()
    some = [
        "tests/spec/test_annotation.py",
        "tests/cli/test_explain.py",
        "tests/config",
        "tests/test_repository.py",
    ]
    done = with_test.run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *some, cwd=unpacked)
    assert done.returncode == 0, done.stdout
