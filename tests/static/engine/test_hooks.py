"""Rules are found by looking at the folder, and only those are asked whose codes are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from shapecheck.diagnostics import CHECKS, DEFAULT_CHECKS
from shapecheck.diagnostics.declared import declared
from shapecheck.ops import ModuleSpec, infer
from shapecheck.static import check, rules
from shapecheck.static.rules import rules_for


def built(name: str, *args: int) -> ModuleSpec:
    layer = infer(f"torch.nn.{name}", *args)
    assert isinstance(layer, ModuleSpec)
    return layer


_OF_OTHER_CODES = {
    "batch-axis-names",
    "batch-axis-positions",
    "chosen-widths",
    "class-dimension",
    "compared-results",
    "compared-with-itself",
    "element-order",
    "exchanged-dimensions",
    "ignored-parameter",
    "joined-axis",
    "misplaced-dimension",
    "misplaced-reduction",
    "missing-dimension",
    "multiple-width",
    "normalized-classes",
    "normalized-similarity",
    "normalized-single",
    "normalized-width",
    "number-for-flag",
    "overwritten-result",
    "padding-mask-axes",
    "paired-axes",
    "reshape-elements",
    "sequential-layers",
    "tensor-in-constructor",
    "unstored-parameter",
    "view-of-moved-axes",
}
"""Rules about calls that torch refuses, for most sizes or at all: they report shape-mismatch or another code."""


def test_every_file_has_a_code_of_its_name() -> None:
    files = {path.stem.replace("_", "-") for path in Path(rules.__file__).parent.glob("[a-z]*.py")}
    assert files - _OF_OTHER_CODES <= set(CHECKS)
    assert {code.name for code in declared()} <= files


def test_no_rule_is_asked_whose_code_is_not() -> None:
    assert all(not asked for asked in rules_for(frozenset()))
    asked = rules_for(frozenset({"softmax-dim"}))
    assert [len(asked.before.get(name)) for name in ("softmax", "Softmax", "relu")] == [1, 1, 0]
    assert not asked.after


def test_traits_select_operators_and_layers_called_or_built() -> None:
    asked = rules_for(frozenset({"missing-device", "tensor-core-size"}))
    linear, embedding = built("Linear", 1, 1), built("Embedding", 1, 1)
    assert [len(asked.before.get(name)) for name in ("add", "+", "Linear", "relu")] == [1, 1, 0, 0]
    assert [len(asked.before.get(layer.name, layer)) for layer in (linear, embedding)] == [1, 1]
    assert [len(asked.after.get(name)) for name in ("Linear", "Embedding")] == [1, 0]
    assert [len(asked.after.get(layer.name, layer)) for layer in (linear, embedding)] == [1, 1]


def test_a_layer_is_selected_by_name_when_it_is_called_or_built() -> None:
    asked = rules_for(frozenset({"index-range", "softmax-dim"}))
    embedding, softmax = built("Embedding", 1, 1), built("Softmax")
    assert [len(asked.before.get(name)) for name in ("Embedding", "Softmax")] == [0, 1]
    assert [len(asked.before.get(layer.name, layer)) for layer in (embedding, softmax)] == [1, 0]


def test_no_family_of_operators_is_loaded_before_a_rule_is_asked() -> None:
    program = (
        "import sys; from shapecheck.static.rules import rules_for; from shapecheck.diagnostics import CHECKS;"
        "rules_for(frozenset(CHECKS)); print('shapecheck.ops.rules.binary' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"


def test_what_torch_refuses_is_found_whatever_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text("import torch\n\ntorch.softmax(torch.zeros(2) + torch.zeros(3), 0)\n")
    assert [one.code for one in check([path], codes=())] == ["shape-mismatch"]


def test_the_codes_by_default_are_those_the_table_marks() -> None:
    assert set(CHECKS) - set(DEFAULT_CHECKS) == {"missing-device", "stale-docstring", "tensor-core-size"}
