"""Which verdict belongs to which finding, and what the committed files say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchmarks.primer.entries import entries
from benchmarks.primer.packages import Archive, pinned
from benchmarks.primer.verdicts import Judgement, Verdict, about, judge, load

PACKAGE = Archive(name="timm", version="1.0", field="vision", file="timm-1.0.tar.gz", sha256="0" * 64)


def finding(
    line: int = 1, column: int = 1, code: str = "bad", path: str = "a.py", message: str = "m"
) -> dict[str, Any]:
    return {"path": path, "line": line, "column": column, "code": code, "message": message}


def verdict(verdict: str = "true", line: int = 1, code: str = "bad", path: str = "a.py", **more: Any) -> Verdict:
    data = {"package": "timm", "version": "1.0", "path": path, "line": line, "code": code, "reason": "r", **more}
    return msgspec.convert({**data, "verdict": verdict}, Verdict)


def summary(judgement: Judgement) -> tuple[list[tuple[int, str]], list[int], list[int]]:
    """Columns with their verdicts, columns of unjudged findings, lines of disappeared ones."""
    judged = sorted((one["column"], given.verdict) for one, given in judgement.judged)
    return judged, [one["column"] for one in judgement.unjudged], [one.line for one in judgement.disappeared]


@pytest.mark.parametrize(
    ("findings", "verdicts", "expected"),
    [
        ([], [], ([], [], [])),
        ([finding()], [], ([], [1], [])),
        ([finding()], [verdict()], ([(1, "true")], [], [])),
        ([finding(message="reworded", column=7)], [verdict("false")], ([(7, "false")], [], [])),
        ([], [verdict(line=3)], ([], [], [3])),
        ([finding(line=2)], [verdict(line=3)], ([], [1], [3])),
        ([finding(code="worse")], [verdict()], ([], [1], [1])),
        ([finding(path="b.py")], [verdict()], ([], [1], [1])),
        ([finding(), finding(column=5)], [verdict()], ([(1, "true")], [5], [])),
        ([finding(), finding(column=5)], [verdict(), verdict()], ([(1, "true"), (5, "true")], [], [])),
        ([finding()], [verdict(), verdict()], ([(1, "true")], [], [1])),
        ([finding(), finding(column=5)], [verdict("false", column=5)], ([(5, "false")], [1], [])),
        (
            [finding(), finding(column=5)],
            [verdict("pedantic"), verdict("false", column=1)],
            ([(1, "false"), (5, "pedantic")], [], []),
        ),
        ([finding(column=4)], [verdict(column=5)], ([], [4], [1])),
    ],
)
def test_a_verdict_belongs_to_path_line_and_code(
    findings: list[dict[str, Any]], verdicts: list[Verdict], expected: object
) -> None:
    assert summary(judge(findings, verdicts)) == expected


def test_internal_errors_are_no_findings_to_judge() -> None:
    judgement = judge([finding(code="internal-error")], [verdict(code="internal-error")])
    assert [one["code"] for one in judgement.internal] == ["internal-error"]
    assert not judgement.passed


@pytest.mark.parametrize(
    ("findings", "verdicts", "passed"),
    [
        ([finding()], [verdict("true")], True),
        ([finding()], [verdict("pedantic")], True),
        ([finding()], [verdict("false")], False),
        ([finding()], [], False),
        ([], [verdict("true"), verdict("false")], True),
    ],
)
def test_what_passes(findings: list[dict[str, Any]], verdicts: list[Verdict], passed: bool) -> None:
    assert judge(findings, verdicts).passed is passed


def test_verdicts_are_about_one_version() -> None:
    right, old, other = verdict(), verdict(version="0.9"), verdict(package="torchvision")
    assert about(PACKAGE, [old, right, other]) == [right]


@pytest.mark.parametrize("findings", [[finding(message='a "b"\nc')], [finding(), finding(column=5), finding(line=2)]])
def test_entries_become_the_verdicts_of_their_findings(findings: list[dict[str, Any]], tmp_path: Path) -> None:
    file = tmp_path / "judged.toml"
    text = "\n".join(entries(PACKAGE, findings))
    file.write_text(text)
    with pytest.raises(msgspec.ValidationError):
        load(file)
    file.write_text(text.replace('verdict = ""', 'verdict = "true"').replace('reason = ""', 'reason = "why"'))
    assert judge(findings, about(PACKAGE, load(file))).passed


@pytest.mark.parametrize("change", [{"verdict": "maybe"}, {"reason": " "}, {"line": "1"}, {"message": "m"}])
def test_a_verdict_that_is_none(change: dict[str, object], tmp_path: Path) -> None:
    fields = {
        "package": "a",
        "version": "1",
        "path": "a.py",
        "line": 1,
        "code": "bad",
        "verdict": "true",
        "reason": "r",
    }
    file = tmp_path / "judged.toml"
    file.write_bytes(_toml({**fields, **change}))
    with pytest.raises(msgspec.ValidationError, match=r"finding"):
        load(file)


def _toml(fields: dict[str, object]) -> bytes:
    lines = [f"{name} = {msgspec.json.encode(value).decode()}" for name, value in fields.items()]
    return "\n".join(["[[finding]]", *lines]).encode()


def test_the_pins_cover_the_fields() -> None:
    packages = pinned()
    assert len(packages) >= 40
    assert len([one for one in packages if one.quick]) == 3
    fields = {one.field for one in packages}
    assert fields >= {"vision", "language", "audio", "graphs", "reinforcement learning", "science", "probabilistic"}


def test_a_pin_names_a_file_of_its_version() -> None:
    for one in pinned():
        if isinstance(one, Archive):
            stem = one.file.replace("-", "_").lower()
            assert stem.startswith(f"{one.name}-{one.version}".replace("-", "_").lower()), one.file


def test_verdicts_are_about_pinned_packages() -> None:
    versions = {(one.name, one.version) for one in pinned()}
    assert {(one.package, one.version) for one in load()} <= versions
