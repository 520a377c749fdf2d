"""The files of docs/ci: each is valid, and its commands do what the page says, on a project made for them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from shapecheck.cli.run import command
from tests.patience import PATIENCE

from .conftest import GOOD, ROOT

yaml = pytest.importorskip("yaml", reason="pre-commit brings it")
CI = ROOT / "docs/ci"
SCHEMAS = {"github.yml": "github-workflows", "gpu.yml": "github-workflows", "gitlab.yml": "gitlab-ci"}
NET = """\
from jaxtyping import Float
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.up = nn.Linear(8, {width})
        self.out = nn.Linear(16, 2)

    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 2"]:
        return self.out(self.up(x))
"""
TESTS = """\
import pytest


def test_anywhere(): ...


@pytest.mark.gpu
def test_on_a_gpu(): ...
"""
LAUNCHER = '#!/bin/sh\nexec "{python}" {arguments} "$@"\n'


def commands(name: str) -> list[str]:
    """The lines that the jobs of a file run, without those that install."""
    jobs: dict[str, Any] = yaml.safe_load((CI / name).read_text(encoding="utf-8"))
    lines = [step["run"] for job in jobs.get("jobs", {}).values() for step in job["steps"] if "run" in step]
    lines += jobs.get("shapecheck", {}).get("script", [])
    return [line for line in lines if "-m pip" not in line and "GITHUB_PATH" not in line]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A project that is as it should be, and the programs that the workflows call."""
    for name, text in {
        "src/models/net.py": NET.format(width=16),
        "src/head.py": GOOD,
        "tests/test_net.py": TESTS,
        "pyproject.toml": '[tool.shapecheck.run]\nchecks = ["contract"]\n',
    }.items():
        file = tmp_path / "checkout" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    programs = {"python": "", "shapecheck": "-m shapecheck", "torchrun": "-m torch.distributed.run --standalone"}
    for name, arguments in programs.items():
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(LAUNCHER.format(python=sys.executable, arguments=arguments))
        program.chmod(0o755)
    done = run("shapecheck fix --quiet src/", tmp_path / "checkout")
    assert done.returncode == 0, done.stderr
    return tmp_path / "checkout"


def run(line: str, checkout: Path) -> subprocess.CompletedProcess[str]:
    """A line in the shell of a job. A GPU is a CPU here, and two of them are one a core."""
    line = line.replace("--nproc-per-node gpu", "--nproc-per-node 2").replace("--device cuda", "--device cpu")
    path = f"{checkout.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    ours = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PATH": path, "PYTHONPATH": ours, "GITHUB_WORKSPACE": str(checkout)}
    return subprocess.run(
        ["bash", "-e", "-c", line],
        cwd=checkout, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_the_file_is_what_its_service_reads(name: str) -> None:
    pytest.importorskip("check_jsonschema")
    schema = f"vendor.{SCHEMAS[name]}"
    validate = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(CI / name)]
    done = subprocess.run(validate, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout


def test_the_page_names_every_file() -> None:
    page = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
    assert [file.name for file in CI.iterdir() if f"(ci/{file.name})" not in page] == []


def test_a_pull_request_without_findings(checkout: Path) -> None:
    for line in commands("github.yml"):
        done = run(line, checkout)
        assert (done.returncode, done.stdout) == (0, ""), line
    assert json.loads((checkout / "shapecheck.sarif").read_text())["runs"][0]["results"] == []


def test_a_pull_request_with_findings(checkout: Path) -> None:
    (checkout / "src/models/net.py").write_text(NET.format(width=12))
    fix, check = (run(line, checkout) for line in commands("github.yml"))
    assert fix.returncode == check.returncode == 1
    place = "file=src/models/net.py,line"
    assert fix.stdout.startswith(f"::warning title=shapecheck (untyped-call),{place}=5,")
    assert check.stdout.startswith(f"::error title=shapecheck (shape-mismatch),{place}=12,")
    [result] = json.loads((checkout / "shapecheck.sarif").read_text())["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "src/models/net.py"


def test_the_test_results_of_a_merge_request(checkout: Path) -> None:
    (checkout / "src/models/net.py").write_text(NET.format(width=12))
    [line] = commands("gitlab.yml")
    assert run(line, checkout).returncode == 1
    assert ET.parse(checkout / "shapecheck.xml").getroot().get("failures") == "1"


def test_the_jobs_with_and_without_a_gpu(checkout: Path) -> None:
    pytest.importorskip("torch")
    tests, fake, available, on_gpu, cuda, ranks = commands("gpu.yml")
    assert "2 passed, 1 deselected" in run(tests, checkout).stdout
    assert "1 passed, 1 deselected" in run(on_gpu, checkout).stdout
    done = run(ranks, checkout)
    assert done.returncode == 0, done.stdout + done.stderr
    cases = json.loads((checkout / "ranks.json").read_text())["cases"]
    assert [case["outcome"] for case in cases] == ["passed"]
    assert "is_available" in available
    options = set(re.findall(r"--[\w-]+", f"{fake} {cuda}"))
    assert options <= {name for option in command.params for name in option.opts}
