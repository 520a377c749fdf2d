"""The page as HTML: what it contains, and what it must not."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from shapecheck.config.load import parse_toml
from shapecheck.diagnostics import Diagnostic, Severity
from shapecheck.harness.results import CheckResult, ModuleRecord, RunReport, Status
from shapecheck.harness.show import renderer
from shapecheck.harness.show.modules import Texts, rows
from shapecheck.harness.show.page import environment, places, view
from shapecheck.project.source_lines import SourceLines
from tests.harness.show import samples

ROOT = Path(__file__).parents[3]


def page(report: RunReport) -> str:
    stream = io.StringIO()
    renderer("html")(report, stream)
    return stream.getvalue()


class _Tags(HTMLParser):
    """The tags of a page with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_nothing_is_loaded() -> None:
    tags = _Tags(page(samples.report())).found
    assert not {tag for tag, _ in tags} & {"link", "img", "iframe", "object", "embed", "base", "audio", "video"}
    assert not [attributes for _, attributes in tags if {"src", "srcset", "action"} & set(attributes)]
    assert all(str(attributes["href"]).startswith("#") for _, attributes in tags if "href" in attributes)
    assert "url(" not in page(samples.report())
    assert "@import" not in page(samples.report())


def test_the_page_lets_no_script_run_but_its_own() -> None:
    text = page(samples.report())
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe-eval" not in policy
    assert "script-src 'unsafe-inline'" not in policy
    scripts = [attributes for tag, attributes in _Tags(text).found if tag == "script"]
    assert [one for one in scripts if one.get("type") != "application/json"] == [{}]
    assert not [name for _, attributes in _Tags(text).found for name in attributes if name.startswith("on")]


def test_texts_are_escaped_wherever_they_stand() -> None:
    text = page(samples.report())
    assert samples.HOSTILE not in text
    assert "<script>window" not in text
    assert text.count("&lt;/script&gt;&lt;script&gt;window.broken = 1") == 4
    assert r"\u003c/script\u003e" in text, "in the data of the script"


def test_what_utf_8_does_not_hold_is_written_as_python_would() -> None:
    case = replace(samples.hostile(), name="caf\udce9", detail="\0\x1b[0m")
    text = page(RunReport({}, (case,)))
    assert "caf\\udce9" in text
    assert "\\x00\\x1b[0m" in text
    text.encode()


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(lambda file: None, id="missing"),
        pytest.param(lambda file: file.write_bytes(b"\xff\xfe\x00"), id="undecodable"),
        pytest.param(lambda file: file.mkdir(), id="a folder"),
        pytest.param(lambda file: file.write_text("one line\n"), id="too short"),
    ],
)
def test_a_file_that_cannot_be_shown_is_left_out(
    broken: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / Path(samples.UNET_FILE).parent).mkdir(parents=True)
    broken(tmp_path / samples.UNET_FILE)
    (case,) = (one for one in samples.report().cases if one.name == samples.UNET_CASE)
    (place, _) = places(case.diagnostics, SourceLines())
    assert (place.line, place.excerpt) == (43, [])
    assert "squeeze() takes the batch too" in page(RunReport({}, (case,)))


def test_the_source_around_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    first, second = places(samples.unet().diagnostics, SourceLines())
    assert [one.severity.value for one in first.findings] == ["error", "warning"]
    assert (second.line, [one.number for one in second.excerpt]) == (37, [35, 36, 37, 38, 39])
    assert [(one.before, one.mark, one.after) for one in second.excerpt if one.highlighted] == [
        ("    skips.append(", "x.transpose(2, 3).contiguous()", ".transpose(2, 3))")
    ]
    assert [one.number for one in first.excerpt] == [41, 42, 43]


def test_a_comment_after_the_code_is_not_marked(tmp_path: Path) -> None:
    file = tmp_path / "model.py"
    file.write_text('    return x["#"].squeeze()  # removes too much\n')
    text = file.read_text().rstrip()
    found = Diagnostic(str(file), 1, 5, 1, len(text) + 1, "squeeze-batch", Severity.WARNING, "...")
    ((line,),) = (place.excerpt for place in places([found], SourceLines()))
    assert (line.before, line.mark, line.after) == ("", 'return x["#"].squeeze()', "  # removes too much")


def test_checks_that_were_skipped_for_the_same_reason_are_one_row() -> None:
    reasons = {"silent": "the reference run failed", "sweep": "the reference run failed", "batch": "no batch"}
    checks = tuple(CheckResult(name, Status.SKIPPED, reason) for name, reason in reasons.items())
    case = replace(samples.unet(), checks=(*checks, CheckResult("fake", Status.SKIPPED, "the reference run failed")))
    shown = view(case, SourceLines(), Texts({"": 0}))
    assert [check.name for check in shown.checks] == ["batch"]
    assert shown.skipped == {"the reference run failed": ["silent", "sweep", "fake"]}
    assert "<b>silent, sweep, fake</b>" in page(RunReport({}, (case,)))


def test_a_case_whose_forward_did_not_return_shows_no_outputs() -> None:
    case = replace(samples.unet(), outputs=(), cost=None)
    assert 'aria-label="Outputs"' not in page(RunReport({}, (case,)))


def test_the_command_is_one_that_a_shell_takes() -> None:
    found = environment(RunReport({"command": ["shapecheck", "run", "my models"]}))
    assert found == [("command", "shapecheck run 'my models'")]


def test_the_environment_is_flat() -> None:
    found = dict(environment(RunReport({"seed": 3, "flags": {"tf32": False}, "gpus": ["a", "b"], "driver": None})))
    assert found == {"seed": "3", "flags.tf32": "False", "gpus": "a, b", "driver": ""}


def test_modules_without_their_parent_hang_on_the_next_one() -> None:
    texts = Texts({"": 0})
    paths = ["", "a", "a.0.inner", "b.list.0"]
    found = rows([ModuleRecord(path, "M") for path in paths], texts)
    names = list(texts.known)
    assert [(row[0], names[row[1]]) for row in found if isinstance(row[1], int)] == [
        (-1, ""), (0, "a"), (1, "0.inner"), (0, "b.list.0"),
    ]  # fmt: skip


def test_a_thousand_modules_in_fifty_cases_take_few_bytes() -> None:
    report = samples.large()
    assert sum(len(case.modules) for case in report.cases) > 50_000
    assert len(page(report)) < 80 * 50_000


def test_a_report_without_cases_is_a_page() -> None:
    assert "No cases." in page(RunReport({}))


def test_the_wheel_holds_the_templates() -> None:
    build = parse_toml((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    assert "shapecheck" in build["targets"]["wheel"]["only-include"]
    templates = ROOT / "shapecheck/harness/show/templates"
    assert {path.name for path in templates.iterdir()} == {"report.html.j2", "parts.html.j2", "report.css", "report.js"}
