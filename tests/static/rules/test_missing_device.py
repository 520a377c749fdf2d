"""missing-device: what forward makes, where it meets what moves with the module."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 8)
        self.head = nn.Linear(8, 8)
        self.scale = nn.Parameter(torch.ones(8))

    def forward(self, tokens: Float[Tensor, "b t"]):
"""

FOUND = {
    "positions into an embedding": """
        positions = torch.arange(tokens.shape[1])  # HERE
        return self.embed(positions)
    """,
    "a mask on the result of a layer": """
        hidden = self.embed(tokens.long())
        return hidden * torch.ones(8)  # HERE
    """,
    "through a view, an argument": """
        mask = torch.zeros(tokens.shape[1]).unsqueeze(0)  # HERE
        return tokens + mask
    """,
    "a parameter": """
        return self.scale * torch.randn(8)  # HERE
    """,
    "a list of tensors": """
        hidden = self.head(self.scale)
        return torch.cat([hidden, torch.zeros(8)])  # HERE
    """,
    "in a method that forward calls": """
        return self.noisy(tokens)

    def noisy(self, x):
        return self.scale + torch.randn(8)  # HERE
    """,
}

QUIET = {
    "with the device": """
        return self.embed(torch.arange(tokens.shape[1], device=tokens.device))
    """,
    "moved there": """
        return self.scale * torch.randn(8).to(tokens.device) + torch.randn(8).type_as(tokens)
    """,
    "made like another": """
        return self.scale * torch.ones_like(self.scale) + self.scale.new_zeros(8)
    """,
    "a scalar": """
        return self.scale * torch.tensor(2.0)
    """,
    "an index": """
        return tokens[:, torch.arange(tokens.shape[1])]
    """,
    "never combined": """
        return self.scale, torch.zeros(8) + torch.ones(8)
    """,
    "on an unknown device": """
        device = tokens.device if tokens.is_cuda else "cpu"
        return self.scale * torch.ones(8, device=device)
    """,
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    source = NET + FOUND[name]
    ((line, code, text),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "missing-device")
    assert "CPU tensor combined with a tensor on the model's device in " in text


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, NET + QUIET[name]) == []


def test_a_module_without_weights_has_no_device(tmp_path: Path) -> None:
    source = """
    class Mask(nn.Module):
        def forward(self, x: Float[Tensor, "b t"]):
            return x * torch.ones(x.shape[1])
    """
    assert reported(tmp_path, source) == []


def test_a_tensor_created_outside_of_forward_may_move_with_the_module(tmp_path: Path) -> None:
    source = """
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.head = nn.Linear(8, 8)
            self.register_buffer("positions", torch.zeros(8))

        def forward(self, x: Float[Tensor, "b 8"]):
            return self.head(x) + self.positions
    """
    assert reported(tmp_path, source) == []


def test_a_helper_that_forward_calls_may_also_create_a_buffer(tmp_path: Path) -> None:
    source = """
    def ramp(n):
        return torch.arange(n).unsqueeze(0)

    class First(nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = nn.Parameter(torch.ones(8))

        def forward(self, x: Float[Tensor, "b 8"]):
            return ramp(8)

    class Second(nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = nn.Parameter(torch.ones(8))
            self.register_buffer("ramp", ramp(8))

        def forward(self, x: Float[Tensor, "b 8"]):
            return self.scale * self.ramp + x
    """
    assert reported(tmp_path, source) == []
