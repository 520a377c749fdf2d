"""The models of `models.toml`: how each is built, and with which inputs it is called."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import msgspec
import torch
from torch import Tensor, nn

from shapecheck.harness.cases.declared import Declared
from shapecheck.harness.cases.model import Target
from shapecheck.harness.cases.targets import Search, find_targets
from shapecheck.harness.load_cases import load_cases

LIST = Path(__file__).with_name("models.toml")
_VOCABULARY = 20


class Model(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A model of a library. module: the one that is changed. side: of its images, 0 for what its config says."""

    target: str
    module: str
    inputs: Literal["text", "encoder-decoder", "image"]
    side: int = 0

    @property
    def path(self) -> str:
        """The file of the module, from the directory of packages."""
        return f"{self.module.replace('.', '/')}.py"

    def to_run(self) -> Target:
        """What `shapecheck run` gets."""
        (found,) = find_targets([self.target], Search())
        sizes = {"height": self.side, "width": self.side} if self.side else {}
        return replace(found, configured={found.only: {"": Declared(dims=sizes)}})

    def build(self) -> nn.Module:
        """The model as `run` builds it: the first way that works."""
        (case,) = load_cases(self.to_run())
        for one in case.alternatives:
            try:
                return _built(one.target)
            except Exception:
                continue
        return _built(case.target)

    def call(
        self, model: nn.Module, batch: int, size: int, layout: torch.memory_format = torch.contiguous_format
    ) -> Any:
        """The results for random inputs: size is a number of tokens, of which the first row has fewer."""
        if self.inputs == "image":
            side = self.side or int(model.config.image_size)  # type: ignore[union-attr,arg-type]
            return model(torch.rand(batch, 3, side, side).contiguous(memory_format=layout))
        ids = torch.randint(3, _VOCABULARY, (batch, size))
        kept = torch.ones_like(ids)
        kept[0, size - size // 3 :] = 0
        given: dict[str, Tensor] = {"input_ids": ids, "attention_mask": kept}
        if self.inputs == "encoder-decoder":
            given["decoder_input_ids"] = torch.randint(3, _VOCABULARY, (batch, size + 2))
        return model(**given)


def _built(make: Callable[[], Any]) -> nn.Module:
    torch.manual_seed(0)
    model = make()
    assert isinstance(model, nn.Module)
    return model


class _List(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    model: list[Model]


def models(file: Path = LIST) -> Mapping[str, Model]:
    """By the last part of the module's name."""
    listed = msgspec.toml.decode(file.read_bytes(), type=_List).model
    return {one.module.rpartition(".")[2]: one for one in listed}
