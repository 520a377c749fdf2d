"""Rules are found by looking at the folder, and only those are asked whose codes are."""

from __future__ import annotations

from pathlib import Path

from shapecheck.diagnostics import CHECKS, DEFAULT_CHECKS
from shapecheck.diagnostics.declared import declared
from shapecheck.static import check, rules
from shapecheck.static.rules import rules_for


def test_every_file_has_a_code_of_its_name() -> None:
    files = {path.stem.replace("_", "-") for path in Path(rules.__file__).parent.glob("[a-z]*.py")}
    assert files <= set(CHECKS)
    assert {code.name for code in declared()} <= files


def test_no_rule_is_asked_whose_code_is_not() -> None:
    assert all(not asked for asked in rules_for(frozenset()))
    assert rules_for(frozenset({"softmax-dim"})).before.keys() >= {"softmax", "Softmax"}
    assert not rules_for(frozenset({"softmax-dim"})).after


def test_what_torch_refuses_is_found_whatever_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text("import torch\n\ntorch.softmax(torch.zeros(2) + torch.zeros(3), 0)\n")
    assert [one.code for one in check([path], codes=())] == ["shape-mismatch"]


def test_the_codes_by_default_are_those_the_table_marks() -> None:
    assert set(CHECKS) - set(DEFAULT_CHECKS) == {"missing-device", "tensor-core-size"}
