"""Methods that nothing in the file calls: what is found in them, and what may have become of their object."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

NET = """
class Net(nn.Module):
    def __init__(self, width: int = 8):
        super().__init__()
        self.head = nn.Linear(width, 4)

    def forward(self, x):
        return self.head(x)
"""

FOUND = {
    "a method of a module": """
        class Sampler(Net):
            def __init__(self, latent: int):
                super().__init__(2 * 8)
                self.latent = latent

            @torch.no_grad()
            def sample(self, count: int, device: int):
                return self.head(torch.randn(count, 9).to(device))  # HERE
        """,
    "a method of another class": """
        class Trainer:
            def __init__(self, rate: float):
                self.rate, self.steps = rate, 0
                self.head = nn.Linear(3, 4)

            def step(self, batch):
                self.steps += 1
                return self.head(torch.zeros(7, 2)) * self.rate  # HERE
        """,
    "a test of unittest's": """
        import unittest

        class Cases(unittest.TestCase):
            @classmethod
            def setUpClass(cls):
                cls.batch = torch.zeros(4, 7)

            def setUp(self):
                self.head = nn.Linear(8, 4)

            def test_one(self):
                self.assertEqual(self.head(torch.zeros(4, 8)).shape, (4, 4))
                self.head(self.batch)  # HERE
        """,
    "a test of pytest's, with an inherited set-up": """
        class Base:
            def setup_method(self, method):
                self.head = nn.Linear(8, 4)

        class TestNet(Base):
            def test_one(self, tmp_path):
                self.head(torch.zeros(4, 7))  # HERE
        """,
}

QUIET = {
    "what another method adds to": """
        class Replay:
            def __init__(self, room):
                self.items, self.head, self.mean = [], None, torch.zeros(3)

            def sample(self):
                return torch.stack(self.items) + self.head(self.mean) + torch.zeros(5) * self.mean

            def learn(self, width):
                self.head, self.mean = nn.Linear(width, width), torch.zeros(width)

        class Agent:
            def __init__(self):
                self.replay = Replay(9)

            def learn(self):
                return torch.stack(self.replay.items)
        """,
    "a way that the object as it is does not take": """
        def resized(table, shape):
            if table.ndim == 3:
                _, h, w = shape
                return table[:, :h, :w]
            return table[: shape[0]]

        class Biased(Net):
            def __init__(self, rows: int):
                super().__init__()
                self.table = nn.Parameter(torch.zeros(rows, 2))

            def resize(self, rows: int):
                self.table = nn.Parameter(resized(self.table, (rows, 2)))
        """,
    "a test that a call is refused": """
        import unittest

        class Cases(unittest.TestCase):
            def setUp(self):
                self.net = Net()

            def test_width(self):
                with self.assertRaises(RuntimeError):
                    self.net(torch.zeros(4, 7))
        """,
    "methods that are none of the object": """
        class Trainer:
            @property
            def rate(self):
                return torch.zeros(3) + self.missing

            @staticmethod
            def scaled(x, factor):
                return x * factor

            def __init__(self, width):
                self.head = nn.Linear(width, 4)

            @classmethod
            def built(cls, width):
                return cls(width, 3).head(torch.zeros(2))

        class Slower(Trainer):
            def __init__(self, width, factor):
                super().__init__(width // factor)
        """,
    "a class whose base is not known": """
        from lightning import Module

        class Trainer(Module):
            def __init__(self):
                super().__init__()
                self.head = nn.Linear(3, 4)

            def training_step(self, batch, index):
                return self.head(torch.zeros(2, 5))
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found(name: str, tmp_path: Path) -> None:
    path, text = lines_of(tmp_path, NET.replace("\n", "\n        ") + FOUND[name])
    (only,) = check([path])
    assert (only.code, text.splitlines()[only.line - 1].endswith("# HERE")) == ("shape-mismatch", True), only


@pytest.mark.parametrize("name", QUIET)
def test_what_is_not(name: str, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, NET.replace("\n", "\n        ") + QUIET[name])
    assert check([path]) == []


def test_an_object_is_as_its_constructor_leaves_it_for_each_method(tmp_path: Path) -> None:
    path, _ = lines_of(
        tmp_path,
        """
        class TestNet:
            def test_wide(self):
                self.head = nn.Linear(8, 4)
                self.head(torch.zeros(2, 8))

            def test_narrow(self):
                self.head = nn.Linear(3, 4)
                self.head(torch.zeros(2, 3))
        """,
    )
    assert check([path]) == []
