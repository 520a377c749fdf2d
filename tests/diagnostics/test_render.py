from __future__ import annotations

import io
import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from shapecheck import __version__
from shapecheck.diagnostics import CODES, Diagnostic, Note, Severity, render

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


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False), ({"FORCE_COLOR": ""}, False)],
    ids=["forced", "forbidden", "empty"],
)
def test_colour_can_be_forced_on_standard_output(
    variables: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in _rendered("text", PLAIN, stream=stream)) is coloured
    assert "\x1b[" not in _rendered("text", PLAIN, stream=io.StringIO()), "a report in a file has none"


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


def test_github_paths_start_at_the_root_of_the_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "checkout/src").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "checkout/src")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path / "checkout"))
    outside = str(tmp_path / "elsewhere.py")
    here, absolute, elsewhere = (
        replace(PLAIN, path=path) for path in ("net.py", str(tmp_path / "checkout/a.py"), outside)
    )
    commands = _rendered("github", here, absolute, elsewhere).splitlines()
    assert [re.findall("file=(.*?),", one)[0] for one in commands] == ["src/net.py", "a.py", outside]
    (run,) = json.loads(_rendered("sarif", here, absolute, elsewhere))["runs"]
    files = [one["locations"][0]["physicalLocation"]["artifactLocation"] for one in run["results"]]
    assert files == [
        {"uri": "src/net.py", "uriBaseId": "%SRCROOT%"},
        {"uri": "a.py", "uriBaseId": "%SRCROOT%"},
        {"uri": Path(outside).as_uri()},
    ]


def test_github_commands_are_escaped() -> None:
    assert _rendered("github", PLAIN, NOTED, MILD).splitlines() == [
        "::warning title=shapecheck (direct-forward),file=a.py,line=3,col=5,endLine=3,endColumn=8"
        "::hooks do not run [direct-forward]",
        "::error title=shapecheck (untyped-call),file=b%2Cc.py,line=1,endLine=2"
        "::100%25 wrong [untyped-call]%0Ad.py:7:2: note: said%0Ahere",
        "::notice title=shapecheck (untyped-call),file=é.py,line=1,col=1,endLine=1,endColumn=1::just so [untyped-call]",
    ]


