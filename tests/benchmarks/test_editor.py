"""The benchmarks of language servers, with our own: they measure edits, and show answers as they are."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygls")

from benchmarks.editor import measured
from benchmarks.editor_answers import BEFORE, LINES, answers, with_hints
from benchmarks.language_servers import OURS, LanguageServer


def test_an_edit_is_measured_until_hints_arrive(tmp_path: Path) -> None:
    file = tmp_path / "model.py"
    file.write_text(BEFORE + LINES)
    found = asyncio.run(measured(OURS, file, edits=2))
    assert found["hints"] == 5
    assert 0 < found["median"] <= found["p95"]
    assert file.read_text() == BEFORE + LINES


def test_a_server_that_ends_is_named_with_the_reason(tmp_path: Path) -> None:
    file = tmp_path / "model.py"
    file.write_text(LINES)
    ends = LanguageServer("ends", (sys.executable, "-c", ""), Path(sys.executable), "none")
    assert asyncio.run(measured(ends, file, edits=1)) == {"silent": "does not work: the server ended"}


def test_answers_are_those_of_the_server(tmp_path: Path) -> None:
    file = tmp_path / "model.py"
    file.write_text(BEFORE + LINES)
    found = asyncio.run(answers(OURS, file))
    assert "        mixed«: (b, t, 64)» = (q @ k.transpose(1, 2)).softmax(-1) @ v" in found["lines"]
    assert found["hover"]["q"].startswith("torch.float32 (b, t, 64)")
    assert [one["line"] for one in found["errors"]] == [10]


def test_hints_are_shown_where_they_are() -> None:
    hints = [
        {"position": {"line": 0, "character": 1}, "label": ": 2"},
        {"position": {"line": 0, "character": 4}, "label": [{"value": ": "}, {"value": "3"}]},
    ]
    assert with_hints("a, b = c\n", hints) == ["a«: 2», b«: 3» = c"]
