"""The log of findings: complete lines only, the newest answers, errors that are not kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.diagnostics import Diagnostic, Note, Severity
from shapecheck.project.findings_log import FindingsLog, FindingsWriter

FOUND = Diagnostic(
    "a.py", 1, 2, 3, 4, "shape-mismatch", Severity.ERROR, "message", (Note("b.py", 1, 1, "note"),), causes=("c",)
)
KEY = ("/a.py", "codes", "1")


def written(tmp_path: Path) -> str:
    path = str(tmp_path / "log")
    writer = FindingsWriter(path)
    writer.add(KEY, [FOUND])
    writer.add(("/b.py", "codes", "1"), [])
    writer.add(("/c.py", "codes", "1"), "ValueError: x")
    return path


def test_answers_are_read_as_they_were_written(tmp_path: Path) -> None:
    log = FindingsLog(written(tmp_path))
    assert KEY not in log
    log.poll()
    assert log.findings(KEY) == [FOUND]
    assert [log.is_clean((path, "codes", "1")) for path in ("/a.py", "/b.py", "/d.py")] == [False, True, False]


def test_an_error_is_raised_once(tmp_path: Path) -> None:
    log = FindingsLog(written(tmp_path))
    log.poll()
    with pytest.raises(RuntimeError, match="ValueError: x"):
        log.findings(("/c.py", "codes", "1"))
    assert ("/c.py", "codes", "1") not in log


def test_a_line_counts_when_it_is_complete(tmp_path: Path) -> None:
    path = Path(written(tmp_path))
    content = path.read_bytes()
    path.write_bytes(content[:20])
    log = FindingsLog(str(path))
    log.poll()
    assert KEY not in log
    path.write_bytes(content)
    log.poll()
    assert KEY in log


@pytest.mark.parametrize("damage", [b"{\n", b"[1, 2]\n", b"\xff\n", b"null\n"])
def test_damaged_lines_are_ignored(tmp_path: Path, damage: bytes) -> None:
    path = Path(written(tmp_path))
    path.write_bytes(damage + path.read_bytes())
    log = FindingsLog(str(path))
    log.poll()
    assert log.findings(KEY) == [FOUND]


def test_answers_about_earlier_versions_are_dropped_if_they_are_many(tmp_path: Path) -> None:
    path = written(tmp_path)
    writer = FindingsWriter(path)
    for number in range(200):
        writer.add(("/b.py", "codes", f"{number}"), [])
    log = FindingsLog(path)
    log.poll()
    log.compact()
    assert len(Path(path).read_bytes().splitlines()) == 2
    again = FindingsLog(path)
    again.poll()
    assert (KEY in again, ("/b.py", "codes", "199") in again) == (True, True)
