"""What is a case of a file, and why the rest is not."""

import sys
from pathlib import Path

import pytest

from shapecheck.harness.cases.model import Target
from shapecheck.harness.examine import list_cases
from shapecheck.runtime.guards import places

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


def test_a_file_of_a_library_is_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for its authors. Elsewhere, a line of torchvision is that of its caller."""
    monkeypatch.setattr(places, "_LIBRARIES", ["torch", "torchvision"])
    package = tmp_path / "torchvision"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "found_nets.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    list_cases(Target(package / "found_nets.py", "torchvision.found_nets", tmp_path))
    try:
        assert places.is_of_program(str(package / "found_nets.py"))
    finally:
        for name in ("torchvision.found_nets", "torchvision"):
            del sys.modules[name]
        places._folders.cache_clear()
        places.is_of_program.cache_clear()
