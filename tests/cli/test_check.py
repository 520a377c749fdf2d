"""The command around the interpreter, which is replaced here: what it is asked, and what becomes of what it finds."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result

import shapecheck.cli.check as check_command
from shapecheck import selection
from shapecheck.cli import main
from shapecheck.config import load_config
from shapecheck.diagnostics import CHECKS, CODES, Diagnostic, Note, Severity
from shapecheck.project.outcomes import FileOutcome
from shapecheck.static.entry import parallel

DOCUMENTATION = (Path(__file__).parents[2] / "docs" / "check-reference.md").read_text(encoding="utf-8")
SOURCE = "import torch\n\nbad = torch.zeros(2) @ torch.zeros(3)\nodd = torch.mean(\n    bad\n)\n"


def finding(code: str, path: str = "net.py", line: int = 3, end_line: int | None = None) -> Diagnostic:
    return Diagnostic(path, line, 7, end_line or line, 38, code, CODES[code].severity, "it does not fit")


class Interpreter:
    """Takes the place of `shapecheck.static`: what it is to find, and what it was asked."""

    def __init__(self) -> None:
        self.findings: list[Diagnostic] = []
        self.asked: list[str] = []
        self.roots: list[Path] = []
        self.jobs = 0
        self.whole = True

    def check_in_parallel(
        self,
        files: Sequence[Path],
        roots: Sequence[Path],
        codes: frozenset[str],
        jobs: int,
        asked: Sequence[Path],
        _: object,
    ) -> list[FileOutcome]:
        assert files == asked  # what is replaced reads nothing, so nothing is known from the cache
        self.asked = [path.relative_to(Path.cwd()).as_posix() for path in files]
        self.roots, self.jobs = list(roots), jobs
        rest = [one for one in self.findings if one.path not in self.asked]
        found = {name: [one for one in self.findings if one.path == name] for name in self.asked}
        return [
            FileOutcome(path, [*found[name], *rest], self.whole) for path, name in zip(files, self.asked, strict=True)
        ]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "net.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def interpreter(monkeypatch: pytest.MonkeyPatch) -> Interpreter:
    replacement = Interpreter()
    monkeypatch.setattr(parallel, "check_in_parallel", replacement.check_in_parallel)
    return replacement


def check(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["check", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


# -- what it says, and the exit code


def test_nothing_found_is_0() -> None:
    result = check()
    assert (result.exit_code, result.stdout) == (0, "")
    assert re.fullmatch(r"No findings \(checked 1 file in \d+\.\d s\)\n", result.stderr)


def test_findings_are_1(interpreter: Interpreter) -> None:
    interpreter.findings = [finding("shape-mismatch"), finding("silent-broadcast", line=4)]
    result = check("net.py")
    assert result.exit_code == 1
    assert result.stdout == (
        "net.py:3:7: error: it does not fit [shape-mismatch]\nnet.py:4:7: warning: it does not fit [silent-broadcast]\n"
    )
    assert re.fullmatch(r"Found 1 error and 1 warning in 1 file \(checked 1 file in \d+\.\d s\)\n", result.stderr)


@pytest.mark.parametrize("code", CHECKS)
def test_every_check_alone_is_1_unless_it_is_a_note(code: str, interpreter: Interpreter) -> None:
    interpreter.findings = [finding(code)]
    assert check("--select", code).exit_code == int(CODES[code].severity is not Severity.NOTE)


def test_direct_forward_fails_a_build_only_if_its_severity_is_raised(interpreter: Interpreter) -> None:
    interpreter.findings = [finding("direct-forward")]
    assert check("--fail-on", "warning").exit_code == 0
    Path("pyproject.toml").write_text('[tool.shapecheck.check]\nseverity = { direct-forward = "warning" }\n')
    assert check().exit_code == 1
    assert check("--fail-on", "error").exit_code == 0


def test_a_code_that_is_only_for_those_who_ask(interpreter: Interpreter) -> None:
    interpreter.findings = [finding("tensor-core-size")]
    assert check().exit_code == 0
    Path("pyproject.toml").write_text('[tool.shapecheck.check]\nselect = ["tensor-core-size"]\n')
    assert check().exit_code == 1


def test_notes_do_not_change_the_exit_code(interpreter: Interpreter) -> None:
    interpreter.findings = [replace(finding("shape-mismatch"), severity=Severity.NOTE)]
    result = check()
    assert result.exit_code == 0
    assert ": note: " in result.stdout


@pytest.mark.parametrize(("code", "status"), [("syntax-error", 1), ("unreadable-file", 2), ("internal-error", 2)])
def test_what_could_not_be_looked_at_hides_nothing(code: str, status: int, interpreter: Interpreter) -> None:
    interpreter.findings = [finding(code, "a.py"), finding("shape-mismatch")]
    result = check("--select", "shape-mismatch")
    assert result.exit_code == status
    assert f"[{code}]" in result.stdout
    assert "[shape-mismatch]" in result.stdout


def test_a_missing_path_is_2_and_the_others_are_checked(interpreter: Interpreter) -> None:
    interpreter.findings = [finding("shape-mismatch")]
    result = check("missing.py", "net.py")
    assert result.exit_code == 2
    assert result.stdout.startswith("missing.py:1:1: error: no such file or directory [unreadable-file]\n")
    assert "[shape-mismatch]" in result.stdout
    assert interpreter.asked == ["net.py"]


def test_a_missing_path_of_the_configuration_names_it(interpreter: Interpreter) -> None:
    Path("pyproject.toml").write_text('[tool.shapecheck]\npaths = ["source"]\n')
    result = check()
    assert result.exit_code == 2
    assert "source:1:1: error: no such file or directory (from `paths` in pyproject.toml)" in result.stdout


def test_quiet_prints_findings_only(interpreter: Interpreter) -> None:
    interpreter.findings = [finding("shape-mismatch")]
    result = check("-q")
    assert "[shape-mismatch]" in result.stdout
    assert result.stderr == ""


# -- which files, which codes


def test_files_are_found_as_fix_finds_them(interpreter: Interpreter) -> None:
    for name in ("src/a.py", "src/b.txt", "src/vendored/c.py", "src/old/d.py", "src/venv/e.py"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).touch()
    Path("pyproject.toml").write_text('[tool.shapecheck]\npaths = ["src"]\nexclude = ["/src/vendored"]\n')
    result = check("--exclude", "old/")
    assert interpreter.asked == ["src/a.py"]
    assert "Skipped 1 file or directory: excluded by default\n" in result.stderr
    check("net.py", "src/vendored/c.py")
    assert interpreter.asked == ["net.py", "src/vendored/c.py"]


def test_codes_are_selected_and_ignored(interpreter: Interpreter) -> None:
    interpreter.findings = [finding("shape-mismatch"), finding("loss-broadcast")]
    assert check("--select", "dtype-mismatch").exit_code == 0
    assert check("--ignore", "shape-mismatch, loss-broadcast").exit_code == 0
    assert "shape-mismatch" not in check("--ignore", "shape-mismatch").stdout
    Path("pyproject.toml").write_text('[tool.shapecheck.check]\nignore = ["loss-broadcast"]\n')
    assert "loss-broadcast" not in check().stdout
    assert "loss-broadcast" in check("--ignore", "shape-mismatch").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--select", "shape-mismach"], 'did you mean "shape-mismatch"?'),
        (["--select", "syntax-error"], 'check does not report "syntax-error"'),
        (
            ["--select", "batch-dependence"],
            'check does not report "batch-dependence"; see `shapecheck explain batch-dependence`',
        ),
        (["--select", "wrong-call", "--ignore", "wrong-call"], "no code is enabled: all selected codes are ignored"),
        (["--format", "html"], "html"),
        (["--jobs", "0"], "--jobs"),
        (["--write-baseline"], "--write-baseline requires --baseline FILE"),
        (["--no-baseline", "--baseline", "known.json"], "--no-baseline cannot be used with"),
        (["--stats", "--format", "sarif"], "--stats requires --format text or json, got sarif"),
        (["--show-shapes", "--format", "github"], "--show-shapes requires --format text or json, got github"),
    ],
)
def test_wrong_usage_exits_with_2(arguments: list[str], said: str) -> None:
    result = check(*arguments)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())


def test_a_mistake_in_the_configuration_is_one_line() -> None:
    Path("pyproject.toml").write_text('[tool.shapecheck.check]\nselect = ["shapes"]\n')
    result = check()
    assert result.exit_code == 2
    assert 'tool.shapecheck.check.select: unknown code "shapes"; did you mean "shape-mismatch"?' in result.stderr
    assert result.stderr.count("\n") == 1


# -- comments


@pytest.mark.parametrize(
    ("comment", "silent"),
    [
        ("# shapecheck: ignore[shape-mismatch]", True),
        ("# shapecheck: ignore[wrong-call, shape-mismatch]", True),
        ("# shapecheck: ignore", True),
        ("# noqa  # shapecheck: ignore[shape-mismatch]", True),
        ("# shapecheck: ignore[wrong-call]", False),
        ("# shapecheck: from forward", False),
        ("# type: ignore", False),
    ],
)
def test_a_comment_silences_its_codes(comment: str, silent: bool, interpreter: Interpreter) -> None:
    Path("net.py").write_text(SOURCE.replace("(3)\n", f"(3)  {comment}\n"))
    interpreter.findings = [finding("shape-mismatch")]
    result = check("net.py")
    assert result.exit_code == (0 if silent else 1)
    assert ("Suppressed 1 finding by comment" in result.stderr) is silent


@pytest.mark.parametrize(("line", "silent"), [(2, False), (4, True), (5, False), (6, True)])
def test_the_comment_is_on_the_first_or_last_line(line: int, silent: bool, interpreter: Interpreter) -> None:
    lines = SOURCE.splitlines()
    lines[line - 1] += "  # shapecheck: ignore"
    Path("net.py").write_text("\n".join(lines))
    interpreter.findings = [finding("wrong-call", line=4, end_line=6)]
    assert check().exit_code == (0 if silent else 1)


def test_what_could_not_be_looked_at_is_not_silenced(interpreter: Interpreter) -> None:
    Path("net.py").write_text("x = (  # shapecheck: ignore\n")
    interpreter.findings = [finding("syntax-error", line=1)]
    assert check().exit_code == 1


def test_a_finding_in_a_file_that_is_gone_or_shorter_stays(interpreter: Interpreter) -> None:
    interpreter.findings = [finding("shape-mismatch", "gone.py"), finding("shape-mismatch", line=99)]
    assert check().stdout.count("[shape-mismatch]") == 2


# -- comments that silence nothing


def test_a_comment_that_silences_nothing_is_reported_in_a_folder(interpreter: Interpreter) -> None:
    Path("net.py").write_text(SOURCE.replace("(3)\n", "(3)  # shapecheck: ignore[wrong-call]\n"))
    interpreter.findings = [finding("shape-mismatch")]
    assert [line.rpartition(" ")[2] for line in check(".").stdout.splitlines()] == [
        "[shape-mismatch]",
        "[unused-ignore]",
    ]
    for arguments in (
        ["net.py"],
        [".", "--ignore", "unused-ignore"],
        [".", "--select", "shape-mismatch,unused-ignore"],
    ):
        assert "unused-ignore" not in check(*arguments).stdout
    interpreter.whole = False
    assert "unused-ignore" not in check(".").stdout


@pytest.mark.parametrize("trouble", ["internal-error", "syntax-error"])
def test_a_file_that_was_not_wholly_checked_has_no_unused_comments(trouble: str, interpreter: Interpreter) -> None:
    Path("net.py").write_text("x = 1  # shapecheck: ignore[wrong-call]\n")
    assert "unused-ignore" in check().stdout
    interpreter.findings = [finding(trouble)]
    assert "unused-ignore" not in check().stdout


# -- settings by path and by code


PER_PATH = """
[tool.shapecheck.check]
ignore = ["loss-broadcast"]
severity = { silent-broadcast = "error" }
[tool.shapecheck.check.per-path]
"tests/**" = { ignore = ["silent-broadcast"], severity = { shape-mismatch = "warning" } }
"old/" = { select = ["wrong-call"], severity = { wrong-call = "note" } }
"""


@pytest.mark.parametrize(
    ("path", "code", "severity"),
    [
        ("net.py", "silent-broadcast", "error"),
        ("net.py", "shape-mismatch", "error"),
        ("net.py", "loss-broadcast", None),
        ("tests/net.py", "silent-broadcast", None),
        ("tests/deep/net.py", "shape-mismatch", "warning"),
        ("tests/net.py", "loss-broadcast", None),
        ("old/net.py", "wrong-call", "note"),
        ("old/net.py", "shape-mismatch", None),
        ("old/net.py", "syntax-error", "error"),
    ],
)
def test_settings_by_path(path: str, code: str, severity: str | None, interpreter: Interpreter) -> None:
    Path("pyproject.toml").write_text(PER_PATH)
    interpreter.findings = [finding(code, path)]
    shown = re.findall(r": (\w+): it does not fit", check().stdout)
    assert shown == ([] if severity is None else [severity])


def test_the_command_line_goes_before_a_selection_by_path(interpreter: Interpreter) -> None:
    Path("pyproject.toml").write_text(PER_PATH)
    interpreter.findings = [finding("shape-mismatch", "old/net.py"), finding("silent-broadcast", "tests/net.py")]
    result = check("--select", "shape-mismatch,silent-broadcast")
    assert re.findall(r"\[(.*)\]", result.stdout) == ["shape-mismatch"]


def test_opt_in_codes_are_selected_by_name(interpreter: Interpreter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(selection._SETS, "default", tuple(code for code in CHECKS if code != "wrong-call"))
    interpreter.findings = [finding("wrong-call"), finding("shape-mismatch", line=4)]
    for arguments, shown in (
        ([], ["shape-mismatch"]),
        (["--select", "default,wrong-call"], ["wrong-call", "shape-mismatch"]),
        (["--select", "all"], ["wrong-call", "shape-mismatch"]),
        (["--select", "wrong-call"], ["wrong-call"]),
    ):
        assert re.findall(r"\[(.*)\]", check(*arguments).stdout) == shown


def test_what_the_source_asks_to_be_told_is_always_told_unless_ignored(interpreter: Interpreter) -> None:
    interpreter.findings = [finding("revealed-shape")]
    result = check("--select", "shape-mismatch")
    assert result.exit_code == 0
    assert "[revealed-shape]" in result.stdout
    assert check("--ignore", "revealed-shape").stdout == ""


# -- the baseline


def test_a_baseline_leaves_what_is_new(interpreter: Interpreter) -> None:
    interpreter.findings = [finding("shape-mismatch")]
    written = check("--baseline", "known.json", "--write-baseline")
    assert (written.exit_code, written.stdout) == (0, "")
    assert "Wrote 1 finding to the baseline known.json" in written.stderr
    interpreter.findings.append(finding("silent-broadcast", line=4))
    result = check("--baseline", "known.json")
    assert result.exit_code == 1
    assert re.findall(r"\[(.*)\]", result.stdout) == ["silent-broadcast"]
    interpreter.findings = []
    result = check("--baseline", "known.json")
    assert result.exit_code == 0
    assert "1 entry of the baseline no longer occurs; remove with --write-baseline" in result.stderr
    summary = json.loads(check("--baseline", "known.json", "--format", "json").stdout)["summary"]
    assert summary["baseline"] == {"known": 0, "stale": 1}


def test_the_baseline_may_be_configured(interpreter: Interpreter) -> None:
    Path("pyproject.toml").write_text('[tool.shapecheck.check]\nbaseline = "known.json"\n')
    interpreter.findings = [finding("shape-mismatch")]
    assert check("--write-baseline").exit_code == 0
    assert check().exit_code == 0
    assert check("--no-baseline").exit_code == 1


@pytest.mark.parametrize("content", [None, "no json"])
def test_a_baseline_that_cannot_be_read_is_one_line_before_the_work(
    content: str | None, interpreter: Interpreter
) -> None:
    if content is not None:
        Path("known.json").write_text(content)
    result = check("--baseline", "known.json")
    assert (result.exit_code, result.stdout, interpreter.asked) == (2, "", [])
    assert result.stderr.startswith("shapecheck: known.json: ")
    assert result.stderr.count("\n") == 1


# -- how it is run


def test_imports_may_start_at_the_configuration_and_at_what_is_asked_for(interpreter: Interpreter) -> None:
    Path("src").mkdir()
    check("src", "net.py", "--jobs", "3")
    assert interpreter.roots == [Path.cwd(), Path.cwd() / "src"]
    assert interpreter.jobs == 3
    Path("pyproject.toml").write_text("[tool.shapecheck]\njobs = 2\n")
    check()
    assert interpreter.jobs == 2


# -- formats


def test_json(interpreter: Interpreter) -> None:
    note = Note("net.py", 1, 1, "2 comes from here")
    interpreter.findings = [replace(finding("shape-mismatch"), notes=(note,))]
    result = check("--format", "json", "net.py", "missing")
    report = json.loads(result.stdout)
    assert result.stderr == ""
    assert [(d["path"], d["code"]) for d in report["diagnostics"]] == [
        ("missing", "unreadable-file"),
        ("net.py", "shape-mismatch"),
    ]
    assert report["summary"] == {
        "files": {"seen": 1},
        "excluded": {},
        "severities": {"error": 2},
        "codes": {"unreadable-file": 1, "shape-mismatch": 1},
        "silenced": {"by comment": 0},
        "cut short": [],
    }


@pytest.mark.parametrize("findings", [[], [finding("shape-mismatch")]], ids=["clean", "found"])
def test_a_report_for_programs_is_alone_on_standard_output(
    findings: list[Diagnostic], interpreter: Interpreter
) -> None:
    interpreter.findings = findings
    sarif = json.loads(check("--format", "sarif").stdout)
    assert len(sarif["runs"][0]["results"]) == len(findings)
    junit = ET.fromstring(check("--format", "junit").stdout)
    assert junit.get("failures") == str(len(findings))


def test_reports_are_written_beside_what_is_printed(interpreter: Interpreter) -> None:
    interpreter.findings = [finding("shape-mismatch")]
    result = check("--format", "github", "-o", "a.sarif", "-o", "b.xml", "-o", "c.json", "-o", "d.txt")
    assert result.exit_code == 1
    assert result.stdout.startswith("::error ")
    assert len(json.loads(Path("a.sarif").read_text())["runs"][0]["results"]) == 1
    assert ET.parse("b.xml").getroot().get("failures") == "1"
    assert json.loads(Path("c.json").read_text())["summary"]["files"] == {"seen": 1}
    assert Path("d.txt").read_text() == check("--quiet").stdout


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("report.html", "unknown extension; expected one of"),
        ("no/such/report.json", "no such directory"),
        ("folder.json", "is a directory"),
    ],
)
def test_a_report_that_cannot_be_written(file: str, reason: str, interpreter: Interpreter) -> None:
    Path("folder.json").mkdir()
    result = check("--output", file)
    assert (result.exit_code, result.stdout) == (2, "")
    assert reason in result.stderr


@pytest.mark.parametrize(
    ("code", "fail_on", "expected"),
    [
        ("shape-mismatch", "warning", 1),
        ("shape-mismatch", "error", 1),
        ("shape-mismatch", "never", 0),
        ("silent-broadcast", "warning", 1),
        ("silent-broadcast", "error", 0),
        ("silent-broadcast", "never", 0),
        ("revealed-shape", "warning", 0),
        ("internal-error", "never", 2),
    ],
)
def test_which_severity_fails(code: str, fail_on: str, expected: int, interpreter: Interpreter) -> None:
    interpreter.findings = [finding(code)]
    assert check("--fail-on", fail_on).exit_code == expected


def test_the_format_may_be_configured(interpreter: Interpreter) -> None:
    Path("pyproject.toml").write_text('[tool.shapecheck]\nformat = "github"\n')
    interpreter.findings = [finding("shape-mismatch")]
    assert check().stdout.startswith("::error title=shapecheck (shape-mismatch),file=net.py,line=3,")


# -- the start, and the documentation


def test_help_loads_no_interpreter() -> None:
    program = (
        "import sys; from shapecheck.cli import main; main(['check', '--help'], standalone_mode=False);"
        "print(sorted(name for name in sys.modules if name.startswith(('shapecheck.static', 'shapecheck.ops',"
        " 'shapecheck.project', 'torch', 'libcst', 'rich', 'xml'))))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


def test_every_option_and_code_is_documented() -> None:
    options = [name for option in check_command.command.params for name in option.opts if name.startswith("-")]
    assert [name for name in options if f"`{name}" not in DOCUMENTATION] == []
    assert [name for name in CHECKS if f"| [`{name}`](codes/{name}.md) |" not in DOCUMENTATION] == []


def test_the_documented_configuration_is_the_default_one() -> None:
    default: Any = load_config(Path.cwd()).check
    block = re.search(r"```toml\n(.*?)```", DOCUMENTATION, re.DOTALL)
    assert block
    Path("pyproject.toml").write_text(block[1])
    assert load_config(Path.cwd()).check == default
