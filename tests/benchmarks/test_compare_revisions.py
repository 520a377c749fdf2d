"""Comparing revisions: a tiny repository whose `check` reports each line that holds a word, in real processes."""

from __future__ import annotations

import json
import os
import subprocess
import zipfile
from pathlib import Path

import pytest

from benchmarks import measure
from benchmarks.compare_revisions.__main__ import main
from benchmarks.compare_revisions.packages import PINS, Package, fetched, pinned

CHECK = """\
import json, pathlib, sys

root, report = pathlib.Path(sys.argv[-1]), pathlib.Path(sys.argv[sys.argv.index("--output") + 1])
files = sorted(root.rglob("*.py"))
found = [
    {{"path": str(path), "line": number, "column": 1, "code": "bad", "message": line, "notes": [{note!r}]}}
    for path in files
    for number, line in enumerate(path.read_text().splitlines(), 1)
    if {word!r} in line
]
stats = {{
    "expressions": {{"seen": 5, "sizes known": 4}}, "forwards": {{"seen": 3, "run": 2}}, "operators": {{"asked": 1}},
}}
document = {{"diagnostics": found, "summary": {{"files": {{"seen": len(files)}}}}}}
report.write_text(json.dumps(document | ({{"stats": stats}} if "--stats" in sys.argv else {{}})))
"""
PROGRAMS = {
    "tests/cases/001/bug.py": "one\ntwo\n",
    "tests/cases/test_cases.py": "one\ntwo\n",
    "examples/gpt.py": "one\n",
}
MAIN = "shapecheck/__main__.py"


def git(repository: Path, *arguments: str) -> str:
    identity = {
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@b",
    }
    command = ["git", "-C", str(repository), *arguments]
    return subprocess.run(
        command, env={**os.environ, **identity}, check=True, stdout=subprocess.PIPE, text=True
    ).stdout.strip()


def write(repository: Path, word: str, note: str = "") -> None:
    (repository / MAIN).write_text(CHECK.format(word=word, note=note))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two commits, `first` and `second`, which report lines with other words."""
    folder = tmp_path / "repository"
    for name, text in {**PROGRAMS, MAIN: "", "shapecheck/__init__.py": ""}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    git(tmp_path, "init", "--quiet", str(folder))
    for tag, word in (("first", "one"), ("second", "two")):
        write(folder, word)
        git(folder, "add", ".")
        git(folder, "commit", "--quiet", "-m", tag)
        git(folder, "tag", tag)
    return folder


def differences(output: str) -> list[str]:
    return [line.strip() for line in output.splitlines() if line.startswith("  ")]


def test_the_working_tree_is_compared_unless_a_revision_is_named(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(repository, "one")
    assert main(["first"], repository) == 0
    assert capsys.readouterr().out.endswith("identical\n")
    assert main(["second"], repository) == 1


def test_each_finding_of_one_side_is_printed(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["first", "second"], repository) == 1
    output = capsys.readouterr().out
    assert differences(output) == [
        "- tests/cases/001/bug.py:1:1 bad one",
        "+ tests/cases/001/bug.py:2:1 bad two",
        "- examples/gpt.py:1:1 bad one",
    ]
    assert output.startswith("cases: 1 files, 1 and 1 findings: 1 added, 1 removed (")
    assert output.endswith("different: cases, examples\n")


def test_the_worktrees_are_removed(repository: Path) -> None:
    main(["first", "second"], repository)
    assert len(git(repository, "worktree", "list").splitlines()) == 1


def test_both_sides_check_the_programs_of_the_working_tree(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "examples" / "new.py").write_text("one\n")
    assert main(["first", "first", "--only", "examples"], repository) == 0
    assert "2 files, 2 and 2 findings" in capsys.readouterr().out


def test_a_difference_outside_the_message_is_one_too(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(repository, "one", note="because")
    assert main(["first", "--only", "examples"], repository) == 1
    assert differences(capsys.readouterr().out) == [
        "- examples/gpt.py:1:1 bad one",
        "{'notes': ['']}",
        "+ examples/gpt.py:1:1 bad one",
        "{'notes': ['because']}",
    ]


def test_stats_of_both_sides(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["first", "second", "--stats", "--only", "examples"], repository) == 1
    told = "4 of 5 expressions with known sizes, 2 of 3 forwards run, 1 operators"
    assert differences(capsys.readouterr().out)[1:] == [f"base: {told}", f"head: {told}"]


def test_results_of_commits_are_reused(repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["first", "--only", "examples", "--results", str(tmp_path / "results")]
    assert main(arguments, repository) == 1
    (file,) = (tmp_path / "results").iterdir()
    kept = json.loads(file.read_text())
    file.write_text(json.dumps({**kept, "diagnostics": []}))
    assert main(arguments, repository) == 0, "what the file holds is believed, and the working tree is checked anew"
    assert "reused" in capsys.readouterr().out
    (repository / "examples" / "new.py").write_text("one\n")
    assert main(arguments, repository) == 1, "other sources have other results"


def test_a_package_of_the_folder_is_checked_as_it_is(
    repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pins = tmp_path / "pins.txt"
    pins.write_text("# a comment\nsmall-package==1.2  # another\n")
    module = tmp_path / "packages" / "small-package-1.2" / "small_package"
    module.mkdir(parents=True)
    (module / "model.py").write_text("one\n")
    arguments = ["first", "second", "--only", "small-package", "--packages", str(tmp_path / "packages")]
    assert main(arguments, repository, pins) == 1
    assert differences(capsys.readouterr().out) == ["- small_package/model.py:1:1 bad one"]


def test_a_package_is_downloaded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    info = "small_package-1.2.dist-info"
    with zipfile.ZipFile(wheels / "small_package-1.2-py3-none-any.whl", "w") as wheel:
        wheel.writestr("small_package/__init__.py", "one\n")
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: small-package\nVersion: 1.2\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    package = Package("small-package", "1.2")
    folder = tmp_path / "packages"
    assert (fetched(package, folder) / "small_package" / "__init__.py").read_text() == "one\n"
    (wheels / "small_package-1.2-py3-none-any.whl").unlink()
    assert fetched(package, folder) == folder / "small-package-1.2"


def test_what_cannot_be_compared_is_said(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["third"], repository) == 2
    assert "third is neither a revision nor a directory" in capsys.readouterr().err
    (repository / MAIN).write_text("raise SystemExit('it does not start')\n")
    assert main(["first"], repository) == 2
    assert "it does not start" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["first", "--only", "timm"], repository)


def test_every_package_is_pinned(tmp_path: Path) -> None:
    assert {one.name for one in pinned(PINS)} >= {"timm", "torchvision", "vit-pytorch", "x-transformers", "kornia"}
    (tmp_path / "pins.txt").write_text("timm>=1.0\n")
    with pytest.raises(ValueError, match="does not pin a version"):
        pinned(tmp_path / "pins.txt")


def test_the_real_command_reports_to_it(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repository / "examples" / "gpt.py").write_text("import torch\n\ntorch.zeros(3) + torch.zeros(4)\n")
    assert main([str(measure.ROOT), "second", "--only", "examples"], repository) == 1
    (line,) = differences(capsys.readouterr().out)
    assert line.startswith("- examples/gpt.py:3:1 shape-mismatch add: cannot broadcast (3,) and (4,)")
