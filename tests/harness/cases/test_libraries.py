"""Models of libraries by name, with small packages in place of timm, torchvision and transformers."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from shapecheck.harness.cases.declared import Declared
from shapecheck.harness.cases.libraries.table import NameProblem, all_libraries
from shapecheck.harness.cases.model import Target
from shapecheck.harness.cases.targets import Search, TargetError, find_targets
from shapecheck.harness.examine import examine, list_cases
from shapecheck.harness.results import CaseResult, Status
from shapecheck.harness.run_options import RunOptions

PACKAGES = {
    "timm/__init__.py": """
        from torch import nn

        class Net(nn.Module):
            default_cfg = {"input_size": (3, 12, 10)}

            def __init__(self, width):
                super().__init__()
                self.stem, self.head = nn.Conv2d(3, width, 3), nn.Linear(width * 10 * 8, 5)

            def forward(self, x):
                return self.head(self.stem(x).flatten(1))

        def tiny_net(pretrained, width=4):
            assert not pretrained
            return Net(width)

        def tiny_wide(pretrained, width=6):
            return Net(width)

        _MODELS = {"tiny_net": tiny_net, "tiny_wide": tiny_wide}

        def list_models():
            return list(_MODELS)

        def is_model(name):
            return name in _MODELS

        def model_entrypoint(name):
            return _MODELS[name]

        def create_model(name, pretrained=True, **arguments):
            return _MODELS[name](pretrained, **arguments)
    """,
    "torchvision/__init__.py": "",
    "torchvision/models/__init__.py": """
        from .detection import boxes
        from .optical_flow import flow
        from .resnet import small

        _MODELS = {"boxes": boxes, "flow": flow, "small": small}

        def list_models():
            return list(_MODELS)

        def get_model_builder(name):
            return _MODELS[name]

        def get_model_weights(builder):
            raise ValueError("none")
    """,
    "torchvision/models/resnet.py": """
        from torch import nn

        def small(*, weights="DEFAULT", classes=3):
            assert weights is None
            return nn.Sequential(nn.Conv2d(3, 4, 7, 4), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, classes))
    """,
    "torchvision/models/detection.py": """
        from torch import nn

        class Boxes(nn.Module):
            def __init__(self):
                super().__init__()
                self.stem = nn.Conv2d(3, 4, 3)

            def forward(self, images, targets=None):
                return [{"boxes": self.stem(image[None]).mean((2, 3))} for image in images]

        def boxes(*, weights="DEFAULT", weights_backbone="DEFAULT"):
            assert weights is weights_backbone is None
            return Boxes()
    """,
    "torchvision/models/optical_flow.py": """
        from torch import nn

        class Flow(nn.Module):
            def __init__(self):
                super().__init__()
                self.stem = nn.Conv2d(6, 2, 1)

            def forward(self, image1, image2, updates: int = 12):
                return [self.stem(__import__("torch").cat([image1, image2], 1))]

        def flow(*, weights=None):
            return Flow()
    """,
    "transformers/__init__.py": """
        import json

        class PreTrainedConfig:
            model_type = ""

            def to_dict(self):
                return dict(vars(self))

        class TextConfig(PreTrainedConfig):
            model_type = "text"

            def __init__(self, vocab_size=30000, hidden_size=768, num_attention_heads=12, num_hidden_layers=12,
                         image_token_id=29999):
                vars(self).update({name: value for name, value in locals().items() if name != "self"})
                if hidden_size % num_attention_heads:
                    raise ValueError("hidden_size is not a multiple of num_attention_heads")

        class BrokenConfig(PreTrainedConfig):
            def __init__(self):
                raise ValueError("needs a vision tower")

        class UnusedConfig(PreTrainedConfig):
            pass

        class AutoConfig:
            @staticmethod
            def from_pretrained(path, local_files_only):
                assert local_files_only
                config = TextConfig(**json.loads(path.read_text()))
                config.architectures = ["TextForClasses"]
                return config

        from .models.text import TextForClasses, TextModel
    """,
    "transformers/models/__init__.py": "",
    "transformers/models/text.py": """
        import torch
        from torch import nn
        import transformers

        class TextModel(nn.Module):
            config_class = transformers.TextConfig

            def __init__(self, config):
                super().__init__()
                self.config = config
                self.embed = nn.Embedding(config.vocab_size, config.hidden_size)
                self.layers = nn.ModuleList(
                    nn.Linear(config.hidden_size, config.hidden_size) for _ in range(config.num_hidden_layers)
                )

            def forward(self, input_ids: torch.LongTensor | None = None, attention_mask: torch.Tensor | None = None):
                x = self.embed(input_ids)
                for layer in self.layers:
                    x = layer(x)
                return x * attention_mask[..., None]

        class TextForClasses(TextModel):
            def forward(self, input_ids=None, attention_mask=None, labels=None):
                return super().forward(input_ids, attention_mask).mean(1)
    """,
    "transformers/models/auto/__init__.py": "",
    "transformers/models/auto/configuration_auto.py": """
        CONFIG_MAPPING_NAMES = {"text": "TextConfig", "broken": "BrokenConfig", "unused": "UnusedConfig"}
    """,
    "transformers/models/auto/modeling_auto.py": """
        import transformers
        MODEL_MAPPING = {transformers.TextConfig: transformers.TextModel}
    """,
}
BROKEN = "cannot create BrokenConfig: ValueError: needs a vision tower; pass others with --arg NAME=VALUE"
OPTIONS = RunOptions(skip=("compiled", "autocast"))


@pytest.fixture(autouse=True)
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name, text in PACKAGES.items():
        (tmp_path / "site" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / name).write_text(dedent(text))
    before = {name: sys.modules.pop(name) for name in list(sys.modules) if _is_library(name)}
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.chdir(tmp_path)
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_HUB_DISABLE_TELEMETRY"):
        monkeypatch.setenv(name, "")
    yield tmp_path
    for name in [name for name in sys.modules if _is_library(name)]:
        del sys.modules[name]
    sys.modules.update(before)


def _is_library(name: str) -> bool:
    return name.partition(".")[0] in ("timm", "torchvision", "transformers")


def _target(text: str, **arguments: object) -> Target:
    (target,) = find_targets([text], Search())
    return replace(target, arguments=arguments)


def _examined(text: str, device: str = "cpu", **arguments: object) -> CaseResult:
    target = _target(text, **arguments)
    (case,) = list_cases(target)
    return examine(target, case.name, RunOptions(device=device, skip=OPTIONS.skip))


RUNS = {
    "timm:tiny_net": (
        "timm: create_model('tiny_net')", "timm: default_cfg['input_size']", "x: (2, 3, 12, 10)", "(2, 5)",
    ),
    "torchvision:small": (
        "torchvision: get_model('small')", "torchvision: models.resnet", "input: (2, 3, 224, 224)", "(2, 3)",
    ),
    "torchvision:boxes": (
        "torchvision: get_model('boxes')", "torchvision: models.detection", "images[]: (3, 64, 64)", "(1, 4)",
    ),
    "torchvision:flow": (
        "torchvision: get_model('flow')", "torchvision: models.optical_flow",
        "image1: (2, 3, 128, 128), image2: (2, 3, 128, 128)", "(2, 2, 128, 128)",
    ),
    "hf:TextConfig": (
        "transformers: TextModel(small TextConfig)", "parameter names: input_ids, attention_mask",
        "input_ids: (2, 7), attention_mask: (2, 7)", "(2, 7, 32)",
    ),
    "hf:text": (
        "transformers: TextModel(small TextConfig)", "parameter names: input_ids, attention_mask",
        "input_ids: (2, 7), attention_mask: (2, 7)", "(2, 7, 32)",
    ),
    "hf:TextForClasses": (
        "transformers: TextForClasses(small TextConfig)", "parameter names: input_ids, attention_mask",
        "input_ids: (2, 7), attention_mask: (2, 7)", "(2, 32)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("device", ["cpu", "fake"])
@pytest.mark.parametrize("name", RUNS)
def test_model_runs_and_report_says_where_constructor_and_inputs_come_from(name: str, device: str) -> None:
    constructor, inputs_from, inputs, output = RUNS[name]
    found = _examined(name, device)
    assert (found.name, found.outcome, found.diagnostics) == (name, Status.PASSED, ()), found.detail
    assert (found.constructor, found.inputs_from) == (constructor, inputs_from)
    assert ", ".join(f"{place}: {text.partition(' ')[2]}" for place, text in found.inputs.items()) == inputs
    assert found.outputs[0].endswith(output)


def test_pattern_selects_several_models() -> None:
    assert [case.name for case in list_cases(_target("timm:tiny_*"))] == ["timm:tiny_net", "timm:tiny_wide"]


def test_pattern_lists_what_has_no_model_with_the_reason() -> None:
    found = {case.name: case.detail for case in list_cases(_target("hf:*Config"))}
    assert found == {
        "hf:BrokenConfig": BROKEN,
        "hf:TextConfig": "",
        "hf:UnusedConfig": "transformers has no model for UnusedConfig",
    }


UNKNOWN = {
    "timm:tiny_nett": 'no such model; did you mean "tiny_net" or "tiny_wide"?',
    "timm:other": "no such model",
    "timm:other*": 'no model matches "other*"',
    "torchvision:smal": 'no such model; did you mean "small"?',
    "hf:TxtConfig": 'no such model; did you mean "TextConfig"?',
    "hf:BrokenConfig": BROKEN,
    "hf:missing/config.json": "no such file",
}


@pytest.mark.parametrize("text", UNKNOWN)
def test_unknown_name_is_one_line(text: str) -> None:
    with pytest.raises(NameProblem) as why:
        list_cases(_target(text))
    assert str(why.value) == UNKNOWN[text]


@pytest.mark.parametrize("prefix", ["timm", "torchvision", "hf"])
def test_missing_package_is_an_error_with_the_command_that_installs_it(
    prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    library = all_libraries()[prefix]
    with pytest.raises(TargetError) as why:
        find_targets([f"{prefix}:x"], Search())
    assert str(why.value) == f"{prefix}:x: the package {library.package} is not installed; use `{library.install}`"


def test_arguments_of_the_command_line() -> None:
    assert _examined("timm:tiny_net", width=8).constructor == "timm: create_model('tiny_net', width=8)"
    found = _examined("hf:TextConfig", hidden_size=48)
    assert found.constructor == "transformers: TextModel(small TextConfig, hidden_size=48)"
    assert found.outputs == ("torch.float32 (2, 7, 48)",)


def test_wrong_argument_is_no_finding() -> None:
    found = _examined("timm:tiny_net", depth=8)
    assert (found.outcome, found.diagnostics) == (Status.UNBUILT, ())
    assert "tiny_net() got an unexpected keyword argument 'depth'" in found.detail


def test_configuration_file_keeps_its_architecture(packages: Path) -> None:
    (packages / "config.json").write_text('{"vocab_size": 64}')
    found = _examined("hf:config.json")
    assert (found.outcome, found.outputs) == (Status.PASSED, ("torch.float32 (2, 32)",)), found.detail
    assert found.constructor == "transformers: TextForClasses(small TextConfig)"


def test_declared_sizes_take_precedence_over_those_of_the_library() -> None:
    target = replace(_target("torchvision:small"), configured={"small": {"tiny": Declared(dims={"height": 16})}})
    found = examine(target, "torchvision:small[tiny]", OPTIONS)
    assert found.inputs == {"input": "torch.float32 (2, 3, 16, 224)"}


def test_nothing_may_be_downloaded() -> None:
    list_cases(_target("hf:TextConfig"))
    assert (os.environ["HF_HUB_OFFLINE"], os.environ["TRANSFORMERS_OFFLINE"]) == ("1", "1")
