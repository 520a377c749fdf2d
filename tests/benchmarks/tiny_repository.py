"""A tiny repository whose `check` reports each line that holds a word, for tests of the commands that run it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

CHECK = """\
import json, pathlib, sys

root, report = pathlib.Path(sys.argv[-1]), pathlib.Path(sys.argv[sys.argv.index("--output") + 1])
files = sorted(root.rglob("*.py")) if root.is_dir() else [root]
found = [
    {{
        "path": str(path), "line": number, "column": column, "code": line.split()[-1] if " " in line else "bad",
        "severity": "note" if "note" in line.split() else "error", "message": line, "notes": [{note!r}],
    }}
    for path in files
    for number, line in enumerate(path.read_text().splitlines(), 1)
    for column, word in enumerate(line.split(), 1)
    if word == {word!r}
]
stats = {{
    "expressions": {{"seen": 5, "rank known": 5, "sizes known": 4}}, "forwards": {{"seen": 3, "run": 2}},
    "operators": {{"asked": 1}}, "files": {{"cut short": 1}}, "cut short": [str(files[0])],
}}
document = {{"diagnostics": found, "summary": {{"files": {{"seen": len(files)}}}}}}
report.write_text(json.dumps(document | ({{"stats": stats}} if "--stats" in sys.argv else {{}})))
"""
PROGRAMS = {
    "tests/cases/001/bug.py": "one\ntwo\n",
    "tests/cases/test_cases.py": "one\ntwo\n",
    "examples/gpt.py": "one\n",
}
MAIN = "shapecheck/__main__.py"


def git(repository: Path, *arguments: str) -> str:
    identity = {
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@b",
    }
    command = ["git", "-C", str(repository), *arguments]
    return subprocess.run(
        command, env={**os.environ, **identity}, check=True, stdout=subprocess.PIPE, text=True
    ).stdout.strip()


def write(repository: Path, word: str, note: str = "") -> None:
    (repository / MAIN).write_text(CHECK.format(word=word, note=note))


def create(folder: Path) -> Path:
    """Two commits, `first` and `second`, which report lines with other words."""
    for name, text in {**PROGRAMS, MAIN: "", "shapecheck/__init__.py": ""}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    git(folder, "init", "--quiet")
    for tag, word in (("first", "one"), ("second", "two")):
        write(folder, word)
        git(folder, "add", ".")
        git(folder, "commit", "--quiet", "-m", tag)
        git(folder, "tag", tag)
    return folder
