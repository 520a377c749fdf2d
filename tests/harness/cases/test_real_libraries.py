"""Models of the libraries themselves, where these are installed."""

from __future__ import annotations

import importlib.util

import pytest

from shapecheck.harness.cases.targets import Search, find_targets
from shapecheck.harness.examine import examine, list_cases
from shapecheck.harness.results import Status
from shapecheck.harness.run_options import RunOptions

MODELS = {
    "timm:test_resnet": ("timm", "timm: default_cfg['input_size']", {"x": "torch.float32 (2, 3, 160, 160)"}),
    "torchvision:squeezenet1_1": (
        "torchvision", "torchvision: models.squeezenet", {"x": "torch.float32 (2, 3, 224, 224)"},
    ),
    "hf:BertConfig": (
        "transformers",
        "parameter names: input_ids, attention_mask",
        {"input_ids": "torch.int64 (2, 7)", "attention_mask": "torch.int64 (2, 7)"},
    ),
    "hf:ViTConfig": (
        "transformers", "parameter names: pixel_values", {"pixel_values": "torch.float32 (2, 3, 224, 224)"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("device", ["cpu", "fake"])
@pytest.mark.parametrize("name", MODELS)
def test_model_of_an_installed_library_runs(name: str, device: str) -> None:
    package, inputs_from, inputs = MODELS[name]
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    (target,) = find_targets([name], Search())
    (case,) = list_cases(target)
    found = examine(target, case.name, RunOptions(device=device, checks=("contract",)))
    assert (found.outcome, found.inputs_from, found.inputs) == (Status.PASSED, inputs_from, inputs), found.detail
