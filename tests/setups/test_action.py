"""`action.yml`: its steps in bash, in a pull request that adds one mistake to a project that has another."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .composite_action import Runner, offline
from .conftest import GOOD, HEAD, ROOT

yaml = pytest.importorskip("yaml", reason="pre-commit brings it")
pytest.importorskip("hatchling")
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
OLD = "src/old.py"
NEW = "src/new file.py"
GH = """\
#!/bin/sh
echo "$@" >> "$GH_CALLS"
case "$*" in *--paginate*) echo "$GH_EARLIER";; esac
"""
"""The program `gh`, with an earlier comment or without."""


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    command = ["git", *identity, *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """A job after the first step, which installs the source of the action in an environment of its own."""
    folder = tmp_path_factory.mktemp("runner")
    runner = Runner(ACTION, folder, folder)
    assert runner.run("install") == 0, runner.printed
    return runner


@pytest.fixture
def pull_request(installed: Runner, tmp_path: Path) -> Runner:
    """A job of a pull request, whose checkout has a single commit."""
    origin, workspace, temporary = (tmp_path / name for name in ("origin", "workspace", "temporary"))
    (origin / "src").mkdir(parents=True)
    temporary.mkdir()
    git(tmp_path, "init", "--quiet", str(origin))
    (origin / OLD).write_text(HEAD)
    git(origin, "add", ".")
    git(origin, "commit", "--quiet", "-m", "base")
    base = git(origin, "rev-parse", "HEAD")
    (origin / NEW).write_text(HEAD)
    git(origin, "add", ".")
    git(origin, "commit", "--quiet", "-m", "change")
    git(tmp_path, "clone", "--quiet", "--depth", "1", origin.as_uri(), str(workspace))
    event = {"event_name": "pull_request", "event.pull_request.base.sha": base, "event.pull_request.number": "7"}
    event |= {"repository": "o/r", "sha": git(origin, "rev-parse", "HEAD"), "token": "secret"}
    return Runner(ACTION, workspace, temporary, {}, event, {}, {"install": installed.outputs["install"]})


def work(runner: Runner, **inputs: str) -> int:
    """Run what follows the installation, and return the exit code of the job."""
    runner.inputs = {name.replace("_", "-"): value for name, value in inputs.items()}
    steps = ACTION["runs"]["steps"]
    runner.action = {**ACTION, "runs": {"steps": [one for one in steps if one.get("id") != "install"]}}
    return runner.run()


def test_the_program_is_that_of_the_action(installed: Runner) -> None:
    program = Path(installed.outputs["install"]["program"])
    assert program.is_relative_to(installed.temporary)
    code = "import shapecheck; print(shapecheck.__file__)"
    command = [program.with_name("python"), "-c", code]
    environment = {**os.environ, **offline()}
    folder = installed.temporary
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    assert Path(done.stdout).is_relative_to(installed.temporary)


def test_a_pull_request_gets_what_it_adds(pull_request: Runner) -> None:
    assert work(pull_request, paths="src") == 1
    summary = (pull_request.temporary / "github_step_summary").read_text()
    assert summary.startswith("<!-- shapecheck -->\n### shapecheck: 1 new finding (1 error in 1 file)\n")
    assert f"#### `{NEW}`" in summary
    assert "12 | return self.out(self.up(x))\n" in summary
    assert "Suppressed by the baseline: 1 finding." in summary
    assert f"::error title=shapecheck (shape-mismatch),file={NEW},line=12" in pull_request.printed
    outputs = pull_request.outputs["check"]
    assert outputs["exit-code"] == "1"
    [run] = json.loads(Path(outputs["sarif-file"]).read_text())["runs"]
    assert len(run["results"]) == 1
    assert [name for name, _ in pull_request.used] == ["actions/cache@v4"]
    assert (pull_request.workspace / ".shapecheck_cache").is_dir()
    assert git(pull_request.workspace, "status", "--porcelain") == "", "nothing is left behind"


@pytest.mark.parametrize("inputs", [{"new_only": "false"}, {"paths": OLD, "new_only": "false"}])
def test_everything_can_be_reported(pull_request: Runner, inputs: dict[str, str]) -> None:
    assert work(pull_request, **inputs) == 1
    assert f"file={OLD}" in pull_request.printed


def test_a_push_gets_everything(pull_request: Runner) -> None:
    pull_request.github["event_name"] = "push"
    assert work(pull_request) == 1
    assert pull_request.printed.count("::error ") == 2


def test_a_base_that_cannot_be_checked_hides_nothing(pull_request: Runner) -> None:
    assert work(pull_request, paths="src/new*.py") == 2
    assert "::notice title=shapecheck::The base of the pull request cannot be checked" in pull_request.printed
    (pull_request.workspace / "more").mkdir()
    (pull_request.workspace / "more/a.py").write_text(HEAD)
    assert work(pull_request, working_directory="more") == 1
    assert "file=more/a.py" in pull_request.printed


def test_a_project_in_a_directory_of_the_repository(pull_request: Runner) -> None:
    assert work(pull_request, working_directory="src") == 1
    assert pull_request.printed.count("::error ") == 1
    assert f"file={NEW}" in pull_request.printed
    assert pull_request.used[0][1]["path"] == "src/.shapecheck_cache"


def test_a_baseline_of_the_project_is_used(pull_request: Runner) -> None:
    program = pull_request.outputs["install"]["program"]
    command = [program, "check", "--baseline", "known.json", "--write-baseline"]
    subprocess.run(
        command, cwd=pull_request.workspace, check=True, capture_output=True, env={**os.environ, **offline()}
    )
    assert work(pull_request, baseline="known.json") == 0
    assert "no new findings" in (pull_request.temporary / "github_step_summary").read_text()


def test_options_and_sarif(pull_request: Runner) -> None:
    assert work(pull_request, options="--fail-on never --ignore shape-mismatch", sarif="true") == 0
    name, given = pull_request.used[-1]
    assert name.startswith("github/codeql-action/upload-sarif@")
    assert Path(given["sarif_file"]).is_file()


@pytest.mark.parametrize(
    ("earlier", "good", "called"),
    [
        ("", False, "--method POST repos/o/r/issues/7/comments --field body=@"),
        ("", True, None),
        ("12", True, "--method PATCH repos/o/r/issues/comments/12 --field body=@"),
        ("12\n13", False, "--method PATCH repos/o/r/issues/comments/12 --field body=@"),
    ],
    ids=["first", "none", "resolved", "replaced"],
)
def test_there_is_at_most_one_comment(
    earlier: str, good: bool, called: str | None, pull_request: Runner, tmp_path: Path
) -> None:
    if good:
        (pull_request.workspace / NEW).write_text(GOOD)
    program, calls = tmp_path / "bin/gh", tmp_path / "calls"
    program.parent.mkdir()
    program.write_text(GH)
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    pull_request.variables = {"PATH": path, "GH_CALLS": str(calls), "GH_EARLIER": earlier}
    assert work(pull_request, comment="true") == (0 if good else 1)
    first, *written = calls.read_text().splitlines()
    assert first.startswith("api --paginate repos/o/r/issues/7/comments --jq ")
    assert [line for line in written if called is None or called not in line] == []
    assert len(written) == (called is not None)


def test_inputs_are_not_code(pull_request: Runner) -> None:
    """Whatever a pull request names a file, it is an argument."""
    work(pull_request, paths='$(touch injected) "; touch injected #')
    assert not list(pull_request.workspace.rglob("injected"))
    assert "${{" not in "".join(step.get("run", "") for step in ACTION["runs"]["steps"])


def test_the_action_is_one() -> None:
    pytest.importorskip("check_jsonschema")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions", "action.yml"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout
