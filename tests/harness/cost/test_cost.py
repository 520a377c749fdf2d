"""What a run costs, by the formulas that docs/run-cost.md states."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils.checkpoint import checkpoint

from shapecheck.harness.cost import cost_of
from shapecheck.harness.cost.alignment import misaligned
from shapecheck.harness.cost.devices import DEVICES, device_named
from shapecheck.harness.probe import Probe
from shapecheck.harness.results import Cost
from tests.harness.probe.models import CASES, GPT, tokens

CPU = torch.device("cpu")


def cost(model: nn.Module, *args: Any, backward: bool = True, device: torch.device = CPU) -> Cost:
    with Probe(model) as probe:
        model(*args)
    return cost_of(model, lambda: model(*args), device, probe, backward)


@pytest.mark.parametrize("name", CASES)
def test_every_model_has_a_cost(name: str) -> None:
    case = CASES[name]
    found = cost(case.make(), case.inputs())
    assert found.flops > 0
    assert found.backward_flops is not None
    assert found.intensity == found.flops / found.moved_bytes
    assert found.seconds is not None
    assert found.seconds > 0
    assert (found.mfu, found.device_intensity, found.bound, found.peak_bytes) == (None, None, "", None)


def test_memory_of_a_linear_layer() -> None:
    model = nn.Sequential(nn.Linear(3, 5), nn.BatchNorm1d(5), nn.Linear(5, 2, dtype=torch.float32))
    model[0].requires_grad_(False)
    found = cost(model.bfloat16(), torch.zeros(7, 3, dtype=torch.bfloat16)).memory
    trainable = 10 + 12
    assert found["parameters"] == {"bfloat16": 2 * (20 + trainable)}
    assert found["buffers"] == {"bfloat16": 2 * (5 + 5), "int64": 8}
    assert found["gradients"] == {"bfloat16": 2 * trainable}
    assert found["optimizer"] == {"float32": 2 * 4 * trainable}


class Products(nn.Module):
    """Saves its input and one activation: y for y * y and for the product with the weight."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3, 5))

    def forward(self, x: Tensor) -> Tensor:
        y = x @ self.weight
        return y.view(-1) * y.view(-1)


ACTIVATIONS: dict[str, tuple[Callable[[Tensor], Tensor], dict[str, int]]] = {
    "input and one activation": (Products(), {"float32": 4 * (7 * 3 + 7 * 5)}),
    "what is recomputed keeps its input": (
        lambda x: checkpoint(Products(), x, use_reentrant=False),
        {"float32": 4 * 7 * 3},
    ),
    "weights are no activations": (nn.Linear(3, 5), {"float32": 4 * 7 * 3}),
    "nothing is saved": (nn.Identity(), {}),
}


