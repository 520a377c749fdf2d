"""Comparing revisions: a tiny repository in real processes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import measure
from benchmarks.compare_revisions import main
from tests.benchmarks.tiny_repository import MAIN, create, git, write


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return create(tmp_path / "repository")


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
        "{'notes': [''], 'severity': 'error'}",
        "+ examples/gpt.py:1:1 bad one",
        "{'notes': ['because'], 'severity': 'error'}",
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


def test_what_cannot_be_compared_is_said(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["third"], repository) == 2
    assert "third is neither a revision nor a directory" in capsys.readouterr().err
    (repository / MAIN).write_text("raise SystemExit('it does not start')\n")
    assert main(["first"], repository) == 2
    assert "it does not start" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["first", "--only", "timm"], repository)


def test_the_real_command_reports_to_it(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repository / "examples" / "gpt.py").write_text("import torch\n\ntorch.zeros(3) + torch.zeros(4)\n")
    assert main([str(measure.ROOT), "second", "--only", "examples"], repository) == 1
    (line,) = differences(capsys.readouterr().out)
    assert line.startswith("- examples/gpt.py:3:1 shape-mismatch add: cannot broadcast (3,) and (4,)")
