"""Packages drawn at random from an index on this machine: which ones, and what is counted of their findings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.primer.packages import pinned
from benchmarks.unseen.__main__ import main, rate
from benchmarks.unseen.drawing import drawn, project_names
from tests.benchmarks.package_index import Index, sdist, served, wheel
from tests.benchmarks.tiny_repository import create

SOURCE = {"model.py": "one\nfine\ntwo\n"}
"""The second revision of the tiny repository reports the last line."""
VERDICT = """
[[finding]]
package = "{}"
version = "1.0"
path = "model.py"
line = 3
code = "bad"
verdict = "{}"
reason = "because"
"""


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    with served() as running:
        monkeypatch.setenv("PIP_INDEX_URL", running.url)
        yield running


def add(index: Index, *names: str) -> None:
    for name in names:
        index.add(name, {f"{name.replace('-', '_')}-1.0-py3-none-any.whl": wheel(SOURCE)})


@pytest.mark.parametrize("html", [False, True])
def test_names_are_those_of_the_index_that_mention_torch(index: Index, html: bool) -> None:
    index.list_projects(["numbers", "torch-b", "aPyTorch"], html=html)
    assert project_names(None) == ["aPyTorch", "torch-b"]


def test_names_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "names").write_text("b\n\n a \nb\n")
    assert project_names(tmp_path / "names") == ["a", "b"]


def test_a_seed_draws_the_same_packages_and_another_one_others(index: Index) -> None:
    names = [f"torch-{one}" for one in "abcdefgh"]
    add(index, *names)
    first = [one.name for one in drawn(names, (), 0, 4)]
    assert first == [one.name for one in drawn(names, (), 0, 4)]
    assert {*first, *(one.name for one in drawn(names, (), 1, 4))} > {*first}
    assert len({*first}) == 4


def test_known_packages_and_those_without_files_are_not_drawn(index: Index) -> None:
    add(index, "torch-a", "torch-b")
    index.add("torch-empty", {})
    index.add("torch-old", {"torch-old-1.0.exe": b""})
    names = ["torch-a", "torch-b", "torch-empty", "torch-old", "torch-gone"]
    assert [one.name for one in drawn(names, ["Torch_B"], 0, 9)] == ["torch-a"]


@pytest.mark.parametrize("html", [False, True])
def test_the_newest_release_is_pinned_as_a_wheel_if_there_is_one(index: Index, html: bool) -> None:
    files = [
        "torch_a-1.9-py3-none-any.whl",
        "torch_a-1.10.tar.gz",
        "torch_a-1.10-py3-none-any.whl",
        "torch_a-2.0rc1.tar.gz",
    ]
    index.add("torch-a", dict.fromkeys(files, b"content"), html=html)
    (found,) = drawn(["torch-a"], (), 0, 1)
    assert (found.version, found.file) == ("1.10", "torch_a-1.10-py3-none-any.whl")


def test_draws_checks_and_counts_false_positives(
    index: Index, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repository, folder = create(tmp_path / "repository"), tmp_path / "unseen"
    index.list_projects(["torch-a", "torch-b", "timm"])
    add(index, "torch-a")
    index.add("torch-b", {"torch_b-1.0.tar.gz": sdist({"torch_b-1.0/model.py": "one\nfine\ntwo\n"})})
    assert main([str(folder)], repository) == 1
    assert (
        "Warnings and errors: 2, no false positive in 6 lines (goal: 500,000); 2 are not judged"
        in capsys.readouterr().out
    )
    assert {one.name for one in pinned(folder / "packages.toml")} == {"torch-a", "torch-b"}

    index.pages.clear()  # what was drawn stays
    (folder / "judged.toml").write_text(VERDICT.format("torch-a", "true") + VERDICT.format("torch-b", "false"))
    assert main([str(folder)], repository) == 1
    assert "Warnings and errors: 2, one false positive in 6 lines (goal: 500,000)\n" in capsys.readouterr().out


def test_notes_are_not_counted() -> None:
    findings = [{"severity": severity, "verdict": "false"} for severity in ("note", "warning")]
    assert rate([{"lines": 1_000, "findings": findings}]).startswith(
        "Warnings and errors: 1, one false positive in 1,000"
    )


def test_an_index_that_does_not_answer_leaves_no_list(
    index: Index, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    index.list_projects(["torch-a"])
    index.status = 503
    assert main([str(tmp_path / "unseen")]) == 3
    assert capsys.readouterr().err == "cannot reach 127.0.0.1: status 503\n"
    assert not (tmp_path / "unseen").exists()
