"""What is compared, and how: pairs, probes, translations and scores; no rival is installed here."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import environments
from benchmarks.rivals import programs
from benchmarks.rivals.programs import PROBES, Pair, Probe, probes, written
from benchmarks.rivals.score import answers, score
from benchmarks.rivals.tool import Finding
from benchmarks.rivals.tools import TOOLS
from benchmarks.rivals.tools.pyrefly import decorated
from benchmarks.rivals.tools.torchshapeflow import translated

PROBE_FILES = sorted(PROBES.glob("*.py"))


@pytest.mark.parametrize("path", PROBE_FILES, ids=lambda path: path.stem)
def test_a_probe_asks_and_has_one_planted_line(path: Path) -> None:
    found = [probe for probe in probes() if probe.pair.name == path.stem]
    assert found
    pair = found[0].pair
    assert len(pair.lines) == 1
    wrong, right = pair.wrong.splitlines(), pair.right.splitlines()
    assert [n for n, (a, b) in enumerate(zip(wrong, right, strict=True), 1) if a != b] == list(pair.lines)
    ast.parse(pair.right)


def test_questions_are_told_apart() -> None:
    asked = [probe.question for probe in probes()]
    assert len(asked) == len(set(asked))


def test_pairs_are_cases_and_examples() -> None:
    cases = programs.cases()
    assert len(cases) > 250
    assert any(pair.silent for pair in cases)
    assert all(len(pair.lines) == 1 for pair in programs.twins())


def test_every_tool_is_told_apart_and_ours_need_no_environment() -> None:
    assert len({tool.name for tool in TOOLS}) == len(TOOLS)
    assert all(not tool.packages for tool in TOOLS if tool.ours)


PAIRS = [
    Pair("a", "", "", frozenset({3}), silent=True),
    Pair("b", "", "", frozenset({3})),
    Pair("c", "", "", frozenset({3})),
]


def said(
    places: dict[str, tuple[Path, Path]], **found: tuple[list[Finding], list[Finding]]
) -> dict[Path, list[Finding]]:
    empty: tuple[list[Finding], list[Finding]] = ([], [])
    return {path: one for name, both in places.items() for path, one in zip(both, found.get(name, empty), strict=True)}


def test_a_score_counts_what_is_new_in_the_wrong_program(tmp_path: Path) -> None:
    places = written(PAIRS, tmp_path)
    everywhere = Finding(1, "unused import")
    found = said(
        places, a=([Finding(3, "no")], []), b=([everywhere, Finding(9, "no")], [everywhere]), c=([everywhere],) * 2
    )
    one = score(PAIRS, places, found, seconds=12)
    assert (one.pairs, one.caught, one.in_place, one.silent, one.silent_caught, one.false) == (3, 2, 1, 1, 1, 2)
    assert one.seconds == 2


def test_an_answer_is_yes_if_the_right_program_is_left_alone(tmp_path: Path) -> None:
    places = written(PAIRS, tmp_path)
    noisy = [Finding(1, "axis width is 3")]
    asked = [
        Probe("a?", PAIRS[0]),
        Probe("a, by name?", PAIRS[0], "width"),
        Probe("b?", PAIRS[1]),
        Probe("c?", PAIRS[2]),
    ]
    found = said(places, a=([Finding(3, "shapes")], []), b=(noisy, noisy), c=([], []))
    assert answers(asked, places, found) == {"a?": True, "a, by name?": False, "b?": False, "c?": False}
    assert answers(asked[1:2], places, said(places, a=(noisy, []))) == {"a, by name?": True}


SOURCE = """\
from __future__ import annotations
import torch
from jaxtyping import Float
from torch import Tensor


class A:
    @staticmethod
    def f(x: Float[Tensor, "b *rest n=3"], y: Float[Tensor, "#b {self.d} 2*d _ ..."]) -> Float[Tensor, "b"]:
        return x


def g(x: Tensor) -> Tensor:
    return x
"""


def test_each_definition_with_shapes_declares_its_dimensions_for_pyrefly() -> None:
    made = decorated(SOURCE)
    lines = made.text.splitlines()
    assert lines[1:3] == ["from shape_extensions import static_jaxtyping", "import torch"]
    assert '    @static_jaxtyping("b *rest d")' in lines
    assert lines.count("from shape_extensions import static_jaxtyping") == 1
    originals = SOURCE.splitlines()
    kept = [(text, number) for text, number in zip(lines, made.lines, strict=True) if "static_jaxtyping" not in text]
    assert kept == [(text, number) for number, text in enumerate(originals, 1)]


def test_a_source_without_shapes_stays_for_pyrefly() -> None:
    source = "import torch\n\n\ndef g(x):\n    return x\n"
    assert decorated(source).text == source


def test_annotations_in_the_words_of_torchshapeflow() -> None:
    source = 'import torch\n\ndef f(x: Float[Tensor, "b 3 h//2"], y: Float[Tensor, "*b c"]) -> Float[Tensor, ""]: ...\n'
    assert translated(source) == (
        "import torch; from typing import Annotated; from torchshapeflow import Shape\n\n"
        "def f(x: Annotated[Tensor, Shape('b', 3, 'h//2')], y: Tensor) -> Tensor: ...\n"
    )
    assert translated("import torch\n") == "import torch\n"


def test_what_pip_refuses_is_a_reason_without_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusal = "WARNING: x\nERROR: No matching distribution for //host/thing from https://a.b/c\nERROR: more\n"
    done = subprocess.CompletedProcess([], 1, stdout="", stderr=refusal)
    monkeypatch.setattr(environments.venv, "create", lambda *_, **__: None)
    monkeypatch.setattr(environments.subprocess, "run", lambda *_, **__: done)
    with pytest.raises(environments.CannotInstall, match=r"^No matching distribution for \.\.\. from \.\.\.$"):
        environments.python_of(tmp_path, "thing", ("thing",))


def test_an_environment_that_is_there_is_used_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "thing").mkdir()
    (tmp_path / "thing" / "installed.json").write_text('["thing"]')
    monkeypatch.setattr(environments.venv, "create", lambda *_, **__: pytest.fail("made again"))
    python = environments.python_of(tmp_path, "thing", ("thing",))
    assert python.is_relative_to(tmp_path / "thing")


@pytest.mark.skipif(sys.platform == "win32", reason="the driver forks")
def test_programs_are_driven_in_processes_of_their_own(tmp_path: Path) -> None:
    tool = next(tool for tool in TOOLS if tool.name == "no tool, program run only")
    raising = 'def main():\n    raise ValueError("no")\n\nif __name__ == "__main__":\n    main()\n'
    places = written(
        [Pair("p", raising, "import os\nif __name__ == '__main__':\n    os._exit(3)\n", frozenset())], tmp_path
    )
    wrong, right = places["p"]
    found = tool.check(Path(sys.executable), tmp_path, [wrong, right])
    assert found == {wrong: [Finding(2, "ValueError: no")], right: [Finding(0, "ended without an answer")]}
