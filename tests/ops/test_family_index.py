"""The index by which a program imports only the families of rules that it needs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from shapecheck.ops.family_index import NAMES_OF_FAMILIES
from tests.ops.family_index import FILE, expected


def test_the_index_has_the_names_and_traits_that_the_families_register() -> None:
    assert FILE.read_text() == expected(), "run python -m tests.ops.family_index"


@pytest.mark.parametrize(
    ("spelling", "family", "other"),
    [
        ("nn.Linear", "modules.linear", "modules.conv"),
        ("torch.stft", "rules.stft", "modules.linear"),
        ("Tensor.__rmatmul__", "rules.matmul", "rules.stft"),
        ("torch.relu_", "rules.activation", "rules.einsum"),
    ],
)
def test_finding_a_rule_imports_its_family_alone(spelling: str, family: str, other: str) -> None:
    program = f"import sys; from shapecheck.ops import find; print(bool(find({spelling!r}))); print(*sys.modules)"
    found, modules = _output(program).splitlines()
    assert found == "True"
    assert f"shapecheck.ops.{family}" in modules.split()
    assert f"shapecheck.ops.{other}" not in modules.split()


@pytest.mark.parametrize("question", ["names_with(Trait.AUTOCAST)", "find('no_such_operator')", "find('__init__')"])
def test_what_needs_no_rule_imports_no_family(question: str) -> None:
    program = f"import sys; from shapecheck.ops import Trait, find, names_with; {question}; print(*sys.modules)"
    families = {f"shapecheck.ops.{family}" for family in NAMES_OF_FAMILIES}
    assert not families & set(_output(program).split())


def test_each_family_can_be_imported_first_and_registers_its_names() -> None:
    program = """
import sys
from importlib import import_module
from shapecheck.ops.family_index import NAMES_OF_FAMILIES
for family, names in NAMES_OF_FAMILIES.items():
    for name in [one for one in sys.modules if one.startswith("shapecheck.ops")]:
        del sys.modules[name]
    import_module(f"shapecheck.ops.{family}")
    from shapecheck.ops.registry import TABLE
    missing = set(names.split()) - TABLE.keys()
    if missing:
        print(family, *sorted(missing))
"""
    assert _output(program) == ""


def _output(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
