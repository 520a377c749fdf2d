from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from shapecheck import __version__
from shapecheck.diagnostics import Diagnostic, Note, Severity, render

PLAIN = Diagnostic("a.py", 3, 5, 3, 9, "direct-forward", Severity.WARNING, "hooks do not run")
NOTED = Diagnostic(
    "b,c.py", 1, 1, 2, 4, "untyped-call", Severity.ERROR, "100% wrong", (Note("d.py", 7, 2, "said\nhere"),)
)
MILD = Diagnostic("é.py", 1, 1, 1, 1, "untyped-call", Severity.NOTE, "just so")


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _rendered(form: str, *diagnostics: Diagnostic, stream: io.StringIO | None = None, **extra: Any) -> str:
    stream = stream or io.StringIO()
    render.renderer(form)(diagnostics, stream, extra)
    return stream.getvalue()


def test_every_format_has_a_module_and_every_module_a_format() -> None:
    modules = {path.stem for path in Path(render.__file__).parent.glob("*.py")} - {"__init__"}
    assert modules == set(render.FORMATS.values())


def test_text() -> None:
    assert _rendered("text", PLAIN, NOTED, extra={"summary": 1}).splitlines() == [
        "a.py:3:5: warning: hooks do not run [direct-forward]",
        "b,c.py:1:1: error: 100% wrong [untyped-call]",
        "d.py:7:2: note: said",
        "here",
    ]


def test_text_has_colour_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    coloured = _rendered("text", PLAIN, stream=_Terminal())
    assert "\x1b[" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert _rendered("text", PLAIN, stream=_Terminal()) == _rendered("text", PLAIN)


def test_markup_in_a_message_is_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    odd = Diagnostic("a.py", 1, 1, 1, 1, "untyped-call", Severity.NOTE, "[red]x[/red] " + "long " * 60)
    out = _rendered("text", odd, stream=_Terminal())
    assert "[red]x[/red]" in out
    assert out.count("\n") == 1


def test_json() -> None:
    report = json.loads(_rendered("json", PLAIN, NOTED, summary={"files": {"seen": 2}}))
    assert list(report) == ["version", "tool", "diagnostics", "summary"]
    assert report["version"] == 1
    assert report["tool"] == {"name": "shapecheck", "version": __version__}
    assert report["summary"] == {"files": {"seen": 2}}
    assert report["diagnostics"][0] == {
        "path": "a.py",
        "line": 3,
        "column": 5,
        "end_line": 3,
        "end_column": 9,
        "code": "direct-forward",
        "severity": "warning",
        "message": "hooks do not run",
        "notes": [],
    }
    assert report["diagnostics"][1]["notes"] == [{"path": "d.py", "line": 7, "column": 2, "message": "said\nhere"}]


def test_json_without_diagnostics_is_json_too() -> None:
    assert json.loads(_rendered("json"))["diagnostics"] == []


def test_github_commands_are_escaped() -> None:
    assert _rendered("github", PLAIN, NOTED, MILD).splitlines() == [
        "::warning title=shapecheck (direct-forward),file=a.py,line=3,col=5,endLine=3,endColumn=8"
        "::hooks do not run [direct-forward]",
        "::error title=shapecheck (untyped-call),file=b%2Cc.py,line=1,endLine=2"
        "::100%25 wrong [untyped-call]%0Ad.py:7:2: note: said%0Ahere",
        "::notice title=shapecheck (untyped-call),file=é.py,line=1,col=1,endLine=1,endColumn=1::just so [untyped-call]",
    ]
