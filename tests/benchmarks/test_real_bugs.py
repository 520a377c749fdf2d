"""The real bugs on a tiny public repository: what is found, missed and false. `check` is that of a tiny repository."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from benchmarks import measure
from benchmarks.primer import repositories
from benchmarks.real_bugs.__main__ import main
from benchmarks.real_bugs.bugs import BUGS, listed
from tests.benchmarks.tiny_repository import create, git

Run = Callable[..., int]
ENTRY = """
[[bug]]
name = "{name}"
repository = "{repository}"
parent = "{parent}"
fix = "{fix}"
path = "{path}"
lines = {lines}
kind = "axis"
symptom = "silent"
what = "because"
"""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """The command on one file with one line a word, before and after its fix; `check` reports each `two`."""
    shapecheck = create(tmp_path / "shapecheck")
    public = tmp_path / "public"
    public.mkdir()
    git(public, "init", "--quiet")

    def commit(text: str) -> str:
        (public / "pkg").mkdir(exist_ok=True)
        (public / "pkg" / "model.py").write_text(text)
        git(public, "add", ".")
        git(public, "commit", "--quiet", "--allow-empty", "-m", "text")
        return git(public, "rev-parse", "HEAD")

    def run(before: str, after: str, *arguments: str, lines: tuple[int, ...] = (2,), **fields: str) -> int:
        commits = {"parent": commit("\n".join(before.split(","))), "fix": commit("\n".join(after.split(",")))}
        entry = {"name": "tiny-bug", "repository": str(public), "path": "pkg/model.py", **commits, **fields}
        file = tmp_path / "bugs.toml"
        file.write_text(ENTRY.format(lines=[*lines], **entry))
        return main([str(tmp_path / "sources"), *arguments], shapecheck, file)

    return run


@pytest.mark.parametrize(
    ("before", "after", "status", "said"),
    [
        ("one,two,one", "one,fine,one", 0, ["found", "Found 1 of 1 bugs"]),
        ("one,wrong,one", "one,fine,one", 0, ["missed", "Found 0 of 1 bugs"]),
        ("two,wrong,one", "two,fine,one", 0, ["missed", "Found 0 of 1 bugs"]),
        ("one,two note,one", "one,fine,one", 0, ["missed", "Found 0 of 1 bugs"]),
        ("one,two,one", "added,one,two,one", 1, ["FALSE", "Found 0 of 1 bugs"]),
        ("one,wrong,one", "one,two,one", 1, ["FALSE", "Found 0 of 1 bugs"]),
        ("one,two internal-error,one", "one,fine,one", 1, ["missed", "internal errors: 1"]),
    ],
    ids=["found", "missed", "another line", "only a note", "not about the bug", "only after the fix", "internal error"],
)
def test_findings_on_both_sides_decide(
    run: Run, capsys: pytest.CaptureFixture[str], before: str, after: str, status: int, said: list[str]
) -> None:
    assert run(before, after) == status
    output = capsys.readouterr().out
    assert output.startswith(said[0])
    assert said[1] in output


def test_any_accepted_line_will_do(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("one,wrong,two", "one,fine,one", lines=(2, 3)) == 0
    assert "Found 1 of 1 bugs" in capsys.readouterr().out


def test_the_whole_directory_can_be_checked(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("one,two,one", "one,fine,one", "--package") == 0
    assert "        before: pkg/model.py:2:1 bad two\n" in capsys.readouterr().out


def test_bugs_and_findings_as_json(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    assert run("two,two,one", "two,fine,one", "--json", str(file)) == 0
    (one,) = json.loads(file.read_text())
    assert (one["name"], one["found"], one["after"]) == ("tiny-bug", True, [])
    assert [each["line"] for each in (*one["before"], *one["elsewhere"])] == [2, 1]


@pytest.mark.parametrize(
    ("fields", "status", "said"),
    [
        ({"path": "pkg/absent.py"}, 2, "not checked: tiny-bug: public-"),
        ({"fix": "0" * 40}, 2, "correct its entry in real_bugs.toml"),
    ],
)
def test_an_entry_that_is_wrong(
    run: Run, capsys: pytest.CaptureFixture[str], fields: dict[str, str], status: int, said: str
) -> None:
    assert run("one,two", "one,fine", **fields) == status
    assert said in capsys.readouterr().err


def test_a_line_that_the_file_does_not_have(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("one,two", "one,fine", lines=(3,)) == 2
    assert "pkg/model.py has 2 lines" in capsys.readouterr().err


def test_a_repository_that_cannot_be_reached(
    run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable(repository: str, commit: str, scratch: Path) -> Path:
        raise repositories.Unreachable("git: could not resolve host")

    monkeypatch.setattr(repositories, "archive", unreachable)
    assert run("one,two", "one,fine") == 3
    assert "repeat later, or name a mirror" in capsys.readouterr().err


def test_the_bugs_can_be_listed_and_chosen(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("one,two", "one,fine", "--list", "--only", "tiny-bug") == 0
    assert capsys.readouterr().out.splitlines()[-1].split()[0] == "tiny-bug"


@pytest.mark.parametrize("arguments", [["--only", "absent"], ["--jobs", "0"], [str(measure.ROOT / "sources")]])
def test_wrong_options(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    assert "error:" in capsys.readouterr().err


def test_a_name_cannot_be_used_twice(tmp_path: Path) -> None:
    fields = {"name": "a", "repository": "r", "parent": "0" * 40, "fix": "1" * 40, "path": "p", "lines": [1]}
    file = tmp_path / "bugs.toml"
    file.write_text(ENTRY.format(**fields) * 2)
    with pytest.raises(ValueError, match="listed twice: a"):
        listed(file)


@pytest.mark.parametrize(("field", "value"), [("lines", []), ("lines", [0]), ("parent", "abc"), ("name", "A b")])
def test_an_entry_is_complete(tmp_path: Path, field: str, value: object) -> None:
    fields = {"name": "a", "repository": "r", "parent": "0" * 40, "fix": "1" * 40, "path": "p", "lines": [1]}
    file = tmp_path / "bugs.toml"
    file.write_text(ENTRY.format(**{**fields, field: value}))
    with pytest.raises(msgspec.ValidationError):
        listed(file)


def test_the_committed_list() -> None:
    bugs = listed(BUGS)
    assert len(bugs) >= 40
    assert all(one.parent != one.fix and one.repository.startswith("https://github.com/") for one in bugs)
