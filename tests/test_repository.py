"""The repository agrees with itself: documentation, packaging and CI."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from shapecheck.config.load import parse_toml
from shapecheck.diagnostics import CODES
from shapecheck.diagnostics.declared import body

ROOT = Path(__file__).resolve().parents[1]
TEST_COMMAND = re.compile(
    r"<!-- test-command -->\s*```(?:bash|sh|shell)\n(.*?)\n```\s*<!-- /test-command -->", re.DOTALL
)
LONGEST_FILE = 350
GENERATED = ("shapecheck/ops/family_index.py",)
"""Tables that a command writes."""
LONGEST_FUNCTION = 50
MACHINE_PATH = re.compile(
    r"""(?<![\w.$}~/:*\\-])  # the start of an absolute path: not within a relative one or an address
        (?:/(?:home|Users)/[A-Za-z0-9_][\w.-]*/
         |/(?:root|work|workspace|mnt|scratch)/[\w.-]+
         |/(?:tmp|var/tmp|private/tmp)/[\w.-]+
         |[A-Za-z]:\\Users\\\w+)""",
    re.VERBOSE,
)


def test_readme_and_ci_agree_on_the_test_command() -> None:
    blocks = TEST_COMMAND.findall((ROOT / "README.md").read_text())
    assert len(blocks) == 1, "README.md holds one fenced bash block between the test-command markers"
    command = blocks[0].strip()
    assert "pip install" in command
    assert "-m pytest" in command
    script = (ROOT / ".ci/run").read_text()
    extraction = re.search(r"^test_command=\$\((.*)\)$", script, re.MULTILINE)
    assert extraction, ".ci/run takes the test command from README.md"
    assert "-m pytest" not in script, ".ci/run has no test command of its own"
    read = subprocess.run(["bash", "-c", extraction[1]], cwd=ROOT, capture_output=True, text=True, check=True)
    assert read.stdout.strip() == command


def test_ci_run_is_an_executable_bash_script() -> None:
    path = ROOT / ".ci/run"
    assert path.stat().st_mode & 0o111
    assert subprocess.run(["bash", "-n", str(path)], check=False).returncode == 0
    assert "set -euo pipefail" in path.read_text()


def test_every_code_has_its_page_and_every_page_its_code() -> None:
    assert {page.stem for page in (ROOT / "docs/codes").glob("*.md")} == set(CODES)


@pytest.mark.parametrize("name", sorted(CODES))
def test_a_page_says_what_the_table_says(name: str) -> None:
    page = body((ROOT / f"docs/codes/{name}.md").read_text())
    assert page.startswith(f"# {name}\n")
    assert f"Severity: {CODES[name].severity.value}" in page
    headings = re.findall(r"^## (.+)$", page, re.MULTILINE)
    assert headings == ["Bad", "Good", "Why", "How to suppress"]


def test_every_dependency_is_explained_and_nothing_else() -> None:
    explained = re.findall(r"^- \*\*([\w.-]+)\*\*: ", (ROOT / "docs/dependencies.md").read_text(), re.MULTILINE)
    assert len(explained) == len(set(explained))
    assert set(explained) == _declared_dependencies()


def _declared_dependencies() -> set[str]:
    pyproject = parse_toml((ROOT / "pyproject.toml").read_text())
    project = pyproject["project"]
    requirements = [*project["dependencies"], *pyproject["build-system"]["requires"]]
    for extra in project["optional-dependencies"].values():
        requirements += extra
    names = {re.split(r"[^\w.-]", requirement, maxsplit=1)[0] for requirement in requirements}
    return names - {project["name"]}


def test_links_between_our_pages_lead_somewhere() -> None:
    broken = []
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            if not (page.parent / target).exists():
                broken.append(f"{page.relative_to(ROOT)}: {target}")
    assert not broken


def _files_of_the_repository() -> list[Path]:
    """What git would commit: tracked files and new ones that it does not ignore."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        found = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout, so what would be committed is not known")
    return [path for name in found if name and (path := ROOT / name).is_file()]


def test_no_committed_file_names_a_path_of_one_machine() -> None:
    found = []
    for path in _files_of_the_repository():
        text = path.read_bytes().decode("utf-8", "replace")
        places = [match.group() for match in MACHINE_PATH.finditer(text)]
        for folder in {str(ROOT), str(Path.home())}:
            if len(folder) > len("/root/") and f"{folder}/" in text:
                places.append(folder)
        found += [f"{path.relative_to(ROOT)}: {place}" for place in places]
    assert not found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see {}home/ann/net.py", True),
        ('path = "{}Users/ann/net.py"', True),
        ("{}root/project", True),
        ("({}tmp/abc/x.py)", True),
        ("--dir={}work/project", True),
        ("#!/usr/bin/env bash", False),
        ("/dev/null", False),
        ("/proc/self/status", False),
        ("docs/home/ann/", False),
        ("https://example.org{}home/ann/", False),
        ("$HOME{}work/x", False),
    ],
)
def test_the_pattern_of_machine_paths(text: str, expected: bool) -> None:
    assert bool(MACHINE_PATH.search(text.format("/"))) is expected


def _too_long(text: str, name: str) -> Iterator[str]:
    """The file, where it has too many lines, and those of its functions that have."""
    if (lines := len(text.splitlines())) > LONGEST_FILE:
        yield f"{name}: {lines} lines"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > LONGEST_FUNCTION:
                yield f"{name}: {node.name} has {lines} lines"


def test_files_and_functions_are_short() -> None:
    found: list[str] = []
    for path in sorted((ROOT / "shapecheck").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if name not in GENERATED:
            found += _too_long(path.read_text(), name)
    assert not found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1\n" * LONGEST_FILE, []),
        ("x = 1\n" * (LONGEST_FILE + 1), ["f.py: 351 lines"]),
        ("def f():\n" + "    x = 1\n" * (LONGEST_FUNCTION - 1), []),
        ("class C:\n    async def f(self):\n" + "        x = 1\n" * LONGEST_FUNCTION, ["f.py: f has 51 lines"]),
    ],
)
def test_what_is_too_long(text: str, expected: list[str]) -> None:
    assert list(_too_long(text, "f.py")) == expected


def test_the_glossary_defines_each_term_once_in_alphabetical_order() -> None:
    rows = re.findall(r"^\| (.+?) \| (.+) \|$", (ROOT / "docs/glossary.md").read_text(), re.MULTILINE)
    terms = [term for term, _ in rows if term != "term"]
    assert len(terms) > 50
    assert terms == sorted(set(terms), key=str.lower)
