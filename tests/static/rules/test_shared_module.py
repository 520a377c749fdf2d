"""shared-module: lists that repeat a layer with weights and become layers of a model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FOUND = {
    "a layer, beside a branch that copies another one": """
        class Heads(nn.Module):
            def __init__(self, refine: bool):
                super().__init__()
                head, other = nn.Linear(4, 4), nn.Linear(4, 4)
                if refine:
                    self.heads = nn.ModuleList([copy.deepcopy(other) for _ in range(6)])
                else:
                    self.heads = nn.ModuleList([head for _ in range(6)])  # HERE
        """,
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

UNKNOWN_LAYERS = {
    "a parameter": """
        class Stack(nn.Module):
            def __init__(self, layer, n):
                super().__init__()
                self.layers = nn.ModuleList([layer for _ in range(n)])  # HERE
        """,
    "an annotated parameter, repeated": """
        class Stack(nn.Module):
            def __init__(self, block: nn.Module, n: int):
                super().__init__()
                self.layers = nn.Sequential(*[block] * n)  # HERE
        """,
    "a layer of a library, in a variable": """
        from somewhere import Block

        class Stack(nn.Module):
            def __init__(self, n=3):
                super().__init__()
                block = Block(4)
                layers = [block for _ in range(n)]  # HERE
                self.layers = nn.ModuleList(layers)
        """,
    "an item of a function's result": """
        from somewhere import make

        encoder, width = make("encoder")
        nn.ModuleList(encoder for _ in range(width))  # HERE
        """,
}

QUIET = {
    "a layer that the other branch copies": """
        class Heads(nn.Module):
            def __init__(self, refine: bool):
                super().__init__()
                head = nn.Linear(4, 4)
                if refine:
                    self.heads = nn.ModuleList([copy.deepcopy(head) for _ in range(6)])
                else:
                    self.heads = nn.ModuleList([head for _ in range(6)])
        """,
    "an option to share": """
        class Stack(nn.Module):
            def __init__(self, config):
                super().__init__()
                layer = nn.Linear(3, 3)
                if config.share_layers:
                    self.layers = nn.ModuleList([layer for _ in range(4)])
        """,
    "an unknown layer, copied": """
        class Stack(nn.Module):
            def __init__(self, layer, n):
                super().__init__()
                self.layers = nn.ModuleList([copy.deepcopy(layer) for _ in range(n)])
                self.more = nn.ModuleList(copy.deepcopy(one) for one in [layer] * n)
        """,
    "an unknown class, built": """
        class Stack(nn.Module):
            def __init__(self, layer, n):
                super().__init__()
                self.layers = nn.ModuleList([layer() for _ in range(n)])
                made = [layer for _ in range(n)]
                self.more = nn.ModuleList([one(4) for one in made])
        """,
    "an unknown layer that has no weights by its name": """
        class Stack(nn.Module):
            def __init__(self, act, dropout, n):
                super().__init__()
                self.acts = nn.ModuleList([act for _ in range(n)])
                self.drops = nn.ModuleList([dropout] * n)
        """,
    "an unknown layer that is shared by its name": """
        class Stack(nn.Module):
            def __init__(self, shared_layer, n):
                super().__init__()
                self.layers = nn.ModuleList([shared_layer for _ in range(n)])
        """,
    "a comment about it": """
        class Stack(nn.Module):
            def __init__(self, n):
                super().__init__()
                # the same block, for weight sharing
                block = nn.Linear(4, 4)
                self.layers = nn.ModuleList([block] * n)
        """,
    "an unknown layer in a list of functions": """
        def run(layer, n, x):
            for one in [layer for _ in range(n)]:
                x = one(x)
            return list(map(layer, [x for _ in range(n)]))
        """,
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


@pytest.mark.parametrize("name", UNKNOWN_LAYERS)
def test_a_repeated_layer_that_is_unknown(name: str, tmp_path: Path) -> None:
    found = reported(tmp_path, UNKNOWN_LAYERS[name])
    assert [(line, code) for line, code, _ in found] == [(place(UNKNOWN_LAYERS[name]), "shared-module")]


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
