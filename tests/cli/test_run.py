"""`shapecheck run` on programs that misbehave: one line each, and nothing lost of the others."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from shapecheck.cli import main
from shapecheck.harness.requirements import missing_requirements
from tests.patience import AT_ONCE, PATIENCE

_HEAD = "import os, sys\nimport torch\nfrom jaxtyping import Float\nfrom torch import Tensor, nn\nimport shapecheck\n"
_NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)

    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 4"]:
        BODY
        return self.fc(x)
"""


def _net(body: str = "pass") -> str:
    return _HEAD + _NET.replace("BODY", body)


def _before(line: str) -> str:
    return _HEAD + line + "\n" + _NET.replace("BODY", "pass")


PROGRAMS = {
    "good": _net("print('it was run')"),
    "raises": _before("raise ValueError('not today')"),
    "needs": _before("import no_such_package"),
    "exits": _before("sys.exit(0)"),
    "leaves": _before("os._exit(0)"),
    "fills": _before("everything = torch.zeros(10**12)"),
    "hangs": _before("while True: pass"),
    "broken": _HEAD + "class Net(:\n    def forward(self): ...\n",
    "exits_in_forward": _net("sys.exit(0)"),
    "fills_in_forward": _net("everything = torch.zeros(10**12)"),
    "hangs_in_forward": _net("while True: pass"),
    "dies_in_forward": _net("import ctypes; ctypes.string_at(0)"),
    "contradicts": _HEAD
    + """
class Net(nn.Module):
    def forward(self, x: Float[Tensor, "b c"]) -> Float[Tensor, "b c c"]:
        return x
""",
    "loads": _HEAD + "torch.save({'fc.weight': torch.zeros(3, 3)}, 'wrong.pt')\n"
    "@shapecheck.case(checkpoint='wrong.pt')" + _NET.replace("BODY", "pass"),
    "reads": _net().replace("super().__init__()", "super().__init__(); open('no_such_file.yaml')"),
    "unbuilt": _net().replace("def __init__(self)", "def __init__(self, width)"),
    "plain": "raise ValueError('a script without models is not imported')\n",
}

DIAGNOSTICS = {
    "raises": ("failed-import", 6, "cannot import: ValueError: not today"),
    "needs": ("failed-import", 6, "cannot import: ModuleNotFoundError: No module named 'no_such_package'"),
    "exits": ("failed-import", 6, "cannot import: calls sys.exit(0)"),
    "leaves": ("failed-import", 1, "import exited with code 0"),
    "fills": ("failed-import", 6, "cannot import: allocates 3.6 TiB, more than the memory available"),
    "hangs": ("failed-import", 6, "import exceeded the time limit of 4 s; raise --timeout"),
    "broken": ("syntax-error", 6, "cannot parse: "),
    "exits_in_forward": ("failed-run", 13, "calls sys.exit(0)"),
    "fills_in_forward": ("ended-run", 7, "needs more than the "),
    "hangs_in_forward": ("ended-run", 13, "exceeded the time limit of 4 s here"),
    "dies_in_forward": ("ended-run", 13, "was killed by signal 11 (SIGSEGV) here"),
    "contradicts": ("shape-mismatch", 9, "expected 3 dimensions"),
    "loads": ("checkpoint-mismatch", None, "expected fc.weight of shape (4, 8), got (3, 3)"),
}
OUTCOMES = {
    "good": "passed",
    "exits_in_forward": "failed",
    "fills_in_forward": "ended",
    "dies_in_forward": "ended",
    "contradicts": "failed",
    "loads": "failed",
    "unbuilt": "unbuilt",
    "reads": "unbuilt",
}

HANGING = ("hangs", "hangs_in_forward")

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits of memory are those of POSIX")


def _write(folder: Path, *names: str) -> None:
    for name in names:
        (folder / f"{name}.py").write_text(PROGRAMS[name])


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "shapecheck", "run", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("programs")
    _write(folder, *PROGRAMS)
    return folder


@pytest.fixture(scope="module")
def hanging(folder: Path) -> Mapping[str, Any]:
    """The report of the programs that hang; the others have all the time that a busy machine may take."""
    files = [f"{name}.py" for name in HANGING]
    with pytest.MonkeyPatch.context() as patch:
        result = _invoke(folder, patch, *files, "--check", "sweep", "--timeout", "4", "--format", "json")
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.fixture(scope="module")
def done(folder: Path) -> subprocess.CompletedProcess[str]:
    """One run of all other programs."""
    reports = ("--output", "report.json", "--output", "report.xml")
    return _run(folder, ".", "--check", "sweep", "--exclude", "hangs*", "--verbose", *reports)


@pytest.fixture(scope="module")
def report(folder: Path, done: subprocess.CompletedProcess[str]) -> Mapping[str, Any]:
    found: dict[str, Any] = json.loads((folder / "report.json").read_text())
    return found


