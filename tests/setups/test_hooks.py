"""The hooks of .pre-commit-hooks.yaml, run by pre-commit itself in a repository made for them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE

from .conftest import GOOD, ROOT

pytest.importorskip("pre_commit")
yaml = pytest.importorskip("yaml")
MANIFEST = ROOT / ".pre-commit-hooks.yaml"


def pre_commit(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PRE_COMMIT_HOME": str(folder.parent / "home"), "PYTHONPATH": str(ROOT)}
    environment["PATH"] = f"{folder.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [sys.executable, "-m", "pre_commit", *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip


@pytest.fixture
def repository(project: Path, tmp_path: Path) -> Path:
    """A repository that has our hooks; they find the command on the PATH, so that nothing is installed."""
    program = tmp_path / "bin" / "shapecheck"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m shapecheck "$@"\n')
    program.chmod(0o755)
    hooks = [{**hook, "language": "system"} for hook in yaml.safe_load(MANIFEST.read_text())]
    config = {"repos": [{"repo": "local", "hooks": hooks}]}
    (project / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    (project / "notes.txt").write_text("no Python\n")
    for command in (["init", "--quiet"], ["add", "--all"]):
        subprocess.run(["git", *command], cwd=project, check=True, capture_output=True)
    return project


def test_the_manifest_is_one() -> None:
    done = pre_commit(ROOT, "validate-manifest", str(MANIFEST))
    assert done.returncode == 0, done.stdout


def test_the_configuration_on_the_page_is_one_and_names_our_hooks() -> None:
    file = ROOT / "docs/ci/pre-commit.yaml"
    assert pre_commit(ROOT, "validate-config", str(file)).returncode == 0
    assert f"```yaml\n{file.read_text()}```" in (ROOT / "docs/ci.md").read_text(encoding="utf-8")
    used = {hook["id"] for hook in yaml.safe_load(file.read_text())["repos"][0]["hooks"]}
    assert used <= {hook["id"] for hook in yaml.safe_load(MANIFEST.read_text())}


@pytest.mark.parametrize(
    ("hook", "shown"),
    [
        ("shapecheck-fix", "files were modified by this hook"),
        ("shapecheck-fix-check", "head.py:5:1: warning: "),
        ("shapecheck-check", "head.py:12:16: error: "),
    ],
)
def test_a_hook_fails_until_the_commit_is_as_it_should_be(hook: str, shown: str, repository: Path) -> None:
    done = pre_commit(repository, "run", hook)
    assert done.returncode == 1
    assert shown in done.stdout
    (repository / "head.py").write_text(GOOD)
    for one in ("shapecheck-fix", hook):
        subprocess.run(["git", "add", "head.py"], cwd=repository, check=True)
        done = pre_commit(repository, "run", one)
    assert "Passed" in done.stdout, done.stdout


def test_the_check_sees_the_caller_of_a_file_of_the_commit(repository: Path) -> None:
    (repository / "head.py").write_text(GOOD)
    (repository / "train.py").write_text("import torch\nfrom head import Head\n\nHead()(torch.zeros(8, 32))\n")
    subprocess.run(["git", "add", "."], cwd=repository, check=True)
    done = pre_commit(repository, "run", "shapecheck-check", "--files", "head.py")
    assert "train.py:4:1: note: when called here" in done.stdout


def test_a_commit_without_python_runs_nothing(repository: Path) -> None:
    done = pre_commit(repository, "run", "--files", "notes.txt")
    assert done.returncode == 0
    assert done.stdout.count("no files to check") == 3
