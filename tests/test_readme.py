"""README.md shows each front end on its first example, and shows no output that no test has seen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.documents import Command, File, commands, shown_commands, steps

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_it_begins_with_an_example_of_about_ten_lines() -> None:
    example = steps(README)[0]
    assert isinstance(example, File)
    code = [line for line in example.text.splitlines() if line.strip() and not line.startswith(("#", "import", "from"))]
    assert len(code) <= 10


def test_it_is_short() -> None:
    assert len(README.splitlines()) <= 150


def test_both_commands_are_within_the_first_lines() -> None:
    first = "\n".join(README.splitlines()[:50])
    assert first.count("python -m pip install -c constraints.txt") == 2
    assert "shapecheck run examples/" in first
    assert "python -m pytest" in first


@pytest.mark.parametrize("front_end", ["mypy", "shapecheck check", "shapecheck run", "shapecheck fix", "python"])
def test_each_front_end_runs(front_end: str) -> None:
    assert any(front_end in line for line in commands(README))


@pytest.mark.parametrize("heading", ["Installation", "Usage", "Comparison", "Limitations"])
def test_the_headings_are_the_usual_ones(heading: str) -> None:
    assert f"\n## {heading}\n" in README


def test_output_is_shown_of_commands_that_are_run_alone() -> None:
    run = set(commands(README))
    assert [step.line for step in shown_commands(README) if step.shown.strip() and step.line not in run] == []
    assert any(isinstance(step, Command) for step in steps(README))


def test_its_pictures_are_made_by_the_script() -> None:
    made = (ROOT / "docs/screenshots.py").read_text(encoding="utf-8")
    pictures = re.findall(r"!\[[^\]]+\]\(docs/images/([\w.]+)\)", README)
    assert pictures
    assert [name for name in pictures if f'"{name}"' not in made] == []
