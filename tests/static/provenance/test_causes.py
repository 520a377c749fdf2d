"""Mistakes that several lines suffer from are reported once; independent mistakes stay apart."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from shapecheck.diagnostics import DEFAULT_CHECKS
from shapecheck.project.outcomes import merged_diagnostics
from shapecheck.static import check
from shapecheck.static.entry.checker import Checker
from shapecheck.static.entry.server import FindingsServer
from tests.static.differential.runs import switch_memo_off

HEAD = """\
import numpy as np
import torch
import torch.nn.functional as F
from dataclasses import dataclass
from jaxtyping import Float
from torch import Tensor, nn
"""

ONE_CAUSE = {
    "a wrong rank, used at five lines": (
        """
        x = torch.randn(5)
        a = x.transpose(1, 2)
        b = x.sum(dim=2)
        c = x.mean(dim=2)
        d = x.permute(0, 2, 1)
        e = x[:, :, 0]
        """,
        {2: "lines 3, 4, 5 and 6"},
    ),
    "a wrong rank, passed on": (
        """
        x = torch.randn(5)
        a = x.relu().transpose(1, 2)
        b = torch.sigmoid(x * 2).permute(0, 2, 1)
        """,
        {2: "line 3"},
    ),
    "a wrong rank, to which an axis is added": (
        """
        x = torch.randn(5, 6)
        a = x.transpose(1, 2)
        b = x.unsqueeze(-2).permute(0, 2, 1, 3)
        c = x.sum(-1).transpose(0, 1)
        """,
        {2: "lines 3 and 4"},
    ),
    "a wrong size in several operators": (
        """
        bias = torch.zeros(7)
        a = torch.zeros(3, 8) + bias
        b = torch.zeros(3, 8) * bias
        c = torch.zeros(5, 8) - bias.abs()
        """,
        {2: "lines 3 and 4"},
    ),
    "a parameter of the wrong rank": (
        """
        def f(x: Float[Tensor, "b d"]):
            a = x.transpose(1, 2)
            b = x.mean(2)
            return a, b, x[:, :, 0]
        """,
        {2: "lines 3 and 4"},
    ),
    "several returns": (
        """
        def pool(x: Float[Tensor, "b t d"], flag: bool) -> Float[Tensor, "b d"]:
            if flag:
                return x
            if x.shape[0] > 3:
                return x.relu()
            return x * 2
        """,
        {3: "lines 5 and 6"},
    ),
    "an annotated variable": (
        """
        def f(x: Float[Tensor, "b 8"]):
            y: Float[Tensor, "b 16"] = x @ torch.zeros(8, 12)
            a = y @ torch.zeros(12, 3)
            return a, y + torch.zeros(12)
        """,
        {2: "lines 3 and 4"},
    ),
    "an annotated parameter that the calls and the body contradict": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(8, 4)

            def forward(self, x: Float[Tensor, "b 10"]):
                return self.fc(x)

        net = Net()
        net(torch.zeros(2, 8))
        net(torch.zeros(3, 8))
        """,
        {7: "lines 10 and 11"},
    ),
    "calls above the body that they agree with": (
        """
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.net = Net()

            def forward(self):
                a = self.net(torch.zeros(2, 8))
                return a + self.net(torch.zeros(3, 8)).sum()

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(8, 4)

            def forward(self, x: Float[Tensor, "b 10"]):
                return self.fc(x)
        """,
        {7: "lines 8 and 16"},
    ),
    "one argument, passed three times": (
        """
        def head(x: Float[Tensor, "b 16"]):
            return x @ torch.zeros(16, 4)

        x = torch.zeros(2, 12)
        head(x)
        head(x)
        head(x.relu())
        """,
        {5: "lines 6 and 7"},
    ),
    "a layer in two methods": (
        """
        class Net(nn.Module):
            def __init__(self, width=32):
                super().__init__()
                self.body = nn.Linear(16, width)
                self.norm = nn.LayerNorm(64)

            def encode(self, x):
                h = self.body(x)
                return self.norm(h)

            def decode(self, x):
                return self.norm(self.body(x).relu())

            def forward(self, x):
                return self.encode(x) + self.decode(x)

        Net()(torch.zeros(2, 16))
        """,
        {9: "line 12"},
    ),
    "layers that one result does not match": (
        """
        class Attention(nn.Module):
            def __init__(self):
                super().__init__()
                self.embed = nn.Linear(10, 24)
                self.norm = nn.LayerNorm(32)
                self.q = nn.Linear(32, 32)
                self.k = nn.Linear(32, 32)

            def forward(self, x):
                h = self.embed(x)
                self.norm(h)
                return self.q(h), self.k(h), self.k(h.relu())

        Attention()(torch.zeros(2, 10))
        """,
        {11: "line 12"},
    ),
    "convolutions after a wrong one": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 16, 3)
                self.norm = nn.BatchNorm2d(32)
                self.next = nn.Conv2d(32, 64, 3)

            def forward(self, x):
                h = self.conv(x)
                a = self.norm(h)
                return a, self.next(h)

        Net()(torch.zeros(2, 3, 32, 32))
        """,
        {10: "line 11"},
    ),
    "a buffer in two methods": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(8, 8)
                self.register_buffer("mean", torch.zeros(6))

            def forward(self, x):
                x = x - self.mean
                return self.fc(x) + self.mean

            def invert(self, y):
                return self.fc(y) + self.mean

        net = Net()
        net(torch.zeros(2, 8))
        net.invert(torch.zeros(2, 8))
        """,
        {8: "lines 9 and 12"},
    ),
    "a swapped pair of sizes": (
        """
        class FeedForward(nn.Module):
            def __init__(self, dim, factor):
                super().__init__()
                self.net = nn.Sequential(nn.Linear(dim, dim * factor), nn.Linear(dim * factor, dim))

            def forward(self, x):
                return self.net(x)

        class Block(nn.Module):
            def __init__(self):
                super().__init__()
                self.ffn = FeedForward(4, 24)

            def forward(self, x):
                return x + self.ffn(x)

        Block()(torch.zeros(2, 24))
        """,
        {7: "line 15"},
    ),
    "a shape that is unpacked twice": (
        """
        x = torch.zeros(2, 3)
        b, t, d = x.shape
        b, t, d = x.size()
        """,
        {2: "line 3"},
    ),
    "a dimension that a shape does not have": (
        """
        x = torch.zeros(2, 3)
        d = x.shape[2]
        e = x.transpose(1, 2)
        f = x.size()[2]
        """,
        {2: "lines 3 and 4"},
    ),
    "a leak of float64": (
        """
        scale = torch.from_numpy(np.linspace(0, 1, 8))
        x = torch.randn(4, 8)
        a = x * scale
        b = x + scale
        c = a - x
        """,
        {3: "lines 4 and 5"},
    ),
    "a wrong dtype": (
        """
        first, second = nn.Linear(8, 4), nn.Linear(8, 2)
        x = torch.zeros(2, 8, dtype=torch.float64)
        a = first(x)
        b = second(x.relu())
        c = x @ torch.zeros(8, 3)
        """,
        {3: "lines 4 and 5"},
    ),
    "a tensor that is not contiguous": (
        """
        x = torch.zeros(2, 3, 4).transpose(1, 2)
        a = x.view(2, 12)
        b = x.view(-1)
        """,
        {2: "line 3"},
    ),
    "a column against a vector": (
        """
        prediction = torch.zeros(8, 1)
        target = torch.zeros(8)
        a = prediction - target
        b = target - prediction
        """,
        {3: "line 4"},
    ),
    "losses of a column against a vector": (
        """
        prediction = torch.zeros(8, 1)
        target = torch.zeros(8)
        a = F.mse_loss(prediction, target)
        b = F.l1_loss(prediction, target)
        """,
        {3: "line 4"},
    ),
    "two operands on one line": (
        """
        t = torch.rand(4)
        x = torch.zeros(4, 3, 8, 8)
        y = (1 - t) * x + t * x
        """,
        {3: "column 19 of this line"},
    ),
    "indices past the end": (
        """
        m = torch.zeros(5, 3, 3)
        a = m[..., 0, 3]
        b = m[..., 3, 0]
        c = m[..., 3, 3]
        """,
        {2: "lines 3 and 4"},
    ),
    "a narrowed value": (
        """
        def f(x: Tensor):
            if x.shape == (2, 3):
                return x + torch.zeros(4), x * torch.zeros(4)

        """,
        {3: "column 36 of this line"},
    ),
    "samples of a distribution": (
        """
        d = torch.distributions.Normal(torch.zeros(3), torch.ones(3))
        x = torch.zeros(4)
        a = d.log_prob(x)
        b = d.cdf(x)
        """,
        {3: "line 4"},
    ),
}

