from __future__ import annotations

import io
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from shapecheck.harness.results import CaseResult, RunReport, Status
from shapecheck.harness.show import FORMATS, renderer
from shapecheck.harness.show.terminal import show
from tests.harness.show import samples

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def _in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def shown(report: RunReport, width: int | None = None, verbose: bool = False) -> list[str]:
    """What is printed to a file, or to a terminal of that width."""
    stream = io.StringIO()
    console = Console(file=stream, width=width, force_terminal=width is not None, color_system=None)
    show(report, console, verbose)
    return stream.getvalue().splitlines()


def test_every_format_has_a_renderer() -> None:
    assert all(callable(renderer(name)) for name in FORMATS)


def test_each_case_is_a_row() -> None:
    header, *rows = (line.split("  ") for line in shown(samples.report())[:7])
    assert [word.strip() for word in header if word] == [
        "case", "device", "outcome", "checks", "sizes", "output", "parameters", "FLOPs", "memory", "time",
    ]  # fmt: skip
    assert [word.strip() for word in rows[1] if word] == [
        samples.UNET_CASE, "cuda", "failed", "9 passed, 2 failed, 1 skipped", "b=2 h=24 w=40",
        "torch.float32 (2, 24, 40)", "137k", "85.8M", "31.0 MB", "4.12 ms",
    ]  # fmt: skip
    assert [word.strip() for word in rows[2] if word] == ["examples.vit:Encoder", "unbuilt"]


def test_what_was_not_run_has_its_place_and_reason() -> None:
    lines = shown(samples.report())
    assert (
        "examples/vit.py:9: unbuilt: examples.vit:Encoder: `config` has no default: "
        "give one with @shapecheck.case(kwargs={'config': ...})"
    ) in lines
    assert "examples/loop.py:4: ended: examples.loop:Loop: took longer than 60 s, in blocks.3" in lines


def test_a_reason_is_one_line() -> None:
    (case,) = (replace(one, detail="a\n  b") for one in samples.not_run() if one.outcome is Status.UNBUILT)
    assert f"examples/vit.py:9: unbuilt: {case.name}: a b" in shown(RunReport({}, (case,)))


def test_findings_stand_under_their_case_in_the_form_of_every_front_end() -> None:
    lines = shown(samples.report())
    start = lines.index(samples.UNET_CASE)
    assert lines[start - 1] == ""
    assert lines[start + 1 : start + 7] == [
        f"{samples.UNET_FILE}:37:26: note: contiguous copies 430,080 bytes [hidden-copy]",
        f"{samples.UNET_FILE}:43:16: warning: squeeze() takes the batch too where it is one sample [squeeze-batch]",
        f"{samples.UNET_FILE}:43:16: error: the output is torch.float32 (2, 24, 40), and the annotation says "
        "Float[Tensor, 'b 1 h w']: 3 axes where 4 are due [shape-mismatch]",
        f"{samples.UNET_FILE}:32:10: note: the annotation: Float[Tensor, 'b 1 h w']",
        f"{samples.UNET_FILE}:43:16: note: squeeze() took the axis of size 1",
        "",
    ]
    assert f"{samples.GPT_FILE}:19:25: note: in the module blocks.0.attention" in lines


def test_the_last_line_sums_up() -> None:
    assert shown(samples.report())[-1] == (
        "6 cases in 42.5 s: 1 passed, 2 failed, 1 skipped, 1 unbuilt, 1 ended; 4 errors, 1 warning, 2 notes"
    )
    assert shown(RunReport({}, (), (), 0.5)) == ["0 cases in 500 ms; no findings"]


def test_a_file_has_no_source_no_colour_and_no_boxes() -> None:
    text = "\n".join(shown(samples.report(), verbose=True))
    assert not set("│─\x1b") & set(text.replace("\x1b[31m", ""))
    assert "squeeze() * weight" not in text


def test_many_sizes_and_outputs_do_not_widen_the_table() -> None:
    sizes = {f"axis{number}": number for number in range(20)}
    case = replace(samples.hostile(), sizes=sizes, outputs=tuple(f"torch.float32 ({number})" for number in range(9)))
    row = shown(RunReport({}, (case,)))[1]
    assert "axis0=0 axis1=1 axis2=2 axis3=3 and 16 more  " in row
    assert "torch.float32 (0), torch.float32 (1), torch.float32 (2), torch.float32 (3), and 5 more  " in row


@pytest.mark.parametrize(
    "place", [(0, 0, 0, 0), (43, 0, 43, 0), (43, 500, 43, 501), (43, 9, 43, 2), (10_000, 1, 10_001, 1)]
)
def test_a_place_that_is_not_in_the_file_is_no_trouble(place: tuple[int, int, int, int]) -> None:
    line, column, end_line, end_column = place
    (found, *_) = samples.unet().diagnostics
    odd = replace(found, line=line, column=column, end_line=end_line, end_column=end_column)
    report = RunReport({}, (replace(samples.unet(), diagnostics=(odd,)),))
    assert any(f"{samples.UNET_FILE}:{line}:{column}: error: " in text for text in shown(report, 200))
    for form in FORMATS:
        renderer(form)(report, io.StringIO())


def test_text_is_no_markup() -> None:
    assert any("[red]x[/red]" in line for line in shown(samples.report()))


def test_a_terminal_shows_the_source_and_marks_the_code_of_a_finding() -> None:
    lines = shown(samples.report(), 200)
    assert "    43 │         return self.head(x).squeeze() * weight / scale" in lines
    assert "       │                ^^^^^^^^^^^^^^^^^^^^^^" in lines


@pytest.mark.parametrize("width", [30, 60, 80, 100, 120, 160, 250])
def test_no_row_is_wider_than_the_terminal(width: int) -> None:
    lines = shown(samples.report(), width)
    table = lines[: lines.index("")]
    assert max(map(cell_len, table)) <= width
    assert sum("passed" in line for line in table) >= 1
    if width >= 60:
        run = [case for case in samples.report().cases if case.outcome is not Status.SKIPPED]
        assert len(table) == 2 + len(run), "one line a case, under a header and a rule"


def test_cases_that_are_skipped_for_one_reason_are_named_only_in_part() -> None:
    cases = tuple(CaseResult(f"net:N{number}", "net.py", number, Status.SKIPPED, "no shapes") for number in range(9))
    lines = shown(RunReport({}, cases))
    assert [line for line in lines if "net:N" in line] == [
        f"net.py:{number}: skipped: net:N{number}: no shapes" for number in range(3)
    ]
    assert "skipped: 6 more for the same reason; use --verbose to list them" in lines
    assert sum("net:N" in line for line in shown(RunReport({}, cases), verbose=True) if line.startswith("net.py")) == 9


def test_columns_leave_a_narrow_terminal_one_by_one() -> None:
    heads = [shown(samples.report(), width)[0].split() for width in (60, 100, 140, 250)]
    assert all(set(less) < set(more) for less, more in pairwise(heads))


def test_verbose_adds_checks_and_modules() -> None:
    lines = shown(samples.report(), verbose=True)
    assert "contract     failed   250 ms  the output has 3 axes, b 1 h w has 4" in lines
    assert "compile      skipped          the case fails in eager" in lines, "it took no time"
    qkv = next(line for line in lines if line.startswith("        qkv: Linear"))
    assert qkv.split()[2:] == [
        "1",
        *"torch.float32 (2, 11, 384) torch.float32 (2, 11, 1152) 442k 19.5M 1.90 MB".split(),
    ]
