"""shared-module: lists that repeat a layer with weights and become layers of a model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FOUND = {
    "a list of one layer, repeated": "nn.ModuleList([nn.Linear(4, 4)] * 6)  # HERE",
    "a comprehension that names one layer": """
        def stack(layer, n):
            return nn.ModuleList([layer for _ in range(n)])  # HERE

        stack(nn.TransformerEncoderLayer(8, 2), 3)
        """,
    "spread into a Sequential": """
        block = nn.Linear(4, 4)
        nn.Sequential(*[block] * 3)  # HERE
        """,
    "an unknown number of them": """
        class Net(nn.Module):
            def __init__(self, depth: int):
                super().__init__()
                block = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
                self.layers = nn.Sequential(*[block for _ in range(depth)])  # HERE
        """,
    "repeated where the list is created": """
        class Block(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(4, 4)

        def net(depth):
            blocks = [Block()] * depth  # HERE
            return nn.ModuleList(blocks)
        """,
    "next to others": """
        middle = [nn.Conv1d(4, 4, 1)] * 2  # HERE
        nn.Sequential(nn.Conv1d(3, 4, 1), *middle)
        """,
    "a copied list has copied layers": """
        nn.ModuleList(copy.deepcopy([nn.Linear(4, 4)] * 2))
        nn.ModuleList([nn.Linear(4, 4)] * 2)  # HERE
        """,
}

QUIET = {
    "one built for each item": "nn.ModuleList([nn.Linear(4, 4) for _ in range(6)])",
    "one copied for each item": """
        layer = nn.Linear(4, 4)
        nn.ModuleList([copy.deepcopy(layer) for _ in range(6)])
        nn.ModuleList(copy.deepcopy(one) for one in [layer] * 6)
        """,
    "layers without weights": "nn.Sequential(*[nn.ReLU()] * 2), nn.ModuleList([nn.Dropout(0.1) for _ in range(2)])",
    "once": "nn.Sequential(*[nn.Linear(4, 4)] * 1)",
    "different ones": "nn.ModuleList([layer for layer in (nn.Linear(4, 4), nn.Linear(4, 4))])",
    "a list that is not of layers of a model": """
        def project(layer, q, k, v):
            return [one(x) for one, x in zip([layer] * 3, (q, k, v))]

        project(nn.Linear(4, 4), torch.zeros(2, 4), torch.zeros(2, 4), torch.zeros(2, 4))
        """,
    "a layer that is also an attribute of the model": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.head = nn.Linear(4, 4)
                self.heads = nn.ModuleList([self.head for _ in range(3)])
        """,
    "a layer that is called shared": """
        shared_head = nn.Linear(4, 4)
        nn.ModuleList([shared_head] * 3)
        """,
    "a layer written twice": """
        tied = nn.Linear(4, 4)
        nn.Sequential(tied, nn.ReLU(), tied)
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    ((line, code, text),) = reported(tmp_path, FOUND[name])
    assert (line, code) == (place(FOUND[name]), "shared-module")
    assert "is repeated, so all items share its weights; create or deepcopy one for each item" in text


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
