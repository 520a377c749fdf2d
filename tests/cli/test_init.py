"""`shapecheck init`: what it adds to a project, and that it keeps everything else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from shapecheck.cli import main
from shapecheck.cli._init import ini_edits, plan, toml_edits, yaml_edits
from shapecheck.cli._init.templates import GITHUB, GITLAB, HOOK
from shapecheck.config.load import load_config, parse_toml

WORKFLOW = ".github/workflows/shapecheck.yml"
TOML = """\
# The project.
[project]
name = "x"   # its name

[tool.mypy]   # strict
strict = true

[[tool.mypy.overrides]]
module = "y"
ignore_missing_imports = true
"""
ENDLESS = "[tool.mypy]\nstrict = true"
"""Without a line end."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root of a repository with a package, and mypy installed."""
    folder = tmp_path / "project"
    for name in (".git", "pkg", "tests"):
        (folder / name).mkdir(parents=True)
    for name in ("pkg", "tests"):
        (folder / name / "__init__.py").write_text("")
    monkeypatch.setattr(plan, "find_spec", lambda name: object() if name == "mypy" else None)
    return folder


def init(folder: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["init", *options, str(folder)])


def contents(folder: Path) -> dict[str, bytes]:
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


def test_an_empty_project_gets_everything(project: Path) -> None:
    result = init(project)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "pyproject.toml: added [tool.shapecheck] and the mypy plugin",
        ".pre-commit-config.yaml: added a hook",
        f"{WORKFLOW}: added a job",
    ]
    tool = parse_toml((project / "pyproject.toml").read_text())["tool"]
    assert tool == {"shapecheck": {"paths": ["pkg"]}, "mypy": {"plugins": ["shapecheck.mypy"]}}
    assert load_config(project).paths == ("pkg",)
    assert (project / WORKFLOW).read_text() == GITHUB


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"pyproject.toml": TOML},
        {"pyproject.toml": ENDLESS, ".gitlab-ci.yml": "build:\n  script: make\n"},
        {"mypy.ini": "[mypy]\nstrict = True\n", ".pre-commit-config.yaml": "repos:\n- repo: meta\n  hooks: []\n"},
        {"setup.cfg": "[mypy]\nplugins =\n    pydantic.mypy\n"},
    ],
)
def test_a_second_run_changes_nothing(project: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (project / name).write_text(text)
    assert init(project).exit_code == 0
    before = contents(project)
    assert init(project).stdout == "Nothing to add\n"
    assert contents(project) == before
    assert init(project, "--diff").output == ""


def test_the_diff_is_what_is_written(project: Path, tmp_path: Path) -> None:
    (project / "pyproject.toml").write_text(TOML)
    (project / ".pre-commit-config.yaml").write_text("repos:\n  - repo: meta\n    hooks: []")  # no line end
    before = contents(project)
    shown = init(project, "--diff")
    assert (shown.exit_code, contents(project)) == (1, before)
    patch = tmp_path / "init.patch"
    patch.write_text(shown.stdout)
    subprocess.run(["git", "apply", "-p0", str(patch)], cwd=project, check=True, env={**os.environ, "GIT_DIR": "none"})
    patched = contents(project)
    for name, content in before.items():
        (project / name).write_bytes(content)
    (project / WORKFLOW).unlink()
    assert init(project).exit_code == 0
    assert contents(project) == patched


def test_parts_can_be_left_out(project: Path) -> None:
    init(project, "--without", "mypy", "--without", "pre-commit", "--without", "ci")
    assert set(contents(project)) == {"pyproject.toml", "pkg/__init__.py", "tests/__init__.py"}
    assert "mypy" not in (project / "pyproject.toml").read_text()


def test_without_mypy_there_is_no_plugin(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "find_spec", lambda _: None)
    init(project)
    assert "mypy" not in (project / "pyproject.toml").read_text()


@pytest.mark.parametrize(("folder", "paths"), [("src", ["src"]), ("pkg", ["pkg"]), ("more", ["more", "pkg"])])
def test_the_paths_are_those_of_the_code(project: Path, folder: str, paths: list[str]) -> None:
    (project / folder).mkdir(exist_ok=True)
    (project / folder / "__init__.py").write_text("")
    init(project)
    assert parse_toml((project / "pyproject.toml").read_text())["tool"]["shapecheck"]["paths"] == paths


def test_our_table_is_kept(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.shapecheck.check]\nignore = []\n")
    init(project, "--without", "mypy")
    assert (project / "pyproject.toml").read_text() == "[tool.shapecheck.check]\nignore = []\n"


def test_line_ends_and_permissions_are_kept(project: Path) -> None:
    file = project / "pyproject.toml"
    file.write_bytes(TOML.replace("\n", "\r\n").encode())
    file.chmod(0o640)
    init(project)
    assert b"shapecheck" in file.read_bytes()
    assert file.read_bytes().count(b"\n") == file.read_bytes().count(b"\r\n")
    assert os.name == "nt" or file.stat().st_mode & 0o777 == 0o640


def test_the_file_that_mypy_reads_gets_the_plugin(project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.mypy]\nplugins = ["shapecheck.mypy"]\n')
    (project / "mypy.ini").write_text("[mypy]\n")
    init(project)
    assert (project / "mypy.ini").read_text() == "[mypy]\nplugins = shapecheck.mypy\n"


@pytest.mark.parametrize("text", ["[tool", "tool = 1\n[tool.mypy]"])
def test_an_invalid_file_is_a_failure(project: Path, text: str) -> None:
    (project / "pyproject.toml").write_text(text)
    before = contents(project)
    result = init(project)
    assert (result.exit_code, result.stdout, contents(project)) == (2, "", before)
    assert "pyproject.toml: cannot parse: " in result.stderr


def test_what_cannot_be_edited_is_named(project: Path) -> None:
    (project / ".pre-commit-config.yaml").write_text("repos: []\n")
    result = init(project, "--quiet")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "shapecheck: .pre-commit-config.yaml: cannot add a hook to this file; add it by hand\n"
    assert (project / ".pre-commit-config.yaml").read_text() == "repos: []\n"


def test_below_the_root_of_a_repository_there_is_no_hook_and_no_job(project: Path) -> None:
    inner = project / "pkg"
    (inner / "pyproject.toml").write_text("")
    result = init(inner)
    assert result.exit_code == 1
    assert "is not the root of its repository" in result.stderr
    assert set(contents(inner)) == {"__init__.py", "pyproject.toml"}


@pytest.mark.parametrize(
    ("before", "plugins"),
    [
        ("", ["shapecheck.mypy"]),
        (TOML, ["shapecheck.mypy"]),
        (ENDLESS, ["shapecheck.mypy"]),
        ("[tool.mypy]", ["shapecheck.mypy"]),
        ("[ tool . mypy ] # c\nstrict = true\n", ["shapecheck.mypy"]),
        ("[tool.mypy]\nplugins = []\n", ["shapecheck.mypy"]),
        ("[tool.mypy]\nplugins = [\n]\n", ["shapecheck.mypy"]),
        ("[tool.mypy]\nplugins = [\"a\", 'b'] # c\n", ["shapecheck.mypy", "a", "b"]),
        ('[tool.mypy]\nplugins = [\n    "a",  # first\n    "b"\n]\n', ["shapecheck.mypy", "a", "b"]),
        ('[tool.mypy]\nplugins = [ # all\n  "a",\n]\n', ["shapecheck.mypy", "a"]),
        ('[tool.x]\nplugins = ["a"]\n[tool.mypy]\nplugins = ["a"]\n', ["shapecheck.mypy", "a"]),
        ('[tool]\nmypy.plugins = ["a"]\nplugins = ["b"]\n', None),
        ('[tool.mypy]\nplugins = "a, b"\n', "shapecheck.mypy, a, b"),
        ("[tool]\nmypy = {strict = true}\n", None),
    ],
)
def test_the_plugin_in_toml(before: str, plugins: object) -> None:
    after = toml_edits.with_plugin(before)
    if plugins is None:
        assert after is None
        return
    assert after is not None
    old, new = without_plugins(before), without_plugins(after)
    assert parse_toml(after)["tool"]["mypy"]["plugins"] == plugins
    assert old == new
    assert [line for line in comments(before) if line not in comments(after)] == []


def without_plugins(text: str) -> dict[str, Any]:
    document = parse_toml(text)
    document.setdefault("tool", {}).setdefault("mypy", {}).pop("plugins", None)
    return document


def comments(text: str) -> list[str]:
    return [line.partition("#")[2] for line in text.splitlines() if "#" in line]


def test_a_list_with_a_line_for_each_plugin_gets_a_line() -> None:
    after = toml_edits.with_plugin('[tool.mypy]\nplugins = [\n    "a",\n]\n')
    assert after == '[tool.mypy]\nplugins = [\n    "shapecheck.mypy",\n    "a",\n]\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "[mypy]\nplugins = shapecheck.mypy\n"),
        ("[mypy]", "[mypy]\nplugins = shapecheck.mypy\n"),
        ("[mypy]\n# c\nstrict = True\n", "[mypy]\nplugins = shapecheck.mypy\n# c\nstrict = True\n"),
        ("[mypy-a.*]\nx = 1\n", "[mypy-a.*]\nx = 1\n\n[mypy]\nplugins = shapecheck.mypy\n"),
        ("[mypy]\nplugins = a, b\n", "[mypy]\nplugins = shapecheck.mypy, a, b\n"),
        ("[mypy]\nplugins: a\n", "[mypy]\nplugins: shapecheck.mypy, a\n"),
        ("[mypy]\nplugins =\n  a\n  b\n", "[mypy]\nplugins = shapecheck.mypy\n  a\n  b\n"),
        ("[x]\nplugins = c\n[mypy]\nplugins = a\n", "[x]\nplugins = c\n[mypy]\nplugins = shapecheck.mypy, a\n"),
    ],
)
def test_the_plugin_in_ini(before: str, after: str) -> None:
    assert ini_edits.with_plugin(before) == after


