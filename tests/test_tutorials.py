"""Tutorials that extend the package: played on a copy of it, with the number of files that they touch."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.documents import File, play, run, steps

ROOT = Path(__file__).resolve().parents[1]


def contents(folder: Path) -> dict[str, bytes]:
    """The files of the package and its documentation."""
    paths = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_a_rule_is_two_files(tmp_path: Path) -> None:
    tutorial = (ROOT / "docs/adding-a-rule.md").read_text(encoding="utf-8")
    for name in ("shapecheck", "docs/codes"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    before = contents(tmp_path)
    (program,) = (step for step in steps(tutorial) if isinstance(step, File) and step.name == "program.py")
    (tmp_path / program.name).write_text(program.text)
    command = "python -m shapecheck check --no-cache program.py"
    assert run(command, tmp_path, tmp_path).returncode == 0, "without the rule nothing is found"
    play(tutorial, tmp_path, tmp_path)
    reported = run(command, tmp_path, tmp_path)
    assert (reported.returncode, reported.stdout.count("[std-of-one]")) == (1, 1), reported.stderr
    after = contents(tmp_path)
    touched = {name for name in after if after[name] != before.get(name) and name.startswith(("shapecheck/", "docs/"))}
    assert touched == {"docs/codes/std-of-one.md", "shapecheck/static/rules/std_of_one.py"}
    assert before.keys() <= after.keys()