@posix
@pytest.mark.parametrize("name", sorted(DIAGNOSTICS))
def test_what_goes_wrong_is_one_finding_at_its_line(name: str, request: pytest.FixtureRequest) -> None:
    source: Mapping[str, Any] = request.getfixturevalue("hanging" if name in HANGING else "report")
    found = [one for one in source["diagnostics"] if one["path"] == f"{name}.py"]
    code, line, words = DIAGNOSTICS[name]
    assert [one["code"] for one in found] == [code]
    assert words in found[0]["message"]
    assert "\n" not in found[0]["message"]
    assert line in (None, found[0]["line"])


@posix
def test_the_other_cases_are_not_lost(report: Mapping[str, Any], hanging: Mapping[str, Any]) -> None:
    assert _outcomes(report) == OUTCOMES
    assert list(_outcomes(report)) == sorted(OUTCOMES)
    assert _outcomes(hanging) == {"hangs_in_forward": "ended"}


def _outcomes(report: Mapping[str, Any]) -> dict[str, str]:
    return {case["name"].removesuffix(":Net"): case["outcome"] for case in report["cases"]}


@posix
def test_what_could_not_be_imported_makes_the_exit_code_2(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 2
    assert "Traceback" not in done.stdout + done.stderr


@posix
def test_prints_do_not_mix_with_the_report(done: subprocess.CompletedProcess[str]) -> None:
    before, _, after = done.stdout.partition("printed by good:Net:")
    assert "it was run" in after
    assert "it was run" not in before


@posix
def test_the_report_is_written_in_each_form(folder: Path, done: subprocess.CompletedProcess[str]) -> None:
    suite = ET.parse(folder / "report.xml").getroot()
    assert len(suite.findall(".//testcase")) >= len(OUTCOMES)


def test_the_report_says_how_to_repeat_the_run(report: Mapping[str, Any]) -> None:
    environment = report["environment"]
    assert environment["command"][:3] == ["shapecheck", "run", "."]
    assert {"device", "seed", "threads", "jobs", "python", "versions", "cpu", "flags", "variables"} <= set(environment)
    assert environment["versions"]["torch"]


@posix
def test_a_script_without_models_is_not_imported(report: Mapping[str, Any]) -> None:
    assert not [one for one in report["diagnostics"] if one["path"] == "plain.py"]


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
    assert _invoke(folder, monkeypatch, *targets, "--check", "sweep").exit_code == CODES[targets]


def _invoke(folder: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Result:
    """In this process, whose workers share what they need to import."""
    monkeypatch.chdir(folder)
    return CliRunner().invoke(main, ["run", *arguments])


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
    ("good.py", "--memory", "much"): 'expected a size such as 500MB or 4GiB, got "much"',
    ("good.py", "--timeout", "0"): "--timeout",
}


@pytest.mark.parametrize("arguments", LINES, ids=" ".join)
def test_what_cannot_be_done_is_said_in_one_line(
    arguments: tuple[str, ...], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = _invoke(folder, monkeypatch, *arguments)
    assert result.exit_code == 2
    assert sum(LINES[arguments] in line for line in result.stderr.splitlines()) == 1


def test_a_report_that_cannot_be_written_is_told_before_anything_is_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = _invoke(folder, monkeypatch, "hangs.py", "--output", "nowhere/report.json")
    assert (result.exit_code, result.stdout) == (2, "")


def test_without_a_gpu_cuda_is_refused_in_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    done = _run(folder, "good.py", "--device", "cuda")
    assert done.returncode == 2
    assert done.stderr.startswith("shapecheck: --device cuda: no GPU available")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("option", [("--output", "report.html"), ("--format", "html")], ids=" ".join)
def test_without_jinja2_an_html_report_is_refused_before_anything_is_run(
    option: tuple[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    result = _invoke(folder, monkeypatch, "hangs.py", *option)
    line = 'shapecheck: cannot write the report: cannot import jinja2; run: pip install "torch-shapecheck[torch]"\n'
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", line)


def test_without_torch_the_extra_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psutil", None)
    result = _invoke(folder, monkeypatch, "good.py")
    assert result.exit_code == 2
    assert result.stderr == 'shapecheck: cannot import psutil; run: pip install "torch-shapecheck[torch]"\n'


@pytest.mark.parametrize(
    ("version", "too_old"),
    [("2.3.1+cpu", True), ("1.13", True), ("2.4.0a0+git", False), ("2.13.0", False), ("3.0", False)],
)
def test_a_torch_that_is_too_old_is_named(version: str, too_old: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.metadata.version", lambda name: version)
    assert missing_requirements() == (
        f'expected torch 2.4 or newer, got {version}; run: pip install "torch-shapecheck[torch]"' if too_old else None
    )


def test_cases_are_listed_and_not_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = _invoke(folder, monkeypatch, "good.py", "hangs_in_forward.py", "--list")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == ["good.py:7: good:Net", "hangs_in_forward.py:7: hangs_in_forward:Net"]


def test_a_configured_case_can_be_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(tmp_path, "unbuilt")
    (tmp_path / "pyproject.toml").write_text(
        '[tool.shapecheck.run]\nchecks = ["sweep"]\n'
        '[tool.shapecheck.cases.wide]\ntarget = "unbuilt:Net"\nkwargs = { width = 3 }\n'
    )
    result = _invoke(tmp_path, monkeypatch, "unbuilt:Net[wide]", "--format", "json")
    assert result.exit_code == 0
    cases = json.loads(result.stdout)["cases"]
    assert [(case["name"], case["outcome"]) for case in cases] == [("unbuilt:Net[wide]", "passed")]
    assert {check["name"] for check in cases[0]["checks"]} == {"contract", "sweep"}


def test_a_configured_name_that_the_file_lacks_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(tmp_path, "unbuilt")
    (tmp_path / "pyproject.toml").write_text('[tool.shapecheck.cases.wide]\ntarget = "unbuilt:Nett"\n')
    result = _invoke(tmp_path, monkeypatch, "unbuilt.py", "--list")
    assert result.exit_code == 2
    assert 'tool.shapecheck.cases: unbuilt:Nett: no such model or factory in unbuilt.py; did you mean "Net"?' in (
        result.stderr
    )


def test_the_annotations_of_all_files_of_the_program_are_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "src" / "nets").mkdir(parents=True)
    (tmp_path / "src" / "nets" / "turned.py").write_text(
        "from jaxtyping import Float\nfrom torch import Tensor, nn\n\n\nclass Turned(nn.Module):\n"
        '    def forward(self, x: Float[Tensor, "b h w"]) -> Float[Tensor, "b h w"]:\n        return x.mT\n'
    )
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "cases.py").write_text(
        "from nets.turned import Turned\n\n\ndef turned() -> Turned:\n    return Turned()\n"
    )
    (tmp_path / "pyproject.toml").touch()
    result = _invoke(tmp_path, monkeypatch, "tests/cases.py", "--check", "contract", "--quiet")
    assert result.stdout.startswith(
        'src/nets/turned.py:7:9: error: Turned.forward(return): expected dimension 1 ("h") to be '
    )


def test_what_stops_several_files_is_one_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "base.py").write_text("def forward(): ...\nimport no_such_package\n")
    for name in ("first", "second"):
        (tmp_path / f"{name}.py").write_text("import base\ndef forward(): ...\n")
    result = _invoke(tmp_path, monkeypatch, ".", "--list")
    assert result.exit_code == 2
    assert result.stdout == (
        "base.py:2:1: error: cannot import: ModuleNotFoundError: No module named 'no_such_package' "
        "(and 2 other files for the same reason) [failed-import]\n"
    )


def test_files_of_one_name_are_told_apart_by_their_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        _write(tmp_path / name, "contradicts")
    result = _invoke(tmp_path, monkeypatch, ".", "--check", "sweep", "--format", "json")
    report = json.loads(result.stdout)
    names = ["first/contradicts.py:Net", "second/contradicts.py:Net"]
    assert [case["name"] for case in report["cases"]] == names
    assert [(one["case"], one["path"]) for one in report["diagnostics"]] == [
        (name, name.removesuffix(":Net")) for name in names
    ]
    listed = _invoke(tmp_path, monkeypatch, *names, "--list").stdout
    assert [line.split(": ")[1] for line in listed.splitlines()] == names


def test_a_folder_without_models_is_said_to_be_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(tmp_path, "plain")
    result = _invoke(tmp_path, monkeypatch, ".")
    assert result.exit_code == 0
    assert "no models found: expected a class with a forward" in result.stderr


@contextmanager
def _interrupts_heeded() -> Iterator[None]:
    """What is started in here heeds them; jobs in the background of a shell, and all that they start, do not."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@posix
def test_an_interrupt_ends_all_processes(tmp_path: Path) -> None:
    marker = tmp_path / "pid"
    (tmp_path / "waits.py").write_text(
        _net(
            f"import subprocess; open({str(marker)!r}, 'w').write(str(os.getpid())); subprocess.run(['sleep', '3600'])"
        )
    )
    command = [sys.executable, "-m", "shapecheck", "run", "waits.py", "--check", "sweep"]
    with _interrupts_heeded():
        run = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + PATIENCE
    while not (marker.exists() and marker.read_text()) and time.monotonic() < until:
        time.sleep(0.1)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=AT_ONCE)
    assert run.returncode == 130
    assert errors == "shapecheck: interrupted\n"
    with pytest.raises(ProcessLookupError):
        os.kill(int(marker.read_text()), 0)


def test_the_process_that_hands_out_the_work_imports_no_torch(folder: Path) -> None:
    program = (
        "import sys; from shapecheck.cli import main; main(['run', 'good.py', '--list'], standalone_mode=False);"
        "print(sorted({'torch', 'jaxtyping', 'good'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout == "good.py:7: good:Net\n[]\n"


def test_help_imports_no_torch() -> None:
    program = (
        "import sys; from shapecheck.cli import main; main(['run', '--help'], standalone_mode=False);"
        "print(sorted({'libcst', 'rich', 'torch', 'psutil'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")
