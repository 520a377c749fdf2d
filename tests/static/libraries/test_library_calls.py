"""Calls of installed libraries return what their source computes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.libraries.programs import findings, revealed

IMAGES = "x = torch.zeros(2, 3, 32, 32)\n"


@pytest.mark.parametrize(
    ("expression", "shape"),
    [
        ("nets.Wide()(x)", "(2, 1000)"),
        ("nets.Wide(16, num_classes=5)(x)", "(2, 5)"),
        ("nets.Wide(num_classes=0)(x)", "(2, 32)"),
        ("nets.models.Wide().forward_features(x)", "(2, 32, 4, 4)"),
        ("nets.models.wide.Wide().body(torch.zeros(1, 8, 4, 4))", "(1, 32, 1, 1)"),
        ("nets.Wide(4).num_features", "16"),
        ("nets.layers.Block(3, 6)(x)", "(2, 6, 16, 16)"),
        ("nets.Block(3, 6)(x)", "(2, 6, 16, 16)"),
        ("nets.functional.pooled(x)", "(2, 3)"),
        ("nets.functional.pooled(x, keep=True)", "(2, 3, 1, 1)"),
        ("nn.Sequential(*list(nets.Wide().children())[:-1])(x)", "(2, 32, 4, 4)"),
    ],
    ids=str,
)
def test_an_expression_has_the_shape_that_the_source_computes(tmp_path: Path, expression: str, shape: str) -> None:
    program = f"import nets\n{IMAGES}reveal_shape({expression})\n"
    assert revealed(tmp_path, program) == [shape]
    assert revealed(tmp_path, program, installed=False)[0] != shape


@pytest.mark.parametrize(
    ("imports", "name"),
    [
        ("import nets", "nets.Wide"),
        ("import nets.models", "nets.models.Wide"),
        ("import nets.models.wide as w", "w.Wide"),
        ("from nets import Wide", "Wide"),
        ("from nets import models as m", "m.Wide"),
        ("from nets.models.wide import Wide as W", "W"),
    ],
)
def test_a_class_is_found_under_each_of_its_names(tmp_path: Path, imports: str, name: str) -> None:
    assert revealed(tmp_path, f"{imports}\n{IMAGES}reveal_shape({name}(num_classes=3)(x))\n") == ["(2, 3)"]


@pytest.mark.parametrize(
    ("call", "shape"),
    [
        ("create_model('wide8')", "(2, 1000)"),
        ("create_model('wide8.some_tag', pretrained=True)", "(2, 1000)"),
        ("create_model('wide8', num_classes=10)", "(2, 10)"),
        ("create_model('wide8', num_classes=0)", "(2, 32)"),
        ("models.wide16(num_classes=4)", "(2, 4)"),
    ],
)
def test_a_model_is_created_by_the_name_under_which_a_decorator_registers_it(
    tmp_path: Path, call: str, shape: str
) -> None:
    assert revealed(tmp_path, f"from nets import create_model, models\n{IMAGES}reveal_shape({call}(x))\n") == [shape]


@pytest.mark.parametrize(
    "call",
    [
        "create_model('unknown_name')",
        "create_model(name)",
        "models.wide16(pretrained=True)",
        "models.wide16(True)",
        "nets.Endless()",
    ],
    ids=str,
)
def test_what_cannot_be_followed_is_unknown(tmp_path: Path, call: str) -> None:
    program = f"import nets\nfrom nets import create_model, models\ndef f(name, x):\n    reveal_shape({call}(x))\n"
    assert [one.startswith("unknown") for one in revealed(tmp_path, program)] == [True]


def test_a_function_of_a_file_without_torch_is_unknown(tmp_path: Path) -> None:
    assert revealed(tmp_path, "import plain\nreveal_shape(plain.head(3))\n")[0].startswith("unknown")


def test_a_cast_for_type_checkers_keeps_its_value(tmp_path: Path) -> None:
    program = "from typing import cast\nreveal_shape(torch.zeros(cast(int, 3), 2))\n"
    assert revealed(tmp_path, program) == ["(3, 2)"]


HEAD = """
import nets

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nets.Wide(8)
        {removal}
        self.head = nn.Linear({size}, 10)

    def forward(self, x):
        return self.head({call}(x))
