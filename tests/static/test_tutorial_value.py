"""What docs/adding-a-value.md says is done, to a copy of the package, and the copy is run on its program."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_MOST_FILES = 3


def _blocks() -> list[tuple[str, str]]:
    return _BLOCK.findall((ROOT / "docs/adding-a-value.md").read_text())


def _apply(copy: Path, language: str, text: str) -> Path:
    first, _, rest = text.partition("\n")
    target = copy / first.removeprefix("# ")
    if language == "python":
        assert not target.exists()
        target.write_text(rest)
        return target
    source = target.read_text()
    for before, added in re.findall(r"^ (.*\n)((?:^\+.*\n)+)", rest, re.MULTILINE):
        assert source.count(before) == 1, before
        source = source.replace(before, before + re.sub(r"^\+", "", added, flags=re.MULTILINE))
    target.write_text(source)
    return target


def _check(package: Path, program: Path) -> str:
    command = [sys.executable, "-m", "shapecheck", "check", "--no-cache", str(program)]
    run = subprocess.run(
        command,
        cwd=program.parent,
        env={**os.environ, "PYTHONPATH": str(package)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode in (0, 1), run.stderr
    return run.stdout


def test_a_kind_of_value_is_added_in_three_files(tmp_path: Path) -> None:
    copy, program = tmp_path / "copy", tmp_path / "work" / "net.py"
    shutil.copytree(ROOT / "shapecheck", copy / "shapecheck", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "docs" / "codes", copy / "docs" / "codes")
    program.parent.mkdir()
    (_, source), *changes, (_, expected) = _blocks()
    program.write_text(source)
    assert expected.strip() not in _check(copy, program)
    changed = {_apply(copy, *block) for block in changes}
    assert len(changed) <= _MOST_FILES
    assert expected.strip() in _check(copy, program)
