"""Layouts in memory: of tensors, at the boundaries of modules, and of results in two ways to call a model."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from shapecheck.harness.probe import Probe
from shapecheck.harness.probe.memory_layout import layout_text
from shapecheck.harness.result_layouts import layout_remarks

IMAGE, VIDEO, MATRIX = torch.zeros(2, 3, 5, 7), torch.zeros(2, 3, 5, 7, 11), torch.zeros(3, 5)
LAST = IMAGE.contiguous(memory_format=torch.channels_last)
TEXTS: list[tuple[Tensor, str]] = [
    (MATRIX, ""),
    (torch.zeros(()), ""),
    (torch.zeros(0, 4).t(), ""),
    (torch.zeros(5, 1).t(), ""),
    (IMAGE[:, :1].contiguous(memory_format=torch.channels_last), ""),
    (MATRIX.t(), "strides (1, 5)"),
    (MATRIX[:, ::2], "strides (5, 2)"),
    (MATRIX[:1].expand(4, 5), "strides (0, 1)"),
    (LAST, "channels_last"),
    (LAST[:, :, ::2], "strides (105, 1, 42, 3)"),
    (VIDEO.contiguous(memory_format=torch.channels_last_3d), "channels_last_3d"),
]


@pytest.mark.parametrize(("tensor", "text"), TEXTS)
def test_only_what_is_not_contiguous_has_a_text(tensor: Tensor, text: str) -> None:
    assert layout_text(tensor.shape, tensor.stride()) == text


class Transposed(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Tanh()

    def forward(self, x: Tensor) -> Tensor:
        return self.inner(x.t())


def test_boundaries_of_modules_have_layouts() -> None:
    model = Transposed()
    with Probe(model) as probe:
        model(torch.zeros(2, 3))
    outer, inner = probe.modules()
    assert outer.inputs == ("torch.float32 (2, 3)",)
    assert inner.inputs == inner.outputs == ("torch.float32 (3, 2) strides (1, 3)",)


def test_a_sparse_tensor_has_none() -> None:
    model = nn.Identity()
    with Probe(model) as probe:
        model(torch.eye(3).to_sparse())
    assert probe.modules()[0].inputs == ("torch.float32 (3, 3)",)


def test_results_with_another_layout_are_remarks() -> None:
    assert list(layout_remarks([LAST], [IMAGE], "without data")) == [
        "the result has the layout contiguous without data, channels_last in eager mode"
    ]
    assert list(layout_remarks([MATRIX, MATRIX.t()], [MATRIX, MATRIX.t().contiguous()], "under torch.compile")) == [
        "result 1 has the layout contiguous under torch.compile, strides (1, 5) in eager mode"
    ]
    assert not list(layout_remarks([LAST], [LAST.clone()], "without data"))