"""


@pytest.mark.parametrize(
    ("removal", "size", "call", "got"),
    [
        ("pass", "2048", "self.backbone", "1000"),
        ("self.backbone.fc = nn.Identity()", "2048", "self.backbone", "32"),
        ("self.backbone.reset_classifier(7)", "2048", "self.backbone", "7"),
        ("self.backbone.fc = nn.Linear(self.backbone.fc.in_features, 9)", "2048", "self.backbone", "9"),
    ],
)
def test_a_head_for_another_width_is_found_at_its_line(
    tmp_path: Path, removal: str, size: str, call: str, got: str
) -> None:
    found = findings(tmp_path, HEAD.format(removal=removal, size=size, call=call))
    message = f"expected the last dimension of the input to be {size}, got {got}"
    assert [(one.path.endswith("program.py"), one.code, message in one.message) for one in found] == [
        (True, "shape-mismatch", True)
    ]


@pytest.mark.parametrize(
    ("removal", "size"),
    [
        ("pass", "1000"),
        ("self.backbone.fc = nn.Identity()", "32"),
        ("self.backbone.fc = nn.Identity()", "self.backbone.num_features"),
        ("self.backbone.reset_classifier(7)", "7"),
        ("self.backbone.fc = nn.Linear(self.backbone.fc.in_features, 9)", "9"),
    ],
)
def test_a_head_of_the_right_width_is_silent(tmp_path: Path, removal: str, size: str) -> None:
    assert findings(tmp_path, HEAD.format(removal=removal, size=size, call="self.backbone")) == []


def test_a_layer_that_other_code_of_the_file_sets_is_unknown(tmp_path: Path) -> None:
    replacing = "\ndef with_head(net, size):\n    net.backbone.fc = nn.Linear(32, size)\n"
    program = HEAD.format(removal="self.backbone.fc = nn.Identity()", size="2048", call="self.backbone")
    assert findings(tmp_path, program + replacing) == []


def test_a_call_that_fails_in_the_library_is_found_at_the_line_of_the_project(tmp_path: Path) -> None:
    found = findings(tmp_path, "import nets\nnets.Wide()(torch.zeros(2, 4, 32, 32))\n")
    assert [(one.path.rpartition("/")[2], one.line, one.code) for one in found] == [("program.py", 4, "shape-mismatch")]
    assert "expected an input with 3 channels, got 4" in found[0].message
    assert found[0].notes[0].path.endswith("nets/layers.py")


def test_arguments_that_a_library_does_not_accept_are_found(tmp_path: Path) -> None:
    found = findings(tmp_path, "import nets\nnets.Wide(depth=3)\n")
    assert [(one.path.rpartition("/")[2], one.line, one.code) for one in found] == [("program.py", 4, "wrong-call")]


def test_intended_code_of_a_library_is_not_reported(tmp_path: Path) -> None:
    """Broadcasts that only the project's own code should explain, and arguments that decorators convert."""
    assert findings(tmp_path, "import nets\nnets.Scale()(torch.zeros(7, 1))\nnets.models.wide16(True)\n") == []


def test_what_fails_while_a_library_builds_a_model_is_not_reported(tmp_path: Path) -> None:
    assert findings(tmp_path, "import nets\nmodel = nets.models.Broken()\n") == []


def test_the_type_of_an_object_of_a_library_is_not_certain_in_the_project(tmp_path: Path) -> None:
    program = """
    import nets
    from nets.models import Wide
    layer = nn.Linear(3, 4) if isinstance(nets.Wide(), Wide) else nn.Linear(5, 6)
    layer(torch.zeros(2, 3))
    """
    assert findings(tmp_path, program) == []


def test_a_file_of_the_project_comes_before_a_library_of_the_same_name(tmp_path: Path) -> None:
    (tmp_path / "nets.py").write_text("def other(): ...\n")
    assert revealed(tmp_path, f"import nets\n{IMAGES}reveal_shape(nets.Wide()(x))\n")[0].startswith("unknown")


def test_an_internal_error_in_a_library_makes_the_call_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from shapecheck.static.calls import functions  # noqa: PLC0415 - replaced below

    run_body = functions._run_body

    def failing(*given: object) -> object:
        if getattr(given[2], "name", "") == "forward_features":
            raise KeyError("an error of the engine")
        return run_body(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(functions, "_run_body", failing)
    assert revealed(tmp_path, f"import nets\n{IMAGES}reveal_shape(nets.Wide()(x))\n")[0].startswith("unknown")


def test_a_layer_that_receives_unknown_keyword_arguments_is_built(tmp_path: Path) -> None:
    program = """
import nets


class Net(nn.Module):
    def __init__(self, **options):
        super().__init__()
        self.block = nets.Block(3, 6, **options)

    def forward(self, x):
        b, c, h, w = x.shape
        reveal_shape(self.block(x))
        return x
"""
    (shape,) = set(revealed(tmp_path, program))
    assert shape.startswith("(b, 6, ")