CONTRADICTED: dict[str, tuple[str, int]] = {
    "a result that its own function contradicts": (
        """
        def embed(x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 16"]:
            return x @ torch.zeros(8, 12)

        def one(x: Float[Tensor, "b 8"]):
            return embed(x) @ torch.zeros(12, 2)

        def two(x: Float[Tensor, "b 8"]):
            return embed(x).relu() + torch.zeros(12)

        def three(x: Float[Tensor, "b 8"]):
            y = embed(x)
            return F.layer_norm(y, (12,))
        """,
        2,
    ),
    "a result of the wrong rank": (
        """
        def pool(x: Float[Tensor, "b t d"]) -> Float[Tensor, "b d"]:
            return x.relu()

        y = pool(torch.zeros(2, 5, 8))
        z = y.transpose(1, 2)
        """,
        2,
    ),
    "a result of the wrong dtype": (
        """
        def double(x: Float[Tensor, "b 8"]) -> "jaxtyping.Float64[Tensor, 'b 8']":
            return x.float()

        import jaxtyping
        layer = nn.Linear(8, 4)

        def use(x: Float[Tensor, "b 8"]):
            return layer(double(x))
        """,
        2,
    ),
    "the result of a module": (
        """
        class Encoder(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(8, 12)

            def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 16"]:
                return self.fc(x)

        class First(nn.Module):
            def __init__(self):
                super().__init__()
                self.encoder = Encoder()
                self.head = nn.Linear(12, 3)

            def forward(self, x: Float[Tensor, "b 8"]):
                return self.head(self.encoder(x))

        class Second(nn.Module):
            def __init__(self):
                super().__init__()
                self.encoder = Encoder()
                self.norm = nn.LayerNorm(12)

            def forward(self, x: Float[Tensor, "b 8"]):
                h = self.encoder(x)
                return self.norm(h)
        """,
        7,
    ),
    "one item of a result": (
        """
        def split(x: Float[Tensor, "b 8"]) -> tuple[Float[Tensor, "b 8"], Float[Tensor, "b 6"]]:
            return x, x[:, :4]

        a, b = split(torch.zeros(2, 8))
        c = b + torch.zeros(2, 4)
        """,
        2,
    ),
    "a use of a contradicted result that the real one would not repair": (
        """
        def embed(x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 16"]:
            return x @ torch.zeros(8, 12)

        y = embed(torch.zeros(2, 8)) @ torch.zeros(20, 2)
        """,
        2,
    ),
}
"""Functions whose bodies contradict their annotations, and uses of them: one finding, at the function."""

