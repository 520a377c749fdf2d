"""The same with real libraries, if they are installed where the tests run."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from shapecheck.project.environment import installed_libraries
from shapecheck.project.files import display_path
from shapecheck.static.entry.checker import Checker

IMAGES = "x = torch.zeros(2, 3, 224, 224)\n"


def messages(folder: Path, library: str, program: str) -> list[str]:
    if find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    path = folder / "program.py"
    path.write_text(
        f"import torch\nimport {library}\nfrom torch import nn\nfrom shapecheck import reveal_shape\n{program}"
    )
    checker = Checker([path], libraries=installed_libraries(None, folder))
    return [one.message.removeprefix("torch.float32 ") for one in checker.findings(path, {display_path(path)})]


@pytest.mark.parametrize(
    ("call", "shape"),
    [
        ("torchvision.models.resnet18()(x)", "(2, 1000)"),
        ("torchvision.models.resnet50(num_classes=7)(x)", "(2, 7)"),
        ("torchvision.models.vit_b_16()(x)", "(2, 1000)"),
        ("torchvision.models.vgg16().features(x)", "(2, 512, 7, 7)"),
        ("nn.Sequential(*list(torchvision.models.resnet18().children())[:-2])(x)", "(2, 512, 7, 7)"),
    ],
)
def test_torchvision(tmp_path: Path, call: str, shape: str) -> None:
    assert messages(tmp_path, "torchvision", f"{IMAGES}reveal_shape({call})\n") == [shape]


def test_a_head_for_resnet50_does_not_match_resnet18(tmp_path: Path) -> None:
    program = f"""
model = torchvision.models.resnet18()
model.fc = nn.Identity()
{IMAGES}
nn.Linear(2048, 10)(model(x))
"""
    found = messages(tmp_path, "torchvision", program)
    assert len(found) == 1
    assert "expected the last dimension of the input to be 2048, got 512" in found[0]
    assert messages(tmp_path, "torchvision", program.replace("resnet18", "resnet50")) == []


def test_timm(tmp_path: Path) -> None:
    call = "timm.create_model('resnet50', pretrained=True, num_classes=10)"
    assert messages(tmp_path, "timm", f"{IMAGES}reveal_shape({call}(x))\n")[0].endswith(", 10)")