HOOKS = [
    "repos:\n  - repo: meta\n    hooks: []\n",
    "repos:\n- repo: meta\n  hooks: []",
    "# top\nrepos: # all\n    -   repo: meta\n        hooks: []\n\n\n",
    "repos:\n  - repo: meta\n    hooks: []\n\n# for CI\nci:\n  skip: [x]\n",
    "ci:\n  skip: [x]\nrepos:\n- repo: meta\n  hooks: []\n",
    "repos:\n  - repo: local\n    hooks:\n      - id: x\n        entry: |\n          a\n          # b\nci: {}\n",
]


@pytest.mark.parametrize("before", HOOKS)
def test_the_hook_is_the_last_item(before: str) -> None:
    yaml = pytest.importorskip("yaml", reason="pre-commit brings it")
    after = yaml_edits.with_hook(before)
    assert after is not None
    old, new = yaml.safe_load(before), yaml.safe_load(after)
    assert new == {**old, "repos": [*old["repos"], *yaml.safe_load(HOOK)]}
    assert [line for line in comments(before) if line not in comments(after)] == []
    assert yaml_edits.with_hook(after) == after


@pytest.mark.parametrize(
    "text", ["repos: []\n", "{repos: [{repo: meta}]}\n", "ci: {}\n", "repos:\n- repo: meta\n---\na: 1\n", "repos:\n"]
)
def test_other_styles_are_not_edited(text: str) -> None:
    assert yaml_edits.with_hook(text) is None


