"""What is behind parameters that begin with zero is compared as if the model were trained."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn

from shapecheck.harness.awakened import _is_asleep
from tests.harness.planted import examined_alone

HEAD = """\
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Parameter({gate} * torch.ones(8))
        self.embed = nn.Embedding(20, 8)

"""
FORWARDS = {
    "batch": """\
    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 8"]:
        return x + self.gate * x.mean(0)
""",
    "padding": """\
    def forward(self, x: Float[Tensor, "b t 8"], attention_mask: Bool[Tensor, "b t"]) -> Float[Tensor, "b t 8"]:
        return x + self.gate * x.mean(1, keepdim=True)
""",
    "kv_cache": """\
    def forward(self, input_ids: Int[Tensor, "b t"], past_key_values=None, use_cache: bool = False) -> dict:
        new = self.embed(input_ids)
        return {"logits": new + self.gate * new.cumsum(1), "past_key_values": new}
""",
}
CODES = {"batch": "batch-dependence", "padding": "ignored-mask", "kv_cache": "cache-mismatch"}


@pytest.mark.parametrize("gate", ["1", "1e-6", "0"])
@pytest.mark.parametrize("check", FORWARDS)
def test_mistakes_behind_a_gate(check: str, gate: str, tmp_path: Path) -> None:
    found = examined_alone(tmp_path, HEAD.format(gate=gate) + FORWARDS[check], check).diagnostics
    assert [one.code for one in found] == [CODES[check]]


PARAMETERS = [
    ("scale", torch.zeros(4), True),
    ("scale", torch.full((4,), 1e-5), True),
    ("weight", torch.zeros(4, 4), True),
    ("alpha", torch.zeros(()), True),
    ("bias", torch.zeros(4), False),
    ("weight", torch.ones(4), False),
    ("weight", 0.001 * torch.arange(4.0), False),
    ("empty", torch.zeros(0), False),
]


@pytest.mark.parametrize(("name", "values", "expected"), PARAMETERS)
def test_which_parameters_hide_what_is_behind_them(name: str, values: torch.Tensor, expected: bool) -> None:
    assert _is_asleep(f"layers.0.{name}", nn.Parameter(values)) is expected