def test_sarif() -> None:
    report = json.loads(_rendered("sarif", PLAIN, NOTED, MILD, summary={"files": {}}))
    assert report["version"] == "2.1.0"
    (run,) = report["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("shapecheck", __version__)
    assert [rule["id"] for rule in driver["rules"]] == ["direct-forward", "untyped-call"]
    assert [(one["ruleId"], one["ruleIndex"], one["level"]) for one in run["results"]] == [
        ("direct-forward", 0, "warning"),
        ("untyped-call", 1, "error"),
        ("untyped-call", 1, "note"),
    ]
    assert run["results"][0]["message"] == {"text": "hooks do not run"}
    assert run["results"][0]["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "a.py", "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 3, "startColumn": 5, "endLine": 3, "endColumn": 9},
            }
        }
    ]
    assert run["results"][1]["relatedLocations"] == [
        {
            "id": 0,
            "message": {"text": "said\nhere"},
            "physicalLocation": {
                "artifactLocation": {"uri": "d.py", "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 7, "startColumn": 2},
            },
        }
    ]
    assert run["columnKind"] == "unicodeCodePoints"


def test_a_sarif_message_links_its_notes() -> None:
    odd = replace(NOTED, notes=(Note("d.py", 7, 2, r"\d of [0]"), Note("d.py", 8, 1, "there")))
    (result,) = json.loads(_rendered("sarif", odd))["runs"][0]["results"]
    assert result["message"] == {"text": "100% wrong\n[\\\\d of \\[0\\]](0)\n[there](1)"}
    assert [one["id"] for one in result["relatedLocations"]] == [0, 1]
    assert result["relatedLocations"][0]["message"] == {"text": r"\d of [0]"}


def test_a_sarif_rule_says_what_the_page_says() -> None:
    (rule,) = json.loads(_rendered("sarif", PLAIN))["runs"][0]["tool"]["driver"]["rules"]
    assert rule["shortDescription"]["text"] == CODES["direct-forward"].summary
    assert rule["defaultConfiguration"] == {"level": "note"}
    assert rule["help"]["markdown"].startswith("# direct-forward\n")


def test_sarif_names_the_case_and_the_module_that_ran() -> None:
    (run,) = json.loads(_rendered("sarif", PLAIN, replace(PLAIN, case="net:Net", module="blocks.0")))["runs"]
    assert [one.get("properties") for one in run["results"]] == [None, {"case": "net:Net", "module": "blocks.0"}]


def test_sarif_addresses_are_uris(tmp_path: Path) -> None:
    odd, absolute, undecodable = (
        replace(PLAIN, path=path) for path in ("a b/é%.py", str(tmp_path / "x y.py"), "caf\udce9.py")
    )
    (run,) = json.loads(_rendered("sarif", odd, absolute, undecodable))["runs"]
    files = [one["locations"][0]["physicalLocation"]["artifactLocation"] for one in run["results"]]
    assert files[0] == {"uri": "a%20b/%C3%A9%25.py", "uriBaseId": "%SRCROOT%"}
    assert files[1] == {"uri": (tmp_path / "x y.py").as_uri()}
    assert files[2]["uri"] == "caf%E9.py"


def test_sarif_without_diagnostics() -> None:
    (run,) = json.loads(_rendered("sarif"))["runs"]
    assert run["results"] == []


def test_junit() -> None:
    text = _rendered("junit", PLAIN, NOTED, MILD)
    root = ET.fromstring(text)
    assert (root.tag, root.get("tests"), root.get("failures"), root.get("errors")) == ("testsuites", "3", "2", "0")
    assert [(one.get("name"), one.get("tests"), one.get("failures")) for one in root] == [
        ("a.py", "1", "1"),
        ("b,c.py", "1", "1"),
        ("é.py", "1", "0"),
    ]
    cases = list(root.iter("testcase"))
    assert cases[0].attrib == {"name": "direct-forward at 3:5", "classname": "a.py", "file": "a.py", "line": "3"}
    failures = [one.find("failure") for one in cases]
    assert failures[0] is not None
    assert failures[0].attrib == {"message": "hooks do not run", "type": "warning"}
    assert failures[1] is not None
    assert failures[1].text == "b,c.py:1:1: error: 100% wrong [untyped-call]\nd.py:7:2: note: said\nhere"
    assert failures[2] is None
    assert cases[2].findtext("system-out") == "é.py:1:1: note: just so [untyped-call]"


def test_junit_puts_the_findings_of_a_file_into_one_suite() -> None:
    root = ET.fromstring(_rendered("junit", PLAIN, replace(PLAIN, line=4), NOTED))
    assert [len(suite) for suite in root] == [2, 1]


def test_junit_without_diagnostics_has_a_case_that_passed() -> None:
    root = ET.fromstring(_rendered("junit"))
    assert (root.get("tests"), root.get("failures")) == ("1", "0")
    assert len(list(root.iter("testcase"))) == 1


def test_junit_holds_any_text() -> None:
    text = _rendered("junit", replace(PLAIN, path="caf\udce9.py", message='a < b & "c" \0 \x1b[0m é'))
    assert text.isascii()
    failure = ET.fromstring(text).find("*/testcase/failure")
    assert failure is not None
    assert failure.get("message") == 'a < b & "c" \\x00 \\x1b[0m é'


def test_gitlab() -> None:
    first, second, third = json.loads(_rendered("gitlab", PLAIN, NOTED, MILD))
    assert first == {
        "description": "hooks do not run",
        "check_name": "direct-forward",
        "fingerprint": first["fingerprint"],
        "severity": "minor",
        "location": {"path": "a.py", "lines": {"begin": 3}},
    }
    assert second["description"] == "100% wrong\nd.py:7:2: note: said\nhere"
    assert (second["severity"], third["severity"], third["location"]["path"]) == ("major", "info", "é.py")
    assert json.loads(_rendered("gitlab")) == []


def test_a_gitlab_fingerprint_is_that_of_the_finding_wherever_its_line_is() -> None:
    moved, other = replace(PLAIN, line=30, end_line=30), replace(PLAIN, message="another")
    prints = [one["fingerprint"] for one in json.loads(_rendered("gitlab", PLAIN, moved, other))]
    assert len(set(prints)) == 3, "two equal findings are two"
    assert [one["fingerprint"] for one in json.loads(_rendered("gitlab", moved, other))] == [prints[0], prints[2]]


def test_gitlab_paths_start_at_the_root_of_the_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "src").mkdir()
    monkeypatch.chdir(tmp_path / "src")
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    monkeypatch.setenv("CI_PROJECT_DIR", str(tmp_path))
    assert json.loads(_rendered("gitlab", PLAIN))[0]["location"]["path"] == "src/a.py"
