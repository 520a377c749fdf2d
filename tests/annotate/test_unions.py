"""`shapecheck annotate`: results that are a tensor in some calls, and a tuple or a list in others."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner

from shapecheck import ShapeError, checked
from shapecheck.annotate.completing import Completed
from shapecheck.annotate.existing import contradicts
from shapecheck.cli import main
from shapecheck.static.observing.joining_facts import join_calls, join_values
from shapecheck.static.observing.signature_facts import CallFacts, Kind, ShapeFacts, SizeFacts, ValueFacts

IMPORTS = "import torch\nfrom torch import Tensor, nn\n\n\n"
NET = """class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, width)

    def forward(self, x{declared}, both=False, {more}){returned}:
        b, n, d = x.shape
        y = self.fc(x)
{body}
"""
D = "{self.fc.in_features}"
Y, MEAN = f'Float[Tensor, "b n {D}"]', f'Float[Tensor, "b {D}"]'


def net(body: str, *, declared: str = "", more: str = "", returned: str = "") -> str:
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    return IMPORTS + NET.format(declared=declared, more=more, returned=returned, body=lines)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "net.py"


def annotated(file: Path, source: str) -> str:
    file.write_text(source)
    result = CliRunner().invoke(main, ["annotate", "--quiet", "--jobs", "1", "--line-length", "300", str(file)])
    assert not result.exit_code, result.output
    return file.read_text()


WRITTEN = {
    "a tensor, or it and a second one": ("if both:\n    return y, y.mean(1)\nreturn y", f"{Y} | tuple[{Y}, {MEAN}]"),
    "a tensor or a list": ("if both:\n    return [y, y]\nreturn y", f"{Y} | list[{Y}]"),
    "tuples of two lengths": (
        "if both:\n    return y, y.mean(1), x\nreturn y, x",
        f"tuple[{Y}, {Y}] | tuple[{Y}, {MEAN}, {Y}]",
    ),
    "None too": (
        "if both is None:\n    return None\nif both:\n    return y, y.mean(1)\nreturn y",
        f"{Y} | tuple[{Y}, {MEAN}] | None",
    ),
    "an item of a tuple": (
        "extra = (y, x) if both else y.mean(1)\nreturn y, extra",
        f"tuple[{Y}, {MEAN} | tuple[{Y}, {Y}]]",
    ),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_result_of_several_kinds_is_a_union(file: Path, name: str) -> None:
    body, returned = WRITTEN[name]
    assert f") -> {returned}:" in annotated(file, net(body))


def test_kinds_without_a_type_are_left_alone(file: Path) -> None:
    assert "->" not in annotated(file, net("if both:\n    return {'y': y}\nreturn y"))


def test_what_other_code_calls_directly_has_no_union(file: Path) -> None:
    """mypy and pyright would refuse `net.encode(x).mean()`; a forward is called as `net(x)`, which is Any."""
    source = net("if both:\n    return y, y.mean(1)\nreturn y").replace("def forward(", "def encode(")
    assert "->" not in annotated(file, source)


def test_four_kinds_are_left_alone(file: Path) -> None:
    body = "if both == 1:\n    return y, y\nif both == 2:\n    return y, y, y\nif both == 3:\n    return [y]\nreturn y"
    assert "->" not in annotated(file, net(body))


def test_a_file_with_optional_gets_a_union_of_typing(file: Path) -> None:
    source = net("if both:\n    return y, y.mean(1)\nreturn y").replace(
        "import torch\n", "from typing import Optional\n\nimport torch\n", 1
    )
    text = annotated(file, source)
    assert f"-> Union[{Y}, tuple[{Y}, {MEAN}]]:" in text
    assert "from typing import Optional, Union" in text


def test_the_members_of_a_union_are_refined_where_they_are(file: Path) -> None:
    returned = " -> Tensor | tuple[Tensor, Tensor] | None"
    text = annotated(file, net("if both:\n    return y, y.mean(1)\nreturn y", declared=": Tensor", returned=returned))
    assert f"-> {Y} | tuple[{Y}, {MEAN}] | None:" in text


def test_a_size_that_only_exclusive_members_share_has_no_name(file: Path) -> None:
    body = "    y = x.flatten(1)\n        return (y, y.sum(1)) if both else y"
    text = annotated(file, f"{IMPORTS}class Net(nn.Module):\n    def forward(self, x, both=False):\n    {body}\n")
    assert '-> Shaped[Tensor, "n _"] | tuple[Shaped[Tensor, "n _"], Shaped[Tensor, " n"]]:' in text


def test_what_is_written_is_checked_at_run_time(file: Path) -> None:
    annotated(file, net("if both:\n    return y, y.mean(1)\nreturn y"))
    spec = importlib.util.spec_from_file_location("net", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.Net.forward = checked(module.Net.forward)
    model, x = module.Net(4), torch.rand(2, 3, 4)
    assert model(x).shape == (2, 3, 4)
    assert model(x, True)[1].shape == (2, 4)
    model.fc.out_features, model.fc.weight = 5, torch.nn.Parameter(torch.rand(5, 4))
    model.fc.bias = None
    with pytest.raises(ShapeError, match=r"expected dimension 2"):
        model(x, True)


# -- joins of calls


def size(key: int) -> SizeFacts:
    return SizeFacts(key, is_symbolic=True, is_variable=True)


def shaped(*keys: int) -> ValueFacts:
    return ValueFacts(Kind.TENSOR, shape=ShapeFacts(tuple(map(size, keys))))


def pair(one: ValueFacts, other: ValueFacts) -> ValueFacts:
    return ValueFacts(Kind.TUPLE, items=(one, other))


def keys_of(value: ValueFacts | None) -> list[int]:
    assert value is not None
    own = [] if value.shape is None else [one.key for one in value.shape.head]
    return own + [key for item in value.items for key in keys_of(item)]


def test_a_member_keeps_its_relation_to_the_arguments_of_both_calls() -> None:
    one = CallFacts({"x": shaped(1, 2)}, shaped(1))
    other = CallFacts({"x": shaped(3, 4)}, pair(shaped(3), shaped(4)))
    joined = join_calls(one, other)
    rows, columns = keys_of(joined.arguments["x"])
    assert [keys_of(member) for member in joined.result.members] == [[rows], [rows, columns]]


def test_equal_keys_of_different_calls_relate_no_values() -> None:
    """Key 9 is the mask of one call, and a size of the result of another."""
    one = CallFacts({"x": shaped(1), "mask": ValueFacts(Kind.NONE)}, shaped(9))
    other = CallFacts({"x": shaped(1), "mask": shaped(9)}, pair(shaped(1), shaped(1)))
    joined = join_calls(one, other)
    tensor = joined.result.member_like(shaped(0))
    assert not set(keys_of(tensor)) & set(keys_of(joined.arguments["mask"]))


def test_members_of_a_third_call_are_joined_with_their_like() -> None:
    union = join_values(shaped(1, 2), pair(shaped(1), shaped(2)))
    joined = join_values(union, shaped(1, 3))
    assert [one.kind for one in joined.members] == [Kind.TENSOR, Kind.TUPLE]
    assert keys_of(joined.members[0])[0] == 1
    assert joined.members[1] == union.members[1]


# -- recorded calls


def test_recorded_calls_need_not_show_all_members() -> None:
    known = CallFacts({}, join_values(shaped(1, 2), pair(shaped(1), shaped(2))))
    number = ValueFacts(Kind.TENSOR, shape=ShapeFacts((SizeFacts(5, 7), SizeFacts(6, 8))))
    made = Completed(known, CallFacts(), CallFacts({}, number))
    assert not made.contradicted
    assert made.facts.result.members[0].shape is not None
    assert [one.number for one in made.facts.result.members[0].shape.head] == [7, 8]
    assert made.facts.result.members[1] == known.result.members[1]


def test_a_recorded_kind_that_the_source_excludes_is_a_contradiction() -> None:
    known = CallFacts({}, join_values(shaped(1, 2), pair(shaped(1), shaped(2))))
    listed = ValueFacts(Kind.LIST, items=(shaped(1),))
    made = Completed(known, CallFacts(), CallFacts({}, listed))
    assert made.contradicted == {"return": "expected a tensor or a tuple, recorded a list"}


def test_an_annotation_without_a_member_contradicts() -> None:
    union = join_values(shaped(1), pair(shaped(1), shaped(2)))

    def is_contradicted(text: str) -> bool:
        return contradicts(ast.parse(text, mode="eval").body, union, lambda node: ast.unparse(node) == "Tensor")

    assert is_contradicted("Tensor")
    assert not is_contradicted("Tensor | tuple[Tensor, Tensor]")
