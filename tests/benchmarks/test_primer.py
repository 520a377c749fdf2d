"""The primer on a tiny package: what it prints, and when it fails. `check` is that of a tiny repository."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import measure
from benchmarks.primer.__main__ import main
from tests.benchmarks.package_index import served
from tests.benchmarks.tiny_repository import MAIN, create, git, write

PINS = """\
[[archive]]
name = "tiny"
version = "1.2"
field = "vision"
file = "tiny-1.2.tar.gz"
sha256 = "{0}"
quick = true

[[archive]]
name = "other"
version = "3"
field = "audio"
file = "other-3.tar.gz"
sha256 = "{0}"
""".format("0" * 64)
SOURCE = "\n".join(["one", "fine", "two", "one internal-error", ""])
"""The first revision reports lines 1 and 4, the second line 3."""
VERDICT = """
[[finding]]
package = "tiny"
version = "1.2"
path = "tiny/model.py"
line = {}
code = "bad"
verdict = "{}"
reason = "because"
"""
Run = Callable[..., int]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return create(tmp_path / "repository")


@pytest.fixture
def run(repository: Path, tmp_path: Path) -> Run:
    """The command on the package `tiny`, which is there, with verdicts of (line, verdict)."""
    (tmp_path / "pins.toml").write_text(PINS)
    source = tmp_path / "packages" / "tiny-1.2-00000000" / "tiny"
    source.mkdir(parents=True)
    (source / "model.py").write_text(SOURCE)

    def run(*arguments: str, verdicts: list[tuple[int, str]] | None = None, only: str = "tiny") -> int:
        judged = tmp_path / "judged.toml"
        if verdicts is not None or not judged.exists():
            judged.write_text("".join(VERDICT.format(*one) for one in verdicts or []))
        chosen = ["--only", only] if only else []
        argv = [str(tmp_path / "packages"), *arguments, *chosen]
        return main(argv, repository, tmp_path / "pins.toml", judged)

    return run


def words(output: str, start: str) -> list[str]:
    return [line for line in output.splitlines() if line.startswith(start)]


def test_an_unjudged_finding_fails_and_its_entry_is_printed(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(verdicts=[]) == 1
    output = capsys.readouterr().out
    assert words(output, "unjudged") == ["unjudged: tiny 1.2 tiny/model.py:3:1 bad two"]
    assert output.endswith(VERDICT.format(3, "").replace('"because"', '""').lstrip())


def test_a_row_has_the_figures_of_a_package(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    run()
    (row,) = words(capsys.readouterr().out, "tiny")
    seconds = row.split()[4]
    assert row.split() == ["tiny", "1.2", "1", "4", seconds, "1", "0", "1", "100.0", "80.0"]


def test_entries_alone_go_to_standard_output(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--judge", verdicts=[]) == 1
    entry = capsys.readouterr().out
    assert entry.startswith("# tiny/model.py:3:1 two\n[[finding]]\n")
    filled = entry.replace('verdict = ""', 'verdict = "true"').replace('reason = ""', 'reason = "because"')
    (tmp_path / "judged.toml").write_text(filled)
    assert run("--judge") == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("verdicts", "status", "expected"),
    [
        ([(3, "true")], 0, []),
        ([(3, "pedantic")], 0, []),
        ([(3, "false")], 1, ["false: tiny 1.2 tiny/model.py:3:1 bad two (because)"]),
        ([(3, "true"), (1, "true")], 0, ["LOST, a true finding: tiny 1.2 tiny/model.py:1 bad (because)"]),
        ([(3, "true"), (1, "false")], 0, ["disappeared, a false finding: tiny 1.2 tiny/model.py:1 bad (because)"]),
    ],
)
def test_verdicts_decide(
    run: Run, capsys: pytest.CaptureFixture[str], verdicts: list[tuple[int, str]], status: int, expected: list[str]
) -> None:
    assert run(verdicts=verdicts) == status
    output = capsys.readouterr().out
    assert [line for line in output.splitlines() if line.startswith(("false", "LOST", "disappeared"))] == expected
    assert "cut short: tiny 1.2 tiny/model.py" in output


def test_an_internal_error_fails(run: Run, repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(repository, "one")
    assert run(verdicts=[(1, "true")]) == 1
    output = capsys.readouterr().out
    assert words(output, "internal error") == [
        "internal error: tiny 1.2 tiny/model.py:4:1 internal-error one internal-error"
    ]
    assert "unjudged:" not in output


def test_what_a_change_adds_and_removes(run: Run, repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(repository, "fine")
    assert run("--against", "second", verdicts=[(2, "pedantic"), (3, "true")]) == 0
    output = capsys.readouterr().out
    assert [line.strip() for line in output.splitlines() if line.startswith(("  -", "  +"))] == [
        "- tiny/model.py:3:1 bad two (true)",
        "+ tiny/model.py:2:1 bad fine (pedantic)",
    ]
    assert output.endswith("different from second: tiny\n")
    assert len(git(repository, "worktree", "list").splitlines()) == 1


def test_a_change_that_changes_nothing(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--against", "second", verdicts=[(3, "true")]) == 0
    assert capsys.readouterr().out.endswith("identical to second\n")


def test_results_of_commits_are_reused(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--against", "first", "--results", str(tmp_path / "results")]
    run(*arguments)
    first = capsys.readouterr().out
    run(*arguments)
    second = capsys.readouterr().out
    assert len([*(tmp_path / "results").iterdir()]) == 1
    assert ["reused" in "".join(words(one, "tiny: ")) for one in (first, second)] == [False, True]


def test_figures_findings_and_verdicts_as_json(run: Run, tmp_path: Path) -> None:
    run("--json", str(tmp_path / "out.json"), verdicts=[(3, "true"), (1, "false")])
    (package,) = json.loads((tmp_path / "out.json").read_text())
    assert (package["package"], package["version"], package["files"], package["lines"]) == ("tiny", "1.2", 1, 4)
    assert [(one["line"], one["verdict"], one["reason"]) for one in package["findings"]] == [(3, "true", "because")]
    assert [(one["line"], one["verdict"]) for one in package["disappeared"]] == [(1, "false")]
    assert package["cut short"] == ["tiny/model.py"]


def test_the_quick_set(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--quick", only="", verdicts=[(3, "true")]) == 0
    assert "Checked 1 package, 4 lines" in capsys.readouterr().out


def test_the_list(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--list", only="") == 0
    rows = capsys.readouterr().out.splitlines()[2:]
    assert [row.split() for row in rows] == [
        ["other", "3", "sdist", "audio"],
        ["tiny", "1.2", "sdist", "vision", "quick"],
    ]


def test_a_package_that_cannot_be_fetched_does_not_end_the_run(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with served() as index:
        monkeypatch.setenv("PIP_INDEX_URL", index.url)
        index.add("other", {"other-3.tar.gz": b""})
        assert run(only="", verdicts=[(3, "true")]) == 2
    wrong = capsys.readouterr()
    assert words(wrong.out, "tiny"), "what is there is checked"
    assert wrong.err.startswith("not checked: other 3: expected other-3.tar.gz with sha256")
    assert run(only="", verdicts=[(3, "true")]) == 3, "nothing answers at that address any more"
    assert capsys.readouterr().err.endswith("repeat later, or name a mirror with PIP_INDEX_URL\n")
    assert run(only="", verdicts=[]) == 1, "a finding that was seen is worse than a package that was not"


def test_what_cannot_be_run(run: Run, repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--against", "third") == 2
    assert "third is neither a revision nor a directory" in capsys.readouterr().err
    assert run(verdicts=[(3, "perhaps")]) == 2
    assert capsys.readouterr().err.startswith("judged.toml: Invalid enum value 'perhaps'")
    (repository / MAIN).write_text("raise SystemExit('it does not start')\n")
    assert run(verdicts=[]) == 2
    assert "it does not start" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [["--only", "absent"], ["--only", "tiny", "--quick"], ["--jobs", "0"], [str(measure.ROOT / "packages")]],
)
def test_options_that_are_refused(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "pins.toml").write_text(PINS)
    with pytest.raises(SystemExit, match="2"):
        main(arguments, pins=tmp_path / "pins.toml")


def test_the_real_command_is_judged(tmp_path: Path, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "packages" / "tiny-1.2-00000000" / "tiny" / "model.py"
    source.write_text("import torch\n\ntorch.zeros(3) + torch.zeros(4)\n")
    judged, pins = tmp_path / "judged.toml", tmp_path / "pins.toml"
    judged.write_text(VERDICT.format(3, "true").replace('"bad"', '"shape-mismatch"'))
    assert main([str(tmp_path / "packages"), "--only", "tiny"], pins=pins, judged=judged) == 0
    (row,) = words(capsys.readouterr().out, "tiny")
    assert row.split()[-5:] == ["1", "0", "0", "-", "-"]
