"""Operations agree with torch.utils.flop_counter; what is opaque to it costs what its parts do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from shapecheck.harness.probe import Probe
from tests.harness.probe.models import CASES


@contextmanager
def in_parts() -> Iterator[None]:
    """torch's fused operators are taken apart into products, which its counter sees."""
    with sdpa_kernel(SDPBackend.MATH), torch.backends.mkldnn.flags(enabled=False):
        yield


def counted(call: Callable[[], Any]) -> int:
    with in_parts(), FlopCounterMode(display=False) as counter:
        call()
    return counter.get_total_flops()


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("training", [True, False])
def test_total_is_that_of_the_flop_counter(name: str, training: bool) -> None:
    case = CASES[name]
    model, x = case.make().train(training), case.inputs()
    with Probe(model) as probe, torch.set_grad_enabled(training):
        model(x)
    assert probe.flops == counted(lambda: model(x)) > 0


@pytest.mark.parametrize("name", ["GPT", "ResNet", "ViT", "LSTM", "GRU"])
def test_backward_total_is_that_of_the_flop_counter(name: str) -> None:
    case = CASES[name]
    model, x = case.make(), case.inputs()
    forward = counted(lambda: model(x))
    with in_parts(), Probe(model) as probe:
        model(x).sum().backward()
    assert probe.flops == forward
    assert probe.backward_flops == counted(lambda: model(x).sum().backward()) - forward > 0


def test_fused_backward_counts_what_its_formula_says() -> None:
    q = torch.randn(2, 3, 5, 8, requires_grad=True)
    with Probe(nn.Identity()) as probe:
        F.scaled_dot_product_attention(q, q, q).sum().backward()
    assert probe.backward_flops == 5 * 2 * (2 * 3) * 5 * 5 * 8


def heads(*shape: int) -> Tensor:
    return torch.randn(*shape)


ATTENTION: dict[str, tuple[Callable[[], Any], int]] = {
    "self": (lambda: F.scaled_dot_product_attention(*3 * [heads(2, 3, 5, 8)]), 2 * 2 * 3 * 5 * 5 * (8 + 8)),
    "causal": (
        lambda: F.scaled_dot_product_attention(*3 * [heads(2, 3, 5, 8)], is_causal=True),
        2 * 2 * 3 * 5 * 5 * (8 + 8),
    ),
    "mask": (
        lambda: F.scaled_dot_product_attention(*3 * [heads(2, 3, 5, 8)], attn_mask=torch.ones(5, 5).bool()),
        2 * 2 * 3 * 5 * 5 * (8 + 8),
    ),
    "cross": (
        lambda: F.scaled_dot_product_attention(heads(2, 3, 5, 8), heads(2, 3, 7, 8), heads(2, 3, 7, 8)),
        2 * 2 * 3 * 5 * 7 * (8 + 8),
    ),
    "grouped queries": (
        lambda: F.scaled_dot_product_attention(
            heads(2, 6, 5, 8), heads(2, 3, 5, 8), heads(2, 3, 5, 8), enable_gqa=True
        ),
        2 * 2 * 6 * 5 * 5 * (8 + 8),
    ),
    "wide values": (
        lambda: F.scaled_dot_product_attention(heads(2, 3, 5, 8), heads(2, 3, 5, 8), heads(2, 3, 5, 4)),
        2 * 2 * 3 * 5 * 5 * (8 + 4),
    ),
    "dropout": (
        lambda: F.scaled_dot_product_attention(*3 * [heads(2, 3, 5, 8)], dropout_p=0.5),
        2 * 2 * 3 * 5 * 5 * (8 + 8),
    ),
}


@pytest.mark.parametrize("name", ATTENTION)
def test_attention(name: str) -> None:
    call, expected = ATTENTION[name]
    with Probe(nn.Identity()) as probe:
        call()
    assert probe.flops == expected == counted(call)


PRODUCTS: dict[str, tuple[Callable[[], Any], int]] = {
    "matrix": (lambda: heads(3, 4) @ heads(4, 5), 2 * 3 * 4 * 5),
    "matrices": (lambda: heads(7, 3, 4) @ heads(7, 4, 5), 2 * 7 * 3 * 4 * 5),
    "matrix and vector": (lambda: heads(3, 4) @ heads(4), 2 * 3 * 4),
    "vectors": (lambda: heads(4) @ heads(4), 2 * 4),
    "added": (lambda: torch.addmm(heads(3, 5), heads(3, 4), heads(4, 5)), 2 * 3 * 4 * 5),
    "einsum": (lambda: torch.einsum("bij,kj->bik", heads(2, 3, 4), heads(5, 4)), 2 * 2 * 3 * 4 * 5),
    "convolution": (lambda: F.conv1d(heads(2, 3, 9), heads(4, 3, 5)), 2 * 2 * 5 * (4 * 3 * 5)),
    "depthwise": (lambda: F.conv1d(heads(2, 4, 9), heads(4, 1, 5), groups=4), 2 * 2 * 5 * (4 * 5)),
    "no products": (lambda: heads(3, 4).softmax(-1) * 2, 0),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_products(name: str) -> None:
    call, expected = PRODUCTS[name]
    with Probe(nn.Identity()) as probe:
        call()
    assert probe.flops == expected


def test_depthwise_gradients_count_each_group_alone() -> None:
    weight = heads(4, 1, 5).requires_grad_()
    with Probe(nn.Identity()) as probe:
        F.conv1d(heads(2, 4, 9), weight, groups=4).sum().backward()
    assert probe.backward_flops == probe.flops


@pytest.mark.parametrize("fused", [True, False])
def test_encoder_layers_cost_the_same_fused_and_not(fused: bool) -> None:
    layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True).eval()
    x = torch.randn(2, 5, 16)
    with Probe(layer) as probe, torch.set_grad_enabled(not fused):
        layer(x)
    assert probe.flops == counted(lambda: layer(x)) > 0


def test_attention_layer_costs_the_same_fused_and_not() -> None:
    layer = nn.MultiheadAttention(16, 2, batch_first=True).eval()
    x = torch.randn(2, 5, 16)
    found = set()
    for grad in (True, False):
        with Probe(layer) as probe, torch.set_grad_enabled(grad):
            layer(x, x, x)
        found.add(probe.flops)
    assert len(found) == 1


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("name", CASES)
def test_total_is_the_same_on_a_gpu(name: str) -> None:
    case = CASES[name]
    model, x = case.make(), case.inputs()
    found = []
    for device in ("cpu", "cuda"):
        model, x = model.to(device), x.to(device)
        with Probe(model) as probe:
            model(x).sum().backward()
        found.append((probe.flops, probe.backward_flops > 0))
    assert found[0] == found[1]
