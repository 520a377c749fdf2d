"""`shapecheck run`: exit codes, and what it refuses in one line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from shapecheck.harness.requirements import missing_requirements
from tests.cli.run_programs import PROGRAMS, invoke, run, write


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("programs")
    write(folder, *PROGRAMS)
    return folder


CODES = {
    ("good.py",): 0,
    ("good:Net",): 0,
    ("unbuilt.py",): 0,
    ("unbuilt:Net",): 2,
    ("contradicts.py",): 1,
    ("good.py", "raises.py"): 2,
    ("good:Nett",): 2,
    ("plain:Net",): 2,
}


@pytest.mark.parametrize("targets", CODES, ids=" ".join)
def test_exit_codes(targets: tuple[str, ...], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert invoke(folder, monkeypatch, *targets, "--check", "sweep").exit_code == CODES[targets]


LINES = {
    ("good:Nett",): 'shapecheck: good:Nett: no such model or factory in good.py; did you mean "Net"?',
    ("unbuilt:Net",): "shapecheck: unbuilt:Net: constructor requires width; ",
    ("god.py",): 'shapecheck: god.py: no such file or directory; did you mean "good.py"?',
    ("good.py", "--output", "nowhere/report.json"): "shapecheck: nowhere/report.json: cannot write the report: ",
    ("good.py", "--output", "report.doc"): "--output report.doc: unknown extension; expected one of .sarif.json",
    ("good.py", "--tensorboard", "good.py/logs"): "shapecheck: good.py/logs: cannot write the report: ",
    ("good.py", "--device", "gpu"): 'expected cpu, cuda, cuda:N or fake, got "gpu"',
    ("good.py", "--check", "sweeep"): 'unknown check "sweeep"; did you mean "sweep"?',
    ("good.py", "--skip", "sweep,compild"): 'unknown check "compild"; did you mean "compiled"?',
    ("good.py", "--check", "wrapped"): "--check wrapped requires --wrap",
    ("good.py", "--check", "ranks"): "--check ranks requires --ranks 2 or --wrap",
    ("good.py", "--memory", "much"): 'expected a size such as 500MB or 4GiB, got "much"',
    ("good.py", "--timeout", "0"): "--timeout",
}


@pytest.mark.parametrize("arguments", LINES, ids=" ".join)
def test_what_cannot_be_done_is_said_in_one_line(
    arguments: tuple[str, ...], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = invoke(folder, monkeypatch, *arguments)
    assert result.exit_code == 2
    assert sum(LINES[arguments] in line for line in result.stderr.splitlines()) == 1


def test_a_report_that_cannot_be_written_is_told_before_anything_is_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = invoke(folder, monkeypatch, "hangs.py", "--output", "nowhere/report.json")
    assert (result.exit_code, result.stdout) == (2, "")


def test_without_a_gpu_cuda_is_refused_in_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    done = run(folder, "good.py", "--device", "cuda")
    assert done.returncode == 2
    assert done.stderr.startswith("shapecheck: --device cuda: no GPU available")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("option", [("--output", "report.html"), ("--format", "html")], ids=" ".join)
def test_without_jinja2_an_html_report_is_refused_before_anything_is_run(
    option: tuple[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    result = invoke(folder, monkeypatch, "hangs.py", *option)
    line = 'shapecheck: cannot write the report: cannot import jinja2; run: pip install "torch-shapecheck[torch]"\n'
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", line)


@pytest.mark.parametrize("names", ["psutil", "torch and psutil", "torch, jaxtyping and psutil"])
def test_without_torch_the_extra_is_named(names: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in names.replace(",", "").replace(" and", "").split():
        monkeypatch.setitem(sys.modules, name, None)
    result = invoke(folder, monkeypatch, "good.py")
    assert result.exit_code == 2
    assert result.stderr == f'shapecheck: cannot import {names}; run: pip install "torch-shapecheck[torch]"\n'


@pytest.mark.parametrize(
    ("version", "too_old"),
    [("2.3.1+cpu", True), ("1.13", True), ("2.4.0a0+git", False), ("2.13.0", False), ("3.0", False)],
)
def test_a_torch_that_is_too_old_is_named(version: str, too_old: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.metadata.version", lambda name: version)
    assert missing_requirements() == (
        f'expected torch 2.4 or newer, got {version}; run: pip install "torch-shapecheck[torch]"' if too_old else None
    )
