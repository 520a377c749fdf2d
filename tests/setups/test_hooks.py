"""The hooks of .pre-commit-hooks.yaml, run by pre-commit itself in a repository made for them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from shapecheck.cli._init.templates import HOOK
from tests.patience import PATIENCE

from .composite_action import offline
from .conftest import GOOD, MESSAGE, ROOT

pytest.importorskip("pre_commit")
yaml = pytest.importorskip("yaml")
IDENTITY = ["-c", "user.name=a", "-c", "user.email=a@b"]
MANIFEST = ROOT / ".pre-commit-hooks.yaml"


def pre_commit(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PRE_COMMIT_HOME": str(folder.parent / "home"), "PYTHONPATH": str(ROOT), **variables}
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


def test_the_configurations_on_the_page_are_valid_and_name_our_hooks(tmp_path: Path) -> None:
    page = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```yaml\n(# \.pre-commit-config\.yaml\n.*?)```", page, re.DOTALL)
    assert (ROOT / "docs/ci/pre-commit.yaml").read_text() in blocks
    for number, block in enumerate(blocks):
        file = tmp_path / f"{number}.yaml"
        file.write_text(block)
        assert pre_commit(ROOT, "validate-config", str(file)).returncode == 0, block
    ids = {hook["id"] for block in blocks for one in yaml.safe_load(block)["repos"] for hook in one["hooks"]}
    assert ids <= {hook["id"] for hook in yaml.safe_load(MANIFEST.read_text())}


def test_the_hook_of_init_is_that_of_the_manifest() -> None:
    [repository] = yaml.safe_load(HOOK)
    [hook] = repository["hooks"]
    assert hook.pop("additional_dependencies") == ["torch-shapecheck"]
    [ours] = [one for one in yaml.safe_load(MANIFEST.read_text()) if one["id"] == hook["id"]]
    assert hook.items() <= ours.items()
    assert set(ours) - set(hook) == {"description", "minimum_pre_commit_version"}


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


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with our files, as a user names it in `repo:`."""
    folder = tmp_path_factory.mktemp("published") / "shapecheck"
    names = ("shapecheck", "docs/codes", "README.md", "LICENSE", "pyproject.toml", MANIFEST.name)
    for name in names:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        copy(ROOT / name, folder / name)
    for command in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "-m", "release"]):
        subprocess.run(["git", *IDENTITY, *command], cwd=folder, check=True, capture_output=True)
    return folder


def test_the_hooks_are_installed_from_the_repository(published: Path, project: Path) -> None:
    """In an environment of their own, with the cache and the baseline of the project."""
    pytest.importorskip("hatchling")
    subprocess.run(["git", "init", "--quiet"], cwd=project, check=True)
    check = {"id": "shapecheck-check", "args": ["--output", "shapecheck.sarif"]}
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=published, check=True, capture_output=True, text=True)
    repository = {"repo": str(published), "rev": head.stdout.strip(), "hooks": [{"id": "shapecheck-fix"}, check]}
    (project / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [repository]}))
    (project / ".gitignore").write_text(".shapecheck_cache\nshapecheck.sarif\n")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        subprocess.run(["git", "add", "--all"], cwd=project, check=True)
        return pre_commit(project, *arguments, **offline())

    assert run("install").returncode == 0
    done = run("run")
    assert done.returncode == 1
    assert "files were modified by this hook" in done.stdout, done.stdout
    assert MESSAGE in done.stdout
    assert "def __call__" in (project / "head.py").read_text()
    assert len(json.loads((project / "shapecheck.sarif").read_text())["runs"][0]["results"]) == 1
    assert (project / ".shapecheck_cache").is_dir()
    [environment] = (project.parent / "home").glob("repo*/py_env-*")
    program = next(environment.glob("*/shapecheck"))
    known = [str(program), "check", "--quiet", "--baseline", "known.json", "--write-baseline"]
    subprocess.run(known, cwd=project, check=True, env={**os.environ, **offline()})
    with (project / "pyproject.toml").open("a") as file:
        file.write('[tool.shapecheck.check]\nbaseline = "known.json"\n')
    done = run("run", "--all-files")
    assert done.returncode == 0, done.stdout
    commit = ["git", *IDENTITY, "commit", "--quiet", "-m", "change"]
    environment_of_git = {**os.environ, **offline(), "PRE_COMMIT_HOME": str(project.parent / "home")}
    committed = subprocess.run(commit, cwd=project, env=environment_of_git, capture_output=True, text=True, check=False)
    assert committed.returncode == 0, committed.stderr
    assert "Passed" in committed.stderr, "git ran the hooks"


def test_hooks_can_be_tried_before_they_are_configured(published: Path, project: Path) -> None:
    """All in one run, which installs them once: each prints its part."""
    pytest.importorskip("hatchling")
    for command in (["init", "--quiet"], ["add", "--all"]):
        subprocess.run(["git", *command], cwd=project, check=True)
    done = pre_commit(project, "try-repo", str(published), **offline())
    assert done.returncode == 1
    _, *parts = re.split(r"^- hook id: ", done.stdout, flags=re.MULTILINE)
    said = {hook: text for hook, _, text in (part.partition("\n") for part in parts)}
    assert "files were modified" in said["shapecheck-fix"], done.stdout
    assert MESSAGE in said["shapecheck-check"], done.stdout
