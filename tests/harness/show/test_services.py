"""The forms that services read."""

from __future__ import annotations

import io
import json
from xml.etree import ElementTree as ET

from shapecheck.harness.results import RunReport
from shapecheck.harness.serialization import as_json, parsed
from shapecheck.harness.show import renderer
from tests.harness.show import samples


def rendered(form: str, report: RunReport | None = None) -> str:
    stream = io.StringIO()
    renderer(form)(samples.report() if report is None else report, stream)
    return stream.getvalue()


def cases_of(root: ET.Element, case: str) -> dict[str | None, ET.Element]:
    return {test.get("name"): test for test in root.iter("testcase") if test.get("classname") == case}


def test_json_is_what_can_be_read_back() -> None:
    assert rendered("json") == as_json(samples.report())
    assert parsed(rendered("json").encode()) == samples.report()


def test_junit_counts() -> None:
    root = ET.fromstring(rendered("junit"))
    (suite,) = root
    for element in (root, suite):
        figures = [element.get(name) for name in ("tests", "failures", "skipped", "errors", "time")]
        assert figures == [str(1 + 6 + 12 + 12 + 1), "7", "4", "0", "42.500"]


def test_junit_has_a_test_for_each_case_and_check() -> None:
    tests = cases_of(ET.fromstring(rendered("junit")), samples.UNET_CASE)
    assert list(tests) == ["run", *(check.name for check in samples.unet().checks)]
    assert tests["sizes"].attrib == {
        "name": "sizes", "classname": samples.UNET_CASE, "file": samples.UNET_FILE, "line": "19", "time": "0.250",
    }  # fmt: skip
    assert len(tests["boundaries"]) == 0


def test_a_junit_failure_says_why() -> None:
    tests = cases_of(ET.fromstring(rendered("junit")), samples.UNET_CASE)
    run, contract = tests["run"].find("failure"), tests["contract"].find("failure")
    assert run is not None
    assert contract is not None
    assert run.get("message") == "the output is not what its annotation says"
    assert f"{samples.UNET_FILE}:32:10: note: the annotation: Float[Tensor, 'b 1 h w']" in (run.text or "")
    assert contract.get("message") == "the output has 3 axes, b 1 h w has 4"


def test_what_junit_skips_has_a_reason() -> None:
    root = ET.fromstring(rendered("junit"))
    (unbuilt,) = cases_of(root, "examples.vit:Encoder").values()
    skipped = [unbuilt.find("skipped"), cases_of(root, samples.UNET_CASE)["compile"].find("skipped")]
    assert [None if one is None else one.get("message") for one in skipped] == [
        "`config` has no default: give one with @shapecheck.case(kwargs={'config': ...})",
        "the case fails in eager",
    ]


def test_junit_shows_the_notes_of_a_case_that_passed() -> None:
    run = cases_of(ET.fromstring(rendered("junit")), samples.GPT_CASE)["run"]
    assert run.findtext("system-out") == f"{samples.GPT_FILE}:19:25: note: reshape copies 67,584 bytes [hidden-copy]"


def test_junit_holds_any_text() -> None:
    text = rendered("junit")
    assert text.isascii()
    failure = cases_of(ET.fromstring(text), "odd:é")["run"].find("failure")
    assert failure is not None
    assert failure.get("message") == samples.HOSTILE


def test_junit_without_cases_has_a_test_that_passed() -> None:
    root = ET.fromstring(rendered("junit", RunReport({})))
    assert (root.get("tests"), root.get("failures")) == ("1", "0")


def test_sarif_names_case_and_module() -> None:
    (run,) = json.loads(rendered("sarif"))["runs"]
    assert [one["properties"] for one in run["results"] if one["message"]["text"].startswith("reshape")] == [
        {"case": samples.GPT_CASE, "module": "blocks.0.attention"}
    ]
    assert len(run["results"]) == len(samples.report().all_diagnostics())


def test_github_has_a_command_for_each_finding() -> None:
    lines = rendered("github").splitlines()
    assert len(lines) == len(samples.report().all_diagnostics())
    assert lines[1].startswith(f"::notice title=shapecheck (hidden-copy),file={samples.GPT_FILE},line=19,col=25,")