INDEPENDENT = {
    "two axes added to one tensor": (
        """
        x = torch.randn(5, 6)
        a = x.unsqueeze(0).permute(0, 3, 1, 2)
        b = x.unsqueeze(0).permute(0, 1, 4, 3, 2)
        """,
        [2, 3],
    ),
    "layers of different sizes": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.a = nn.Linear(8, 4)
                self.b = nn.Linear(6, 2)
                self.c = nn.Linear(5, 2)

            def forward(self, x):
                h = self.a(x)
                return self.b(h), self.c(h)

        Net()(torch.zeros(2, 8))
        """,
        [10, 10],
    ),
    "one tensor, three requirements": (
        """
        x = torch.zeros(4, 6)
        a = x + torch.zeros(5)
        b = x.transpose(0, 2)
        c = x.view(5, 5)
        """,
        [2, 3, 4],
    ),
    "two ranks that no tensor has at once": (
        """
        x = torch.zeros(4, 6)
        a = x.permute(0, 2, 1)
        b = x.permute(0, 2, 3, 1)
        """,
        [2, 3],
    ),
    "equal sizes of tensors that have nothing in common": (
        """
        a = torch.zeros(3, 8) + torch.zeros(7)
        b = torch.zeros(3, 8) + torch.zeros(7)
        """,
        [1, 2],
    ),
    "layers that one helper builds": (
        """
        def block(inputs, outputs):
            return nn.Conv2d(inputs, outputs, 3)

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.a = block(32, 64)
                self.b = block(32, 64)

            def forward(self):
                return self.a(torch.zeros(1, 16, 8, 8)), self.b(torch.zeros(1, 16, 8, 8))

        Net()()
        """,
        [11, 11],
    ),
    "arguments of separate calls": (
        """
        def head(x: Float[Tensor, "b 16"]):
            return x @ torch.zeros(16, 4)

        head(torch.zeros(2, 12))
        head(torch.zeros(3, 12))
        """,
        [4, 5],
    ),
    "fields of separate objects": (
        """
        @dataclass
        class Batch:
            image: Float[Tensor, "n 3 h w"]
            label: Float[Tensor, "n"]

        Batch(torch.zeros(2, 3, 4, 4), torch.zeros(3))
        Batch(torch.zeros(2, 3, 4, 4), torch.zeros(3))
        """,
        [6, 7],
    ),
    "a missing argument at several calls": (
        """
        def scaled(x, factor):
            return x * factor

        scaled(torch.zeros(2))
        scaled(torch.zeros(3))
        """,
        [4, 5],
    ),
    "an unpacking and a different unpacking": (
        """
        x = torch.zeros(2, 3)
        b, t, d = x.shape
        b, c, h, w = x.shape
        """,
        [2, 3],
    ),
}


def findings(folder: Path, source: str) -> list[tuple[int, list[str]]]:
    """The lines of the findings, counted from the first one of the source, and their notes on other lines."""
    program = folder / "program.py"
    above = HEAD.count("\n")
    program.write_text(HEAD + textwrap.dedent(source).lstrip("\n"))
    return [
        (one.line - above, [note.message for note in one.notes if note.message.startswith("the same cause")])
        for one in check([program])
    ]


def moved(note: str) -> str:
    """A note with its lines counted from the first one of the file."""
    if note.startswith("column"):
        return note
    return " ".join(
        str(int(word.rstrip(",")) + HEAD.count("\n")) + "," * word.endswith(",") if word.rstrip(",").isdigit() else word
        for word in note.split()
    )


@pytest.mark.parametrize("name", ONE_CAUSE)
def test_a_mistake_is_reported_at_its_first_line(name: str, tmp_path: Path) -> None:
    source, expected = ONE_CAUSE[name]
    assert findings(tmp_path, source) == [
        (line, [f"the same cause also affects {moved(note)}"]) for line, note in expected.items()
    ]


@pytest.mark.parametrize("name", CONTRADICTED)
def test_calls_are_not_checked_against_annotations_that_the_body_contradicts(name: str, tmp_path: Path) -> None:
    source, line = CONTRADICTED[name]
    assert findings(tmp_path, source) == [(line, [])]


@pytest.mark.parametrize("name", INDEPENDENT)
def test_independent_mistakes_are_reported_apart(name: str, tmp_path: Path) -> None:
    source, lines = INDEPENDENT[name]
    assert findings(tmp_path, source) == [(line, []) for line in lines]


@pytest.mark.parametrize("name", [*ONE_CAUSE, *INDEPENDENT])
def test_the_causes_are_the_same_without_the_memo(name: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(HEAD + textwrap.dedent((ONE_CAUSE | INDEPENDENT)[name][0]))
    checkers = Checker([program]), Checker([program])
    switch_memo_off(checkers[1])
    one, other = (merged_diagnostics([(program, checker.findings(program, {str(program)}))]) for checker in checkers)
    assert one == other


TWO_MISTAKES = """
class ResBlock(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.c1 = nn.Conv2d(cin, cout, 3, padding=1)
        self.c2 = nn.Conv2d(cin, cout, 3, padding=1)
        self.n1 = nn.BatchNorm2d(cout)
        self.n2 = nn.BatchNorm2d(cin)

    def forward(self, x):
        h = self.n1(self.c1(x))
        h = self.n2(self.c2(h))
        return x + h

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = ResBlock(3, 16)
        self.b = ResBlock(16, 32)

    def forward(self, x):
        return self.b(self.a(x))

Net()(torch.zeros(2, 3, 8, 8))
"""
"""The second layer of a block takes the wrong size, and the residual connection lacks a projection."""


def test_two_mistakes_with_the_same_sizes_are_two_findings(tmp_path: Path) -> None:
    above = HEAD.count("\n")
    assert findings(tmp_path, TWO_MISTAKES) == [
        (10, [f"the same cause also affects line {above + 12}"]),
        (11, []),
    ]


def test_a_file_is_not_checked_against_annotations_that_another_file_contradicts(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(
        HEAD + 'def embed(x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 16"]:\n    return x @ torch.zeros(8, 12)\n'
    )
    (tmp_path / "use.py").write_text(
        "import torch\nfrom model import embed\n"
        "a = embed(torch.zeros(2, 8)) @ torch.zeros(12, 2)\n"
        "b = embed(torch.zeros(2, 8)) + torch.zeros(16)\n"
    )
    assert [(Path(one.path).name, one.line) for one in check([tmp_path])] == [("model.py", 8)]
    assert check([tmp_path / "use.py"]) == []


def test_the_mypy_plugin_reports_a_mistake_once(tmp_path: Path) -> None:
    source, _ = ONE_CAUSE["a wrong size in several operators"]
    program = tmp_path / "program.py"
    program.write_text(HEAD + textwrap.dedent(source).lstrip("\n"))
    (one,) = FindingsServer([]).findings(str(program), DEFAULT_CHECKS)
    assert one.notes[-1].message == "the same cause also affects lines 9 and 10"
