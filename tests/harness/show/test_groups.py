"""The overview of a report over many models: findings by code and package."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt

from shapecheck.diagnostics import Diagnostic, Severity
from shapecheck.diagnostics.render.markdown import LIMIT
from shapecheck.harness.examine import examine, list_cases
from shapecheck.harness.results import CaseResult, RunReport
from shapecheck.harness.run_options import RunOptions
from shapecheck.harness.show import renderer
from shapecheck.harness.show.groups import FindingsOfPackage, groups_of, package_of
from tests.harness.planted import MODELS, target
from tests.harness.show.browser import started

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PACKAGES = ("vision", "text", "audio", "timm", "sound.nets", "video")
COPIES = 2


@pytest.mark.parametrize(
    ("case", "path", "package"),
    [
        ("timm:resnet18", "", "timm"),
        ("pkg.models.gpt:GPT[small]", "", "pkg"),
        ("nets:Net", "nets.py", "nets"),
        ("vision/net.py:Net", "vision/net.py", "vision"),
        ("net.py:Net", "net.py", "net"),
        ("", "src/pkg/model.py", "pkg"),
        ("", "model.py", "model"),
    ],
)
def test_the_package_of_a_case_or_file(case: str, path: str, package: str) -> None:
    assert package_of(case, path) == package


def finding(case: str, line: int, code: str = "squeeze-batch", severity: Severity = Severity.WARNING) -> Diagnostic:
    return Diagnostic("a.py", line, 1, line, 2, code, severity, "...", case=case)


def test_the_worst_and_then_the_most_frequent_come_first() -> None:
    several = [finding("a:A", 1), finding("a:B", 1), finding("a:B", 2), finding("b:A", 3)]
    error = finding("b:A", 4, "shape-mismatch", Severity.ERROR)
    assert groups_of([*several, error]) == [
        FindingsOfPackage("shape-mismatch", Severity.ERROR, "b", 1, 1, 1, "a.py", 4),
        FindingsOfPackage("squeeze-batch", Severity.WARNING, "a", 3, 2, 2, "a.py", 1),
        FindingsOfPackage("squeeze-batch", Severity.WARNING, "b", 1, 1, 1, "a.py", 3),
    ]


@cache
def examined() -> tuple[CaseResult, ...]:
    """Real results, of models with and without findings."""
    of_file = target(MODELS / "structured.py")
    options = RunOptions(checks=("silent", "sweep", "backward"))
    return tuple(examine(of_file, case.name, options) for case in list_cases(of_file))


def many() -> RunReport:
    """A report over more than 200 models: the results under the names of several packages."""
    cases = [
        replace(case, name=name, diagnostics=tuple(replace(one, case=name) for one in case.diagnostics))
        for package in PACKAGES
        for copy in range(COPIES)
        for case in examined()
        for name in [f"{package}:{case.name.partition(':')[2]}{copy}"]
    ]
    assert len(cases) > 200
    return RunReport({}, tuple(cases), seconds=1.0)


def rendered(form: str, report: RunReport) -> str:
    stream = io.StringIO()
    renderer(form)(report, stream)
    return stream.getvalue()


def test_a_comment_on_a_pull_request_begins_with_the_overview() -> None:
    report = many()
    text = rendered("markdown", report)
    assert len(text) <= LIMIT
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    rows = [one for one in tokens if one.type == "tr_open"]
    assert len(rows) == 1 + min(40, len(groups_of(report.all_diagnostics())))
    assert [one.type for one in tokens[:6]].index("table_open") > [one.type for one in tokens[:6]].index(
        "heading_close"
    )


def test_a_few_findings_have_no_overview() -> None:
    assert "| severity |" not in rendered("markdown", replace(many(), cases=many().cases[:8]))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with started() as found:
        yield found


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    earlier = replace(many(), cases=many().cases[1:])
    file = tmp_path / "report.html"
    file.write_text(rendered("html", replace(many(), earlier=earlier)), encoding="utf-8")
    opened = browser.new_page(viewport={"width": 1400, "height": 900})
    opened.goto(file.as_uri())
    yield opened
    opened.close()


def visible(page: Page) -> list[str]:
    return page.locator("details.case:visible .name").all_inner_texts()


def test_a_row_shows_its_cases(page: Page) -> None:
    group = groups_of(many().all_diagnostics())[0]
    row = page.locator(f".groups tr[data-code={group.code}][data-package={group.package}]")
    assert str(group.cases) in row.inner_text()
    row.locator("button").click()
    names = visible(page)
    assert len(names) == group.cases
    assert {package_of(name) for name in names} == {group.package}
    assert row.is_visible()


def test_the_overview_is_searched_too(page: Page) -> None:
    packages = page.locator(".groups tr[data-code]:visible td:nth-child(2)")
    assert set(packages.all_inner_texts()) > {"audio"}
    page.locator("#filter").fill("audio")
    assert set(packages.all_inner_texts()) == {"audio"}
    page.locator("#filter").fill("no such model")
    assert packages.all_inner_texts() == []


def test_changes_since_an_earlier_report_are_shown(page: Page) -> None:
    text = page.locator(".changes").inner_text()
    assert "since the earlier report" in text
    assert f"{many().cases[0].name}: new =>" in text
