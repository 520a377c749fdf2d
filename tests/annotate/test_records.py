"""`annotate --from`: what recorded calls add to what the source shows, and what they refute."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from shapecheck.annotate.notation import contradictions
from shapecheck.annotate.planning import functions_of
from shapecheck.cli import main
from shapecheck.project.parsing import parse
from shapecheck.record.store import RecordedFunction

IMPORTS = "import torch\nfrom torch import Tensor, nn\n\n\n"


def annotate(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["annotate", "--jobs", "1", "--line-length", "200", *arguments])


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "net.py"


def tensor(*shape: int, dtype: str = "float32") -> dict[str, Any]:
    return {"dtype": dtype, "shape": list(shape)}


def recorded(name: str, *calls: tuple[dict[str, Any], Any]) -> None:
    """Writes calls of a function of net.py: the arguments and the result of each."""
    listed = [{"count": 1, "arguments": arguments, "result": result} for arguments, result in calls]
    functions = [{"file": "net.py", "name": name, "line": 1, "omitted": 0, "calls": listed}]
    Path("calls.json").write_text(json.dumps({"format": "shapecheck-record", "version": 1, "functions": functions}))


F = "def f(x, y=None):\n    return external(x, y)\n"
"""A function about which the source shows nothing."""
WRITTEN = {
    "constant sizes are numbers, and others are not": (
        F,
        "f",
        [({"x": tensor(2, 8)}, tensor(8)), ({"x": tensor(3, 8)}, tensor(8))],
        'def f(x: Float[Tensor, "_ 8"], y=None) -> Float[Tensor, "8"]:',
    ),
    "sizes that are equal in all calls have one name": (
        F,
        "f",
        [({"x": tensor(2, 7), "y": tensor(7)}, tensor(2)), ({"x": tensor(3, 5), "y": tensor(5)}, tensor(3))],
        'def f(x: Float[Tensor, "n n2"], y: Float[Tensor, " n2"] | None = None) -> Float[Tensor, " n"]:',
    ),
    "sizes that differ in one call have no common name": (
        F,
        "f",
        [({"x": tensor(2, 2)}, None), ({"x": tensor(3, 3)}, None), ({"x": tensor(3, 4)}, None)],
        'def f(x: Float[Tensor, "_ _"], y=None):',
    ),
    "a number of dimensions that varies": (
        F,
        "f",
        [({"x": tensor(2, 3, 8)}, None), ({"x": tensor(5, 8)}, None)],
        'def f(x: Float[Tensor, "... 8"], y=None):',
    ),
    "dtypes": (
        F,
        "f",
        [
            ({"x": tensor(1, dtype="int64"), "y": tensor(dtype="bool")}, tensor(1)),
            ({"x": tensor(1, dtype="int32"), "y": None}, tensor(1, dtype="float16")),
        ],
        'def f(x: Int[Tensor, "1"], y: Bool[Tensor, ""] | None = None) -> Float[Tensor, "1"]:',
    ),
    "several dtypes": (
        F,
        "f",
        [({"x": tensor(4, dtype="int64")}, None), ({"x": tensor(4)}, None)],
        'def f(x: Shaped[Tensor, "4"], y=None):',
    ),
    "tuples and lists": (
        F,
        "f",
        [
            ({"x": {"list": [tensor(2, 3), tensor(5, 3)]}}, {"tuple": [tensor(7), tensor(3)]}),
            ({"x": {"list": [tensor(4, 3)]}}, {"tuple": [tensor(9), tensor(3)]}),
        ],
        'def f(x: list[Float[Tensor, "_ 3"]], y=None) -> tuple[Float[Tensor, " _"], Float[Tensor, "3"]]:',
    ),
    "an attribute, although the size was constant": (
        "class Net(nn.Module):\n    def __init__(self, dim: int):\n        super().__init__()\n        self.dim = dim\n"
        "        self.fc = nn.Linear(dim, dim)\n\n    def forward(self, x):\n        return self.fc(x)\n",
        "Net.forward",
        [({"x": tensor(2, 5, 8)}, tensor(2, 5, 8)), ({"x": tensor(2, 6, 8)}, tensor(2, 6, 8))],
        'def forward(self, x: Float[Tensor, "2 n {self.dim}"]) -> Float[Tensor, "2 n {self.dim}"]:',
    ),
    "any size for which the body works, although it was constant": (
        "def f(x: Tensor):\n    b, t = x.shape\n    return x\n",
        "f",
        [({"x": tensor(4, 6)}, tensor(4, 6)), ({"x": tensor(4, 7)}, tensor(4, 7))],
        'def f(x: Float[Tensor, "b t"]) -> Float[Tensor, "b t"]:',
    ),
    "the author's names, although the sizes were equal": (
        "def f(x: Tensor):\n    h, w = x.shape\n    return x.sum()\n",
        "f",
        [({"x": tensor(4, 4)}, tensor()), ({"x": tensor(6, 6)}, tensor())],
        'def f(x: Float[Tensor, "h w"]) -> Float[Tensor, ""]:',
    ),
    "a union for a forward whose result is of several kinds": (
        "class Net(nn.Module):\n    def forward(self, x):\n        return external(x)\n",
        "Net.forward",
        [
            ({"x": tensor(2, 8)}, tensor(2, 8)),
            ({"x": tensor(3, 8)}, tensor(3, 8)),
            ({"x": tensor(4, 8)}, {"tuple": [tensor(4), tensor(8)]}),
            ({"x": tensor(5, 8)}, {"tuple": [tensor(5), tensor(8)]}),
        ],
        'def forward(self, x: Float[Tensor, "batch 8"]) -> Float[Tensor, "batch 8"] | '
        'tuple[Float[Tensor, " batch"], Float[Tensor, "8"]]:',
    ),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_recorded_calls_complete_the_source(file: Path, name: str) -> None:
    source, function, calls, signature = WRITTEN[name]
    file.write_text(IMPORTS + source)
    recorded(function, *calls)
    assert annotate("--from", "calls.json", "net.py").exit_code == 0
    assert signature in file.read_text()


def test_a_second_run_changes_nothing_although_the_lines_have_moved(file: Path) -> None:
    file.write_text(IMPORTS + F)
    recorded("f", ({"x": tensor(2, 8)}, None))
    annotate("--from", "calls.json", "net.py")
    once = file.read_text()
    assert "Float[" in once
    assert "No changes" in annotate("--from", "calls.json", "net.py").stderr
    assert file.read_text() == once


DROPPED = {
    "a size": (
        "def f(x):\n    return nn.functional.linear(x, torch.ones(3, 8))\n",
        ({"x": tensor(2, 9)}, None),
        "f: x: expected size 8, recorded 9",
    ),
    "a number of dimensions": (
        "def f(x: Tensor):\n    b, t = x.shape\n    return None\n",
        ({"x": tensor(2)}, None),
        "f: x: expected 2 dimensions, recorded 1",
    ),
    "a dtype": (
        "def f(x):\n    return nn.functional.embedding(x, torch.ones(5, 4))[0]\n",
        ({"x": tensor(2)}, None),
        "f: x: expected dtype Int, recorded Float",
    ),
}


@pytest.mark.parametrize("name", DROPPED)
def test_what_a_call_contradicts_is_dropped_with_the_reason(file: Path, name: str) -> None:
    source, call, why = DROPPED[name]
    file.write_text(IMPORTS + source)
    recorded("f", call)
    result = annotate("--from", "calls.json", "net.py")
    assert why in result.stderr
    assert "f(x)" in file.read_text() or "f(x: Tensor)" in file.read_text()


def test_explain_says_what_comes_from_calls(file: Path) -> None:
    file.write_text(IMPORTS + F)
    recorded("f", ({"x": tensor(2, 8)}, None), ({"x": tensor(3, 8)}, None))
    assert "    8: in all 2 recorded calls\n" in annotate("--from", "calls.json", "--explain", "net.py::f").stdout


def test_a_file_that_is_no_recording_is_one_line(file: Path) -> None:
    file.write_text(IMPORTS + F)
    result = annotate("--from", "net.py", "net.py")
    assert (result.exit_code, result.stderr) == (2, "shapecheck: net.py: expected a file of shapecheck record\n")


MATCHES = ['x: Float[Tensor, "a b"]', 'x: Float[Tensor, "{self.n} a+1"]', "x: \"Shaped[Tensor, '... 3']\"", "x: Tensor"]
MATCHES += ['x: Float[Tensor, "a b"] | tuple[Float[Tensor, "a"], Tensor]', 'x: list[int] | Float[Tensor, "2 b"] | None']
MATCHES += ['x: Float[Tensor, "a"] | Float[Tensor, "a b"]', 'x: Union[dict[str, int], Float[Tensor, "3"]]']
MATCHES += ['x: Optional[Float[Tensor, "_ a"]]', 'x: Float[Tensor, "*a b=3"] | None', 'x: Float[Tensor, "#b 3"]']
MISMATCHES = {
    'x: Float[Tensor, "a"]': "expected 1 dimension, got 2",
    'x: Float[Tensor, "a a"]': 'expected dimension 1 ("a") to be 2, got 3',
    'x: Float[Tensor, "a a+2"]': 'expected dimension 1 ("a+2") to be 4, got 3',
    'x: Float[Tensor, "{self.n} {self.n}"]': 'expected dimension 1 ("{self.n}") to be 2, got 3',
    'x: Float[Tensor, "... 4"]': 'expected dimension 1 ("4") to be 4, got 3',
    'x: Int[Tensor, "..."]': "expected dtype Int, got torch.float32",
    'x: Float[Tensor, "a 4"] | list[Float[Tensor, "a"]]': 'expected dimension 1 ("4") to be 4, got 3',
    "x: tuple[int, int] | list[Tensor]": "expected tuple[int, int] | list[Tensor], got another value",
    'x: Float[Tensor, "a b"], y: Float[Tensor, "b"]': 'expected dimension 0 ("b") to be 3, got 5',
}


def compared(parameters: str) -> dict[str, str]:
    names: Sequence[str] = ("x", "y")
    call = ((("float32", (2, 3)), ("float32", (5,))), None)
    (node,) = functions_of(parse(f"def f({parameters}): ..."))
    return contradictions(node, RecordedFunction("net.py", "f", 1, {(tuple(names), call): 1}))


@pytest.mark.parametrize("parameters", MATCHES)
def test_an_annotation_that_holds_is_kept(parameters: str) -> None:
    assert compared(parameters) == {}


@pytest.mark.parametrize("parameters", MISMATCHES)
def test_an_annotation_that_a_call_contradicts_is_found(parameters: str) -> None:
    (why,) = compared(parameters).values()
    assert why == f"{MISMATCHES[parameters]} in a recorded call"
