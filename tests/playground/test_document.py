"""What the page runs, without a browser."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from shapecheck.playground import Playground
from shapecheck.static import check

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "editors/playground/examples"
FOUND = {
    "1_broadcast.py": ["silent-broadcast", "wrong-call"],
    "2_layers.py": ["shape-mismatch"],
    "3_attention.py": [],
    "4_squeeze.py": ["squeeze-batch"],
    "5_reveal.py": ["revealed-shape", "revealed-shape", "revealed-shape"],
}


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Playground:
    monkeypatch.chdir(tmp_path)
    return Playground(tmp_path / "model.py")


def answered(page: Playground, text: str, *, is_quick: bool = False) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(page.answer(text, is_quick=is_quick))
    return answer


def places(answer: dict[str, Any]) -> list[tuple[int, int, str, str]]:
    return [(one["line"], one["column"], one["code"], one["message"]) for one in answer["diagnostics"]]


@pytest.mark.parametrize("name", FOUND)
def test_each_example_shows_what_it_is_there_for(page: Playground, name: str) -> None:
    answer = answered(page, (EXAMPLES / name).read_text())
    assert [one["code"] for one in answer["diagnostics"]] == FOUND[name]
    assert answer["hints"]


def test_every_example_is_tested() -> None:
    assert sorted(FOUND) == sorted(one.name for one in EXAMPLES.iterdir())


def test_the_first_example_is_that_of_the_readme() -> None:
    shown = re.search(r"```python\n# score.py\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert shown
    assert (EXAMPLES / "1_broadcast.py").read_text().partition("\n")[2] == shown[1]


@pytest.mark.parametrize("name", ["cruncher", "unet", "vae", "vit"])
def test_an_answer_has_the_findings_of_check(page: Playground, tmp_path: Path, name: str) -> None:
    text = (ROOT / f"examples/broken/{name}.py").read_text()
    file = tmp_path / "model.py"
    file.write_text(text)
    expected = [(one.line, one.column, one.code, one.message) for one in check([file])]
    file.unlink()
    assert expected
    assert places(answered(page, text)) == expected
    assert places(answered(page, f"{text}\n# edited\n", is_quick=True)) == expected


def test_an_edit_that_fixes_the_code_removes_the_finding(page: Playground) -> None:
    text = (EXAMPLES / "2_layers.py").read_text()
    assert places(answered(page, text))
    fixed = text.replace("nn.Linear(channels *", "nn.Linear(2 * channels *")
    for is_quick in (True, False):
        assert not places(answered(page, fixed, is_quick=is_quick))
    assert places(answered(page, text, is_quick=True))


def test_text_that_does_not_parse_is_the_only_finding(page: Playground) -> None:
    answer = answered(page, "import torch\nx = torch.zeros(2\n")
    assert not answer["parses"]
    assert [one["code"] for one in answer["diagnostics"]] == ["syntax-error"]
    assert not answer["hints"]
    assert answered(page, "x = 1\n")["parses"]


@pytest.mark.parametrize("text", ["", "\n", "x = '\ud800'\n", "é = 1\n", "x = 1\r\ny = 2", "\0"])
def test_any_text_has_an_answer(page: Playground, text: str) -> None:
    assert "diagnostics" in answered(page, text)


def test_a_comment_suppresses_a_finding(page: Playground) -> None:
    text = "import torch\ntorch.zeros(2, 3) @ torch.zeros(4, 5)"
    assert places(answered(page, text))
    assert not places(answered(page, f"{text}  # shapecheck: ignore[shape-mismatch]\n"))


def test_only_the_standard_library_is_imported() -> None:
    program = """
import sys
from pathlib import Path
from shapecheck.playground import Playground

Playground(Path("model.py").absolute()).answer("import torch\\nx = torch.zeros(2, 3).view(-1)\\n")
parts = {name.partition(".")[0] for name in sys.modules} - {"__main__", "shapecheck"}
print(*sorted(parts - set(sys.stdlib_module_names)))
"""
    done = subprocess.run([sys.executable, "-S", "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.returncode) == ("", 0), done.stderr