def test_a_hook_of_ours_is_enough() -> None:
    text = "repos:\n- repo: address\n  hooks:\n  - id: shapecheck-check\n"
    assert yaml_edits.with_hook(text) == text


@pytest.mark.parametrize(
    ("before", "is_edited"),
    [
        ("build:\n  script: make\n", True),
        ("---\nbuild:\n  script: make", True),
        ("stages: [build, test]\nbuild:\n  script: make\n", True),
        ("stages:\n  - build\n  - deploy\ntest:\n  stage: build\n  script: make\n", False),
        ("spec:\n  inputs: {}\n---\nbuild:\n  script: make\n", False),
    ],
)
def test_the_job_of_gitlab(before: str, is_edited: bool) -> None:
    yaml = pytest.importorskip("yaml", reason="pre-commit brings it")
    after = yaml_edits.with_job(before)
    assert (after is not None) is is_edited
    if after is not None:
        assert yaml.safe_load(after) == yaml.safe_load(before) | yaml.safe_load(GITLAB)


def test_a_project_with_gitlab_gets_no_workflow(project: Path) -> None:
    (project / ".gitlab-ci.yml").write_text("")
    init(project)
    assert (project / ".gitlab-ci.yml").read_text() == GITLAB
    assert not (project / ".github").exists()


@pytest.mark.parametrize(
    ("schema", "text"), [("github-workflows", GITHUB), ("gitlab-ci", GITLAB)], ids=["github", "gitlab"]
)
def test_the_jobs_are_valid(schema: str, text: str, tmp_path: Path) -> None:
    pytest.importorskip("check_jsonschema")
    file = tmp_path / "ci.yml"
    file.write_text(text)
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_hook_is_valid(tmp_path: Path) -> None:
    pytest.importorskip("pre_commit")
    (tmp_path / "config.yaml").write_text(yaml_edits.with_hook("") or "")
    command = [sys.executable, "-m", "pre_commit", "validate-config", "config.yaml"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
