"""The files of docs/ci: each is valid, and its commands do what the page says, on a project made for them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shapecheck.cli.run import command
from tests import forked
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
    return without_installation(lines)


def without_installation(lines: list[str]) -> list[str]:
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
        program.write_text(LAUNCHER.format(python=forked.python(), arguments=arguments))
        program.chmod(0o755)
    done = run("shapecheck fix --quiet src/", tmp_path / "checkout")
    assert done.returncode == 0, done.stderr
    return tmp_path / "checkout"


def run(line: str, checkout: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """A line in the shell of a job. A GPU is a CPU here, and two of them are one a core."""
    line = line.replace("--nproc-per-node gpu", "--nproc-per-node 2").replace("--device cuda", "--device cpu")
    path = f"{checkout.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    ours = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    job = variables or {"GITHUB_WORKSPACE": str(checkout), "GITHUB_STEP_SUMMARY": str(checkout / "summary")}
    environment = {**os.environ, "PATH": path, "PYTHONPATH": ours, **job}
    return subprocess.run(
        ["bash", "-e", "-c", line],
        cwd=checkout, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip


def texts() -> Iterator[tuple[str, str]]:
    """The files, the header of the component, and the examples of the page, each with its schema."""
    for name, schema in SCHEMAS.items():
        yield schema, (CI / name).read_text(encoding="utf-8")
    yield "gitlab-ci", (ROOT / "templates/check.yml").read_text(encoding="utf-8").partition("\n---\n")[0]
    page = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
    for start, schema in (("# .github/workflows/", "github-workflows"), ("# .gitlab-ci.yml", "gitlab-ci")):
        [block] = re.findall(rf"```yaml\n({re.escape(start)}.*?)```", page, re.DOTALL)
        yield schema, block


@pytest.mark.parametrize(("schema", "text"), texts())
def test_the_file_is_what_its_service_reads(schema: str, text: str, tmp_path: Path) -> None:
    pytest.importorskip("check_jsonschema")
    file = tmp_path / "file.yml"
    file.write_text(text)
    validate = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", str(file)]
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
    assert (checkout / "summary").read_text() == "<!-- shapecheck -->\n### shapecheck: no findings\n"


def test_a_pull_request_with_findings(checkout: Path) -> None:
    (checkout / "src/models/net.py").write_text(NET.format(width=12))
    check, summary = commands("github.yml")
    done = run(check, checkout)
    assert done.returncode == 1
    assert done.stdout.startswith("::error title=shapecheck (shape-mismatch),file=src/models/net.py,line=12,")
    [result] = json.loads((checkout / "shapecheck.sarif").read_text())["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "src/models/net.py"
    assert run(summary, checkout).returncode == 0
    assert "12 | return self.out(self.up(x))" in (checkout / "summary").read_text()


def test_the_fix_of_a_pull_request(checkout: Path) -> None:
    (checkout / "src/models/net.py").write_text(NET.format(width=16))
    done = run("shapecheck fix --check --format github", checkout)
    assert done.returncode == 1
    assert done.stdout.startswith("::warning title=shapecheck (untyped-call),file=src/models/net.py,line=5,")


def jobs_of_gitlab() -> dict[str, list[str]]:
    """The commands of the job to copy, and of the component with some inputs."""
    given = {"paths": "src/models", "options": "--baseline known.json", "requirement": "x"}
    template = component("templates/check.yml", given)["shapecheck"]["script"]
    return {"copied": commands("gitlab.yml"), "component": without_installation(template)}


def component(name: str, given: dict[str, str]) -> dict[str, Any]:
    """The jobs of a component, as GitLab inserts the inputs."""
    text = (ROOT / name).read_text(encoding="utf-8")
    specification, jobs = yaml.safe_load_all(text)
    for key, one in specification["spec"]["inputs"].items():
        jobs = yaml.safe_load(
            yaml.safe_dump(jobs, width=1_000).replace(f"$[[ inputs.{key} ]]", given.get(key, one["default"]))
        )
    return jobs


def test_the_component_is_the_job_to_copy() -> None:
    jobs = component("templates/check.yml", {})
    assert "$[[" not in str(jobs)
    jobs["shapecheck"]["script"] = [line.rstrip() for line in jobs["shapecheck"]["script"]]
    assert jobs == yaml.safe_load((CI / "gitlab.yml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", ["copied", "component"])
def test_the_code_quality_of_a_merge_request(kind: str, checkout: Path) -> None:
    [line] = jobs_of_gitlab()[kind]
    job = {"CI_PROJECT_DIR": str(checkout), "CI_PROJECT_URL": "https://gitlab.com/o/r", "CI_COMMIT_SHA": "abc"}
    (checkout / "src/models/old.py").write_text(NET.format(width=14))
    known = ["--baseline", "known.json", "--write-baseline"]
    assert run(" ".join(["shapecheck", "check", *known]), checkout).returncode == 0
    (checkout / "src/models/net.py").write_text(NET.format(width=12))
    assert run(line, checkout, **job).returncode == 1
    issues = json.loads((checkout / "gl-code-quality-report.json").read_text())
    paths = ["src/models/net.py", *(["src/models/old.py"] if kind == "copied" else [])]
    assert [(one["location"]["path"], one["severity"]) for one in issues] == [(path, "major") for path in paths]
    assert {"description", "check_name", "fingerprint"} <= set(issues[0])
    text = (checkout / "shapecheck.md").read_text()
    assert "[line 12](https://gitlab.com/o/r/-/blob/abc/src/models/net.py#L12)" in text
    assert len(json.loads((checkout / "shapecheck.sarif").read_text())["runs"][0]["results"]) == len(issues)


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