class Wrapped(nn.Module):
    def __init__(self, call: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self.call = call

    def forward(self, x: Tensor) -> Tensor:
        return self.call(x)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations(name: str) -> None:
    call, expected = ACTIVATIONS[name]
    assert cost(Wrapped(call), torch.zeros(7, 3)).memory["activations"] == expected


def test_without_backward_there_is_only_what_the_model_holds() -> None:
    found = cost(nn.Linear(3, 5), torch.zeros(7, 3), backward=False)
    assert set(found.memory) == {"parameters", "buffers"}
    assert found.backward_flops is None


def test_gradients_of_the_model_stay_as_they_are() -> None:
    model = nn.Linear(3, 5)
    cost(model, torch.zeros(7, 3))
    assert model.weight.grad is None


def test_backward_costs_twice_as_much_as_forward() -> None:
    model, x = GPT(), tokens()
    found = cost(model, x)
    assert found.backward_flops is not None
    attention = found.flops - 2 * x.numel() * sum(one.weight.numel() for one in linears(model))
    assert found.backward_flops == 2 * (found.flops - attention) + attention * 5 // 2


def linears(model: nn.Module) -> list[nn.Linear]:
    return [one for one in model.modules() if isinstance(one, nn.Linear)]


def test_two_for_each_parameter_and_token() -> None:
    model, x = GPT(), tokens()
    without = sum(one.numel() for one in model.parameters()) - model.tokens.weight.numel()
    assert cost(model, x).expected_flops == 2 * without * x.numel()
    model.head.weight = model.tokens.weight  # now the table is multiplied with, too
    assert cost(model, x).expected_flops == 2 * without * x.numel()


class Positions(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table, self.linear = nn.Embedding(7, 4), nn.Linear(4, 4)

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(x + self.table(torch.arange(7)))


@pytest.mark.parametrize(
    ("make", "inputs"),
    [(CASES["ResNet"].make, CASES["ResNet"].inputs), (Positions, lambda: torch.zeros(2, 7, 4))],
    ids=["images", "positions that the model counts itself"],
)
def test_what_has_no_tokens(make: Callable[[], nn.Module], inputs: Callable[[], Tensor]) -> None:
    assert cost(make(), inputs()).expected_flops is None


MISALIGNED: dict[str, tuple[Callable[[], nn.Module], tuple[int, ...], torch.dtype, tuple[str, ...]]] = {
    "out": (
        lambda: nn.Sequential(nn.Linear(16, 50257)),
        (3, 16),
        torch.bfloat16,
        ("0: Linear 16 -> 50257: 50257 is not a multiple of 8",),
    ),
    "both": (
        lambda: nn.Linear(9, 7),
        (3, 9),
        torch.float16,
        ("Linear: Linear 9 -> 7: 9 and 7 are not multiples of 8",),
    ),
    "fits": (lambda: nn.Linear(16, 24), (3, 16), torch.bfloat16, ()),
    "the batch is not the model's": (lambda: nn.Linear(16, 24), (5, 16), torch.bfloat16, ()),
    "full precision": (lambda: nn.Linear(9, 7), (3, 9), torch.float32, ()),
    "images": (lambda: nn.Conv2d(3, 8, 3), (1, 3, 9, 9), torch.bfloat16, ()),
    "channels": (
        lambda: nn.Conv2d(3, 9, 3),
        (1, 3, 9, 9),
        torch.bfloat16,
        ("Conv2d: Conv2d 3 -> 9: 9 is not a multiple of 8",),
    ),
    "a small share": (
        lambda: nn.Sequential(nn.Linear(160, 1600), nn.Linear(1600, 8), nn.Linear(8, 2)),
        (3, 160),
        torch.bfloat16,
        (),
    ),
    "attention": (
        lambda: nn.TransformerEncoderLayer(12, 2, 16, batch_first=True),
        (2, 3, 12),
        torch.bfloat16,
        (
            "self_attn: MultiheadAttention 12 -> 36: 12 and 36 are not multiples of 8",
            "linear1: Linear 12 -> 16: 12 is not a multiple of 8",
            "linear2: Linear 16 -> 12: 12 is not a multiple of 8",
        ),
    ),
}


@pytest.mark.parametrize("name", MISALIGNED)
def test_sizes_that_tensor_cores_pad(name: str) -> None:
    make, shape, dtype, expected = MISALIGNED[name]
    model = make().to(dtype)
    assert cost(model, torch.zeros(shape, dtype=dtype), backward=False).misaligned == expected


def test_autocast_pads_in_the_dtype_that_it_multiplies_in() -> None:
    model = nn.Linear(9, 16)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert len(cost(model, torch.zeros(3, 9)).misaligned) == 1


def test_eight_bits_want_multiples_of_sixteen() -> None:
    model = nn.Linear(24, 32)
    with Probe(model) as probe:
        model(torch.zeros(2, 24))
    assert misaligned(model, probe.modules(), torch.float8_e4m3fn) == (
        "Linear: Linear 24 -> 32: 24 is not a multiple of 16",
    )


NAMES = {
    "NVIDIA H200": (989.4e12, 4.8e12),
    "NVIDIA H100 80GB HBM3": (989.4e12, 3.35e12),
    "NVIDIA H100 PCIe": (756.5e12, 2.0e12),
    "NVIDIA H100 NVL": (835.5e12, 3.9e12),
    "NVIDIA A100-SXM4-40GB": (312e12, 1.555e12),
    "NVIDIA A100-PCIE-40GB": (312e12, 1.555e12),
    "NVIDIA A100-SXM4-80GB": (312e12, 2.039e12),
    "NVIDIA A100 80GB PCIe": (312e12, 1.935e12),
    "NVIDIA L40S": (362.05e12, 0.864e12),
    "NVIDIA L4": (121e12, 0.3e12),
    "NVIDIA A10G": (70e12, 0.6e12),
    "Tesla V100-SXM2-16GB": (125e12, 0.9e12),
    "Tesla V100-PCIE-32GB": (112e12, 0.9e12),
    "Tesla T4": (65e12, 0.32e12),
    "NVIDIA GeForce RTX 4090": (165.2e12, 1.008e12),
    "NVIDIA GeForce RTX 3090": (71e12, 0.936e12),
    "NVIDIA B200": (2250e12, 7.7e12),
    "AMD Instinct MI300X": (1307.4e12, 5.3e12),
}


@pytest.mark.parametrize("name", NAMES)
def test_devices_by_the_names_that_torch_gives(name: str) -> None:
    device = device_named(name)
    assert device is not None
    assert (device.operations(torch.float16), device.bandwidth) == NAMES[name]


def test_every_entry_is_named_by_a_device() -> None:
    found = [device_named(name) for name in NAMES]
    assert all(device in found for device in DEVICES)


@pytest.mark.parametrize("name", ["NVIDIA GeForce RTX 3090 Ti", "Quadro T400", "NVIDIA A10", "NVIDIA L40", "", "cpu"])
def test_devices_that_are_not_known(name: str) -> None:
    assert device_named(name) is None


def test_float32_is_tf32_where_torch_may_use_it() -> None:
    device = device_named("NVIDIA H100 80GB HBM3")
    assert device is not None
    before = torch.get_float32_matmul_precision()
    try:
        torch.set_float32_matmul_precision("highest")
        exact = device.operations(torch.float32)
        torch.set_float32_matmul_precision("high")
        assert (exact, device.operations(torch.float32)) == pytest.approx((66.9e12, 494.7e12))
    finally:
        torch.set_float32_matmul_precision(before)
    assert device.operations(torch.int64) is None


def test_fake_models_have_no_time() -> None:
    with FakeTensorMode():
        model = GPT()
        found = cost(model, torch.zeros(3, 7, dtype=torch.int64))
    assert found == cost_without_time()


def cost_without_time() -> Cost:
    found = cost(GPT(), tokens())
    return Cost(**{name: getattr(found, name) for name in Cost.__dataclass_fields__ if name != "seconds"})


@pytest.mark.parametrize("error", [RuntimeError, NotImplementedError, MemoryError])
def test_what_fails_the_second_time_has_no_figure(error: type[Exception]) -> None:
    model = nn.Linear(3, 5)
    with Probe(model) as probe:
        model(torch.zeros(2, 3))

    def call() -> None:
        raise error

    found = cost_of(model, call, CPU, probe, backward=True)
    assert (found.flops, found.seconds, found.backward_flops) == (2 * 2 * 15, None, None)
    assert "activations" not in found.memory


def test_a_model_without_parameters() -> None:
    found = cost(nn.Softmax(-1), torch.zeros(2, 3))
    assert (found.flops, found.moved_bytes, found.intensity) == (0, 48, 0.0)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_a_gpu_has_a_time_and_a_peak() -> None:
    device = torch.device("cuda")
    model = nn.Sequential(nn.Linear(4096, 4096), nn.Linear(4096, 4096)).to(device, torch.bfloat16)
    found = cost(model, torch.zeros(4096, 4096, device=device, dtype=torch.bfloat16), device=device)
    assert found.seconds is not None
    assert found.peak_bytes is not None
    assert found.peak_bytes >= sum(found.memory["parameters"].values())
    if device_named(torch.cuda.get_device_name()) is not None:
        assert found.bound in {"memory", "math"}
        assert found.mfu is not None
        assert 0.01 < found.mfu < 1.05
