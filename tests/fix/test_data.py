"""The specification as files: what must change and into what, and what must stay as it is.

`tests/data/fix/change/NAME.in.py` becomes `NAME.out.py`; nothing in `keep/` changes; `projects/NAME/in` becomes
`projects/NAME/out`. Head comments: `# options:` as on the command line, `# tally:` what the summary must count,
`# requires:` a package needed to import the file, `# python:` the first Python with its grammar. A line that ends in
`# finding: note` or `# finding: warning` must have that finding left, and no other line may have one.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import black
import pytest

from shapecheck.config.load import parse_toml
from shapecheck.fix.model import FixOptions, FixStatus
from shapecheck.project.resolve import NameResolver
from shapecheck.project.source import SourceFile

from .support import ALL_CODES, DATA, Case, change_cases, fix_bytes, keep_cases, project_cases, project_names

CHANGE = change_cases()
KEEP = keep_cases()
PROJECT_FILES = project_cases()
SINGLE = [(case, case.raw, "in") for case in CHANGE] + [(case, case.expected, "out") for case in CHANGE]
_FINDING = re.compile(r"# finding: (note|warning)")


def _unless_too_new(case: Case) -> None:
    if case.too_new:
        pytest.skip(f"written in the grammar of Python {case.head['python']}")


def _project(name: str, side: str = "in") -> tuple[NameResolver, FixOptions]:
    root = DATA / "projects" / name / side
    roots = [root / "src"] if (root / "src").is_dir() else [root]
    return NameResolver(sorted(root.rglob("*.py")), roots), FixOptions(ALL_CODES, line_length=_line_length(root))


def _line_length(root: Path) -> int | None:
    config = root / "pyproject.toml"
    tools = parse_toml(config.read_text())["tool"] if config.exists() else {}
    lengths = [tools[name]["line-length"] for name in ("black", "ruff") if name in tools]
    return int(lengths[0]) if lengths else None


def _fix_in_project(case: Case, path: Path, side: str) -> bytes:
    project, options = _project(case.name.split("/")[0], side)
    return fix_bytes(path.read_bytes(), options, path, project)[0]


def test_more_is_kept_than_changed() -> None:
    assert len(CHANGE) >= 45
    assert len(KEEP) > len(CHANGE)
    assert len(project_names()) >= 10


@pytest.mark.parametrize("case", CHANGE, ids=str)
def test_changes_into(case: Case) -> None:
    _unless_too_new(case)
    assert case.raw != case.expected
    fixed, result = fix_bytes(case.raw, case.options)
    assert fixed.decode("latin-1") == case.expected.decode("latin-1")
    assert result.outcome is FixStatus.CHANGED
    assert result.fixed


@pytest.mark.parametrize("case", CHANGE, ids=str)
def test_a_second_run_changes_no_byte(case: Case) -> None:
    _unless_too_new(case)
    fixed, result = fix_bytes(case.expected, case.options)
    assert fixed.decode("latin-1") == case.expected.decode("latin-1")
    assert result.outcome is FixStatus.CLEAN
    assert not result.fixed


@pytest.mark.parametrize("case", KEEP, ids=str)
def test_keeps(case: Case) -> None:
    _unless_too_new(case)
    fixed, result = fix_bytes(case.raw, case.options)
    assert fixed.decode("latin-1") == case.raw.decode("latin-1")
    assert result.new_text is None
    assert not result.fixed
    generated = case.name.startswith("generated_")
    assert (result.outcome, result.reason) == ((FixStatus.SKIPPED, "generated") if generated else (FixStatus.CLEAN, ""))


@pytest.mark.parametrize("case", [c for c in KEEP if "tally" in c.head], ids=str)
def test_says_why_nothing_was_done(case: Case) -> None:
    _, result = fix_bytes(case.raw, case.options)
    assert case.head["tally"] in result.tally


@pytest.mark.parametrize("case", KEEP, ids=str)
def test_findings_left(case: Case) -> None:
    _unless_too_new(case)
    _, result = fix_bytes(case.raw, case.options)
    lines = SourceFile.from_bytes(case.raw, Path("model.py")).text.split("\n")
    wanted = [(n, found[1]) for n, line in enumerate(lines, 1) if (found := _FINDING.search(line))]
    left = [(d.line, d.severity.value) for d in result.left if d.code == "direct-forward"]
    assert sorted(left) == wanted


@pytest.mark.parametrize("case", PROJECT_FILES, ids=str)
def test_project_changes_into(case: Case) -> None:
    fixed = _fix_in_project(case, case.path, "in")
    assert fixed.decode() == case.expected.decode()


@pytest.mark.parametrize("case", PROJECT_FILES, ids=str)
def test_project_second_run_changes_no_byte(case: Case) -> None:
    fixed = _fix_in_project(case, case.expected_path, "out")
    assert fixed.decode() == case.expected.decode()


@pytest.mark.parametrize("case", CHANGE + PROJECT_FILES, ids=str)
def test_output_compiles(case: Case) -> None:
    _unless_too_new(case)
    ast.parse(case.raw)
    compile(case.expected, str(case.expected_path), "exec")


# -- formatters: whoever is stable before is stable after ------------------------------------------------------------


def _length(case: Case) -> int:
    return case.options.line_length or 88


def _stable_under_black(raw: bytes, length: int) -> bool:
    text = SourceFile.from_bytes(raw, Path("model.py")).text
    try:
        formatted = black.format_str(text, mode=black.Mode(line_length=length))
    except black.InvalidInput:
        return False
    return formatted == text


@pytest.mark.parametrize("case", CHANGE, ids=str)
def test_output_is_as_stable_under_black_as_the_input(case: Case) -> None:
    if not _stable_under_black(case.raw, _length(case)):
        pytest.skip("the input is not in black's form")
    assert _stable_under_black(case.expected, _length(case))


def _ruff(folder: Path, *arguments: str) -> set[str]:
    """The names of the files that ruff would change or complains of."""
    command = [sys.executable, "-m", "ruff", *arguments, "--isolated", "--no-cache", "--target-version", "py312", "."]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return set(re.findall(r"[\w.]+\.py", done.stdout + done.stderr))


def _written(folder: Path, keep: Callable[[Case], bool]) -> set[str]:
    names = set()
    for case, raw, side in SINGLE:
        if keep(case) and not case.name.startswith("bytes_latin1"):  # which ruff cannot read
            names.add(case.name)
            (folder / f"{case.name}.{side}.py").write_bytes(raw)
    return names


def _worse(complaints: set[str]) -> list[str]:
    """Names whose output is complained of and whose input is not."""
    outs = {name[:-7] for name in complaints if name.endswith(".out.py")}
    ins = {name[:-6] for name in complaints if name.endswith(".in.py")}
    return sorted(outs - ins)


def test_output_is_as_stable_under_ruff_format_as_the_input(tmp_path: Path) -> None:
    names = _written(tmp_path, lambda case: _length(case) == 88)
    complaints = _ruff(tmp_path, "format", "--check", "--line-length", "88")
    assert len({f"{name}.in.py" for name in names} - complaints) >= 45, "enough inputs are in ruff's form"
    assert _worse(complaints) == []


def test_output_is_as_well_sorted_as_the_input(tmp_path: Path) -> None:
    names = _written(tmp_path, lambda case: _length(case) == 88)
    complaints = _ruff(tmp_path, "check", "--select", "I", "--line-length", "88", "--output-format", "concise")
    assert len({f"{name}.in.py" for name in names} - complaints) >= 45, "enough inputs are sorted"
    assert _worse(complaints) == []
