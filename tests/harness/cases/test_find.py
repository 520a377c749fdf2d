"""What is a case of a file, and why the rest is not."""

from pathlib import Path

import pytest

from shapecheck.harness.cases.model import Target
from shapecheck.harness.examine import list_cases

SOURCE = '''
from jaxtyping import Float
from torch import Tensor, nn

import shapecheck


class Ready(nn.Module):
    def forward(self, x: Float[Tensor, "b"]) -> Float[Tensor, "b"]:
        return x


class Needy(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()

    def forward(self, x: Float[Tensor, "b"]) -> Float[Tensor, "b"]:
        return x


class Alone(Needy): ...


class Shapeless(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x


class Helper(nn.Module):
    def widened(self, x: Float[Tensor, "b"]) -> Float[Tensor, "b"]:
        return x


class Interface(nn.Module):
    def forward(self, x: Float[Tensor, "b"]) -> Float[Tensor, "b"]:
        """One number for each row."""
        ...


def silent():
    return Needy(3)


def number() -> int:
    return 3


def needy() -> Needy:
    return Needy(3)


def with_width(width: int) -> Needy:
    return Needy(width)


@shapecheck.case(kwargs={"width": 1}, label="narrow")
@shapecheck.case(kwargs={"width": 9}, label="wide")
def declared(width: int) -> Needy:
    return Needy(width)
'''


def test_each_model_and_factory_is_a_case_or_says_why_not(tmp_path: Path) -> None:
    file = tmp_path / "found_models.py"
    file.write_text(SOURCE)
    found = {case.name.partition(":")[2]: case for case in list_cases(Target(file, "found_models", tmp_path))}
    assert {name: case.detail for name, case in found.items()} == {
        "Ready": "",
        "Needy": "built by needy(), which is a case itself",
        "Alone": "",
        "Shapeless": "",
        "Helper": "no forward method",
        "Interface": "forward has no body: a base class",
        "needy": "",
        "declared[narrow]": "",
        "declared[wide]": "",
    }
    assert [case.line for case in found.values()] == sorted(case.line for case in found.values())


@pytest.mark.parametrize(("name", "cases"), [("silent", ["silent"]), ("with_width", ["with_width"]), ("number", [])])
def test_a_function_that_is_named_need_not_say_that_it_returns_a_module(
    name: str, cases: list[str], tmp_path: Path
) -> None:
    file = tmp_path / f"models_for_{name}.py"  # a module that is loaded is not read again
    file.write_text(SOURCE)
    found = list_cases(Target(file, file.stem, tmp_path, name))
    assert [case.name.partition(":")[2] for case in found] == cases
