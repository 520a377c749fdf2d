"""The lines that `shapecheck check` prints, as the patterns of docs/editors.md read them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE

from .conftest import HEAD, MESSAGE, ROOT, shapecheck

EDITORS = (ROOT / "docs/editors.md").read_text(encoding="utf-8")
WARNED = HEAD + "odd = torch.zeros(4, 1) - torch.zeros(4)\n"
PLACES = [(12, 16, "error"), (9, 20, "note"), (6, 24, "note"), (15, 10, "note"), (16, 7, "warning")]


@pytest.fixture
def lines(project: Path) -> list[str]:
    (project / "head.py").write_text(WARNED)
    return shapecheck(project, "check", "--quiet").stdout.splitlines()


def block(language: str, beginning: str) -> str:
    [found] = re.findall(rf"```{language}\n({re.escape(beginning)}.*?)```", EDITORS, re.DOTALL)
    return str(found)


def test_the_problem_matcher_of_vs_code(lines: list[str]) -> None:
    tasks: dict[str, Any] = json.loads(block("json", '{\n  "version": "2.0.0"'))
    pattern = tasks["tasks"][0]["problemMatcher"]["pattern"]
    matches = [re.search(pattern["regexp"], line) for line in lines]
    assert all(matches)
    found = [{name: match[pattern[name]] for name in pattern if name != "regexp"} for match in matches if match]
    assert [(int(one["line"]), int(one["column"]), one["severity"]) for one in found] == PLACES
    assert found[0] == {
        "file": "head.py",
        "line": "12",
        "column": "16",
        "severity": "error",
        "message": MESSAGE,
        "code": "shape-mismatch",
    }
    assert [one["code"] for one in found] == ["shape-mismatch", None, None, None, "silent-broadcast"]


def test_the_arguments_of_the_task_are_those_of_the_command(project: Path) -> None:
    task: dict[str, Any] = json.loads(block("json", '{\n  "version": "2.0.0"'))["tasks"][0]
    assert task["args"][:2] == ["-m", "shapecheck"]
    done = shapecheck(project, *task["args"][2:], **task["options"]["env"])
    assert done.stdout.startswith("head.py:12:16: error: ")


def test_the_output_filters_of_pycharm(lines: list[str]) -> None:
    macros = {"$FILE_PATH$": "(.+?)", "$LINE$": r"(\d+)", "$COLUMN$": r"(\d+)", "$MESSAGE$": "(.+)"}
    filters = re.findall(r"\$FILE_PATH\$[^`\n]*", EDITORS)
    assert len(filters) == 2
    for one in filters:
        expression = re.sub(r"\$\w+\$", lambda macro: macros[macro[0]], one)
        matches = [re.match(expression, line) for line in lines]
        assert [(int(match[2]), int(match[3])) for match in matches if match] == [place[:2] for place in PLACES]


@pytest.mark.skipif(shutil.which("vim") is None, reason="there is no Vim")
def test_make_in_vim_fills_the_quickfix_list(project: Path, tmp_path: Path) -> None:
    (project / "head.py").write_text(WARNED)
    script = tmp_path / "bin" / "shapecheck"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m shapecheck "$@"\n')
    script.chmod(0o755)
    settings = [line for line in block("vim", "setlocal").splitlines() if line.startswith("setlocal")]
    assert len(settings) == 2
    shown = "map(getqflist(), {_, one -> [bufname(one.bufnr), one.lnum, one.col, one.type]})"
    program = [f"let $PATH = '{script.parent}:' .. $PATH", *settings, "silent make head.py"]
    program += [f"call writefile([json_encode({shown})], 'shown.json')", "qall!"]
    (project / "try.vim").write_text("\n".join(program))
    command = ["vim", "-es", "-u", "NONE", "-i", "NONE", "-S", "try.vim"]
    subprocess.run(command, cwd=project, check=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
    shown_places = json.loads((project / "shown.json").read_text())
    assert shown_places == [["head.py", line, column, kind[0]] for line, column, kind in PLACES]


def test_the_settings_are_json() -> None:
    blocks = re.findall(r"```json\n(.*?)```", EDITORS, re.DOTALL)
    assert len([json.loads(one) for one in blocks]) == 3
