"""The command with the interpreter behind it: processes, shapes, figures, notes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from shapecheck.cli import main
from shapecheck.static.entry import parallel as many
from tests.patience import AT_ONCE

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the tests reach into workers by forking")
NET = """\
import torch
from torch import nn
from shapecheck import reveal_shape
from pkg.shared import head


class Net(nn.Module):
    def __init__(self, width={width}):
        super().__init__()
        self.up = nn.Linear(8, width)
        self.out = head()

    def forward(self, x):
        return self.out(self.up(x))


reveal_shape(Net()(torch.zeros(2, 8)))
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg/__init__.py").touch()
    (tmp_path / "pkg/shared.py").write_text("from torch import nn\n\ndef head():\n    return nn.Linear(4, 1)\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_nets(count: int) -> None:
    for number in range(count):
        Path(f"pkg/net{number:02}.py").write_text(NET.format(width=4 + number % 3))
    Path("pkg/broken.py").write_text("def f(:\n")


def check(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["check", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


# -- processes


@LINUX
@pytest.mark.parametrize("form", ["text", "json", "sarif"])
def test_any_number_of_processes_says_the_same(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write_nets(8)
    monkeypatch.setattr(many, "_WORTH_A_PROCESS", 1)
    one, *others = (check("--no-cache", "--format", form, "--jobs", jobs) for jobs in ("1", "2", "3"))
    assert one.exit_code == 1
    assert one.stdout.count("shape-mismatch") >= 5
    assert {other.stdout for other in others} == {one.stdout}


@LINUX
def test_a_worker_that_is_killed_is_one_line_and_exit_2(monkeypatch: pytest.MonkeyPatch) -> None:
    write_nets(6)
    monkeypatch.setattr(many, "_WORTH_A_PROCESS", 1)
    real, parent = many.Checker.outcome, os.getpid()

    def outcome(self: many.Checker, path: Path, asked: set[str]) -> many.FileOutcome:
        if path.name == "net02.py" and os.getpid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(self, path, asked)

    monkeypatch.setattr(many.Checker, "outcome", outcome)
    result = check("--jobs", "2")
    assert result.exit_code == 2
    assert result.stdout.count("[internal-error]") == 1
    assert "pkg/net02.py:1:1: error: skipped: the system killed its process" in result.stdout
    assert "pkg/net01.py:14:16: error: Linear" in result.stdout


@LINUX
def test_an_interrupt_is_one_line_at_once(tmp_path: Path) -> None:
    write_nets(8)
    program = tmp_path / "slow.py"
    program.write_text(
        "import os, signal, time, shapecheck.static.entry.parallel as many\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from shapecheck.cli import main\n"
        "many._WORTH_A_PROCESS = 1\n"
        "many.Checker.outcome = lambda self, path, asked: (os.write(1, b'at work\\n'), time.sleep(3600))\n"
        "main(['check', '--jobs', '2', 'pkg'])\n"
    )
    words = [sys.executable, str(program)]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "at work\n"
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=AT_ONCE)
    assert process.returncode == 130
    assert errors == "shapecheck: interrupted\n"


# -- shapes and figures


def test_shapes_of_several_files_stand_under_their_names_and_findings_after_them() -> None:
    write_nets(2)
    Path("pkg/broken.py").unlink()
    result = check("--show-shapes", "pkg")
    assert result.exit_code == 1
    assert re.findall(r"^# (pkg/.*)$", result.stdout, re.MULTILINE) == sorted(map(str, Path("pkg").glob("*.py")))
    error = next(line for line in result.stdout.splitlines() if ": error: " in line)
    assert error.startswith("pkg/net01.py:14:16: error: Linear: ")


def test_json_has_shapes_and_figures() -> None:
    Path("net.py").write_text("import torch\nx = torch.zeros(2, 3)\nn = 1\n")
    report = json.loads(check("--show-shapes", "--stats", "--format", "json", "net.py").stdout)
    assert report["shapes"] == [{"path": "net.py", "line": 2, "name": "x", "shape": "(2, 3)", "dtype": "float32"}]
    assert report["stats"]["operators"] == {"asked": 1, "different": 1}
    assert report["stats"]["expressions"]["seen"] == 0


def test_the_files_that_were_cut_short_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("long.py").write_text("import torch\nfor _ in range(9):\n    torch.zeros(2, 3)\n")
    Path("short.py").write_text("import torch\n")
    monkeypatch.setattr("shapecheck.static.engine.budget.MOST_STEPS", 5)
    assert json.loads(check("--stats", "--format", "json", "long.py", "short.py").stdout)["stats"]["cut short"] == [
        "long.py"
    ]
    assert "  long.py: stopped early, because it takes too many steps\n" in check("--stats", "long.py").stdout


def _stopped(*names: str) -> None:
    for name in names:
        Path(name).write_text("import torch\nfor _ in range(9):\n    torch.zeros(2, 3)\n")


@pytest.mark.parametrize(
    ("count", "named"),
    [
        (1, "Stopped early in 1 file, after too many steps: a.py (--stats shows what was not analyzed)\n"),
        (3, "Stopped early in 3 files, after too many steps: a.py, b.py and c.py (--stats"),
        (5, "Stopped early in 5 files, after too many steps: a.py, b.py, c.py and 2 more (--stats"),
    ],
)
def test_the_summary_names_files_that_were_cut_short(count: int, named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [*(f"{letter}.py" for letter in "abcde"[:count]), "short.py"]
    _stopped(*names[:-1])
    Path("short.py").write_text("import torch\n")
    monkeypatch.setattr("shapecheck.static.engine.budget.MOST_STEPS", 5)
    first, cached = check("--jobs", "1", *names), check("--jobs", "1", *names)
    assert named in first.stderr
    assert f"{count + 1} from the cache" in cached.stderr
    assert named in cached.stderr
    assert named in check("--format", "github", *names).stderr
    assert first.exit_code == cached.exit_code == 0
    assert check("--quiet", *names).stderr == ""


def test_reports_for_programs_name_files_that_were_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    _stopped("long.py")
    Path("short.py").write_text("import torch\n")

    def report(form: str) -> Any:
        return json.loads(check("--no-cache", "--format", form, "long.py", "short.py").stdout)

    assert report("json")["summary"]["cut short"] == []
    assert "invocations" not in report("sarif")["runs"][0]
    monkeypatch.setattr("shapecheck.static.engine.budget.MOST_STEPS", 5)
    assert report("json")["summary"]["cut short"] == ["long.py"]
    (invocation,) = report("sarif")["runs"][0]["invocations"]
    assert invocation["toolExecutionNotifications"] == [
        {"level": "warning", "message": {"text": "long.py: stopped early, after too many steps"}}
    ]


def test_watching_changes_no_finding() -> None:
    write_nets(3)
    plain, watched = (
        json.loads(check("--format", "json", *more).stdout) for more in ([], ["--stats", "--show-shapes"])
    )
    assert plain["diagnostics"]
    assert plain["diagnostics"] == watched["diagnostics"]


# -- roots


def test_absolute_imports_start_at_the_configuration() -> None:
    Path("app").mkdir()
    Path("app/main.py").write_text("import torch\nfrom pkg.shared import head\nhead()(torch.zeros(2, 3))\n")
    assert check("app/main.py").exit_code == 1


# -- the start


@pytest.mark.parametrize(("source", "loaded"), [("x = 1\n", False), ("import torch\ntorch.zeros(1)\n", True)])
def test_a_file_without_torch_loads_no_rules(source: str, loaded: bool) -> None:
    Path("small.py").write_text(source)
    program = (
        "import sys\nfrom shapecheck.cli import main\n"
        "main(['check', '--quiet', 'small.py'], standalone_mode=False)\n"
        "print([name for name in sys.modules if name.startswith(('shapecheck.ops.rules.', 'multiprocessing', 'rich'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout != "[]\n" if loaded else done.stdout == "[]\n"


@pytest.mark.parametrize(("comment", "status"), [("", 1), ("  # shapecheck: ignore[shape-mismatch]", 0)])
def test_a_comment_where_it_happens_counts_for_the_call_that_is_told(comment: str, status: int) -> None:
    Path("pkg/shared.py").write_text(
        f"import torch\n\ndef add(n):\n    return torch.zeros(n) + torch.zeros(4){comment}\n"
    )
    Path("main.py").write_text("from pkg.shared import add\n\nadd(3)\n")
    result = check("main.py")
    assert result.exit_code == status
    assert ("main.py:3:1: error: add: cannot broadcast (3,) and (4,)" in result.stdout) is (status == 1)


REPEATED = """\
import torch

bias = torch.zeros(7)
a = torch.zeros(3, 8) + bias
b = torch.zeros(3, 8) * bias
c = torch.zeros(3, 8) - bias
"""
COMMENT = "  # shapecheck: ignore[shape-mismatch]"


def repeated(*commented: int) -> None:
    """Writes the program with comments on these lines."""
    lines = enumerate(REPEATED.splitlines(), start=1)
    Path("net.py").write_text("".join(f"{text}{COMMENT * (line in commented)}\n" for line, text in lines))


def checked(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", "--no-cache", *arguments, "net.py"])


def test_a_mistake_at_several_lines_is_one_finding_in_every_report() -> None:
    repeated()
    (one,) = json.loads(checked("--format", "json").stdout)["diagnostics"]
    note = {"path": "net.py", "line": 5, "column": 5, "message": "the same cause also affects lines 5 and 6"}
    assert (one["line"], one["notes"][-1]) == (4, note)
    (result,) = json.loads(checked("--format", "sarif").stdout)["runs"][0]["results"]
    related = result["relatedLocations"][-1]
    assert related["message"]["text"] == note["message"]
    assert related["physicalLocation"]["region"] == {"startLine": 5, "startColumn": 5}
    assert checked("--quiet").stdout.splitlines()[-1] == f"net.py:5:5: note: {note['message']}"


@pytest.mark.parametrize(
    ("commented", "lines", "note"),
    [
        ((4,), [], ""),
        ((4, 5, 6), [], ""),
        ((5,), [4], "the same cause also affects line 6"),
        ((5, 6), [4], "bias has shape (7,) from here: torch.zeros(7)"),
    ],
)
def test_comments_on_a_mistake_at_several_lines_are_all_used(
    commented: tuple[int, ...], lines: list[int], note: str
) -> None:
    repeated(*commented)
    found = json.loads(checked("--format", "json").stdout)["diagnostics"]
    assert [(one["line"], one["code"]) for one in found] == [(line, "shape-mismatch") for line in lines]
    assert [one["notes"][-1]["message"] for one in found] == [note] * len(lines)


def test_a_baseline_knows_a_mistake_by_its_first_line() -> None:
    repeated()
    baseline = ("--baseline", "known.json")
    assert checked(*baseline, "--write-baseline").exit_code == 0
    assert len(json.loads(Path("known.json").read_text())["findings"]) == 1
    assert (checked(*baseline, "--quiet").stdout, checked(*baseline).exit_code) == ("", 0)
    with Path("net.py").open("a") as program:
        program.write("d = torch.zeros(3, 8) / bias\n")
    assert checked(*baseline).exit_code == 0
    with Path("net.py").open("a") as program:
        program.write("e = torch.zeros(3, 9) + torch.zeros(3, 5)\n")
    (one,) = json.loads(checked(*baseline, "--format", "json").stdout)["diagnostics"]
    assert one["line"] == 8


def test_the_cache_keeps_what_combines_findings() -> None:
    repeated()
    runs = [CliRunner().invoke(main, ["check", "--quiet", "net.py"]).stdout for _ in range(2)]
    assert runs[0] == runs[1] == checked("--quiet").stdout
