"""squeeze-batch: a squeeze that removes a batch of one, wherever the batch is, if an operator then fails."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path
from types import SimpleNamespace

import pytest

from shapecheck.conditions.squeeze_batch import LostBatch
from shapecheck.spec import Shape, unknown
from shapecheck.static import check
from shapecheck.static.domain.followed_axes import Followed
from shapecheck.static.engine.places import Place
from shapecheck.static.rules._squeezed_failure import _Origin, _Squeezed
from tests.static.rules.programs import HEAD, place, reported

FOUND = {
    "an operator that takes a batch of matrices": (
        """
        class Pool(nn.Module):
            def __init__(self, width: int):
                super().__init__()
                self.score = nn.Linear(width, 1)

            def forward(self, x):
                b, t, _ = x.shape
                scores = self.score(x).squeeze()  # HERE
                return torch.bmm(scores.unsqueeze(1), x)
        """,
        "use squeeze(2)",
        "bmm: expected a 3-D input, got shape (t, 1)",
    ),
    "rows that are not empty": (
        """
        def sample(mask, least: int):
            rows = torch.nonzero(mask.flatten())
            if len(rows) > 0:
                rows = rows * 2
            rows = rows.squeeze()  # HERE
            return rows[:least]
        """,
        "use squeeze(1)",
        "__getitem__: too many indices: cannot slice a 0-D tensor",
    ),
    "the first state of a cell": (
        """
        class Net(nn.Module):
            def __init__(self, size: int, hidden: int):
                super().__init__()
                self.hidden, self.cell = hidden, nn.RNNCell(size, hidden)

            def forward(self, x):
                t, b, _ = x.shape
                h = x.new_zeros(1, b, self.hidden).squeeze()  # HERE
                for i in range(t):
                    h = self.cell(x[i], h)
                return h
        """,
        "use squeeze(0)",
        "RNNCell: expected hx of shape (1, hidden) (batch, hidden_size), got (hidden,)",
    ),
    "the last state of a GRU, through a layer": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.rnn, self.out = nn.GRU(4, 5, batch_first=True), nn.Linear(5, 8)

            def forward(self, x, extra):
                (b, t, _), (n, k) = x.shape, extra.shape
                _, h = self.rnn(x)
                return torch.cat([self.out(h.squeeze()), extra], dim=1)  # HERE
        """,
        "use squeeze(0)",
        "cat: expected inputs of the same rank, got shape (8,) in input 0 and (n, k) in input 1",
    ),
    "into a list that another method stacks": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.gate = nn.Linear(4, 1)

            def merge(self, gates):
                return torch.stack(gates).transpose(0, 1)

            def forward(self, frames):
                gates = []
                while len(gates) < frames.size(0):
                    gates += [self.gate(frames[len(gates)]).squeeze()]  # HERE
                return self.merge(gates)
        """,
        "use squeeze(-1)",
        "transpose: dim out of range: expected -1 to 0, got 1",
    ),
    "appended to a list that is concatenated": (
        """
        def scores(parts):
            found, head = [], nn.Linear(16, 1)
            for x in parts:
                found.append(head(x).squeeze())  # HERE
            return torch.cat(found)
        """,
        "use squeeze(-1)",
        "cat: cannot concatenate a 0-D tensor (input 0); use stack",
    ),
    "in a comprehension, stacked behind": (
        """
        def scores(parts):
            return torch.stack([nn.Linear(16, 1)(x).squeeze() for x in parts], dim=1)  # HERE
        """,
        "use squeeze(-1)",
        "stack: dim out of range for the result: expected -1 to 0, got 1",
    ),
    "a layer inside a part of the module": (
        """
        class Part(nn.Module):
            def __init__(self, width: int):
                super().__init__()
                self.score = nn.Linear(width, 1)

        class Pool(nn.Module):
            def __init__(self, width: int):
                super().__init__()
                self.part = Part(width)

            def forward(self, x):
                b, t, _ = x.shape
                return torch.bmm(self.part.score(x).squeeze().unsqueeze(1), x)  # HERE
        """,
        "use squeeze(2)",
        "bmm: expected a 3-D input, got shape (t, 1)",
    ),
    "a parameter that is repeated for each sample": (
        """
        class Token(nn.Module):
            def __init__(self, width: int):
                super().__init__()
                self.token = nn.Parameter(torch.zeros(1, 1, width))

            def forward(self, x):
                b, t, _ = x.shape
                return torch.bmm(self.token.expand(b, 1, -1).squeeze().unsqueeze(1), x)  # HERE
        """,
        "use squeeze(1)",
        "bmm: expected a 3-D input, got shape (width, 1)",
    ),
    "into an attribute": (
        """
        class Net(nn.Module):
            def start(self, x):
                self.state = x.mean(0, keepdim=True).squeeze()  # HERE

            def forward(self, x):
                t, b, d = x.shape
                self.start(x)
                return self.state[:, 0] + 1
        """,
        "use squeeze(0)",
        "__getitem__: too many indices: got 2 for a 1-D tensor of shape (d,)",
    ),
    "an axis that is missing after it": (
        """
        def weights(x: Float[Tensor, "b t d"]):
            return nn.Linear(4, 1)(x[..., :4]).squeeze().softmax(dim=1)  # HERE
        """,
        "use squeeze(2)",
        "softmax: dim out of range: expected -1 to 0, got 1",
    ),
    "a product of matrices": (
        """
        def context(weights: Float[Tensor, "1 b t"], memory: Float[Tensor, "b t d"]):
            weights = weights.exp().transpose(0, 1).squeeze()  # HERE
            return torch.bmm(weights.unsqueeze(1), memory)
        """,
        "use squeeze(1)",
        "bmm: expected a 3-D input, got shape (t, 1)",
    ),
}
QUIET = {
    "a weight, a parameter and a buffer of a module": """
        class Flow(nn.Module):
            def __init__(self, width: int):
                super().__init__()
                self.mix = nn.Conv1d(width, width, 1, bias=False)
                self.scale = nn.Parameter(torch.ones(width, 1))
                self.register_buffer("shift", torch.zeros(1, width))

            def forward(self, x):
                outer = torch.outer(self.scale.exp().squeeze(), self.shift.squeeze())
                return self.mix(x), torch.logdet(self.mix.weight.squeeze()), outer
        """,
    "a parameter beside a layer that shows what the argument is": """
        class Scaled(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.scale = nn.Parameter(torch.ones(width, 1))
                self.mix = nn.Conv1d(width, 2 * width, 1)

            def forward(self, x):
                return torch.outer(self.scale.squeeze(), x), self.mix.weight
        """,
    "the weight of a layer inside a module": """
        class Part(nn.Module):
            def __init__(self, channels: int):
                super().__init__()
                self.mix = nn.Conv1d(channels, channels, 1)

        class Flow(nn.Module):
            def __init__(self, width: int):
                super().__init__()
                self.part = Part(width)

            def forward(self, x):
                return self.part.mix(x) + torch.logdet(self.part.mix.weight.squeeze())
        """,
    "the last dimension, before an operator that takes a batch of matrices": """
        class Pool(nn.Module):
            def __init__(self, width: int):
                super().__init__()
                self.score = nn.Linear(width, 1)

            def forward(self, x):
                b, t, _ = x.shape
                return torch.bmm(self.score(x).squeeze(-1).unsqueeze(1), x)
        """,
    "a batch that is restored before it": """
        class Pool(nn.Module):
            def __init__(self, width: int):
                super().__init__()
                self.score = nn.Linear(width, 1)

            def forward(self, x):
                b, t, _ = x.shape
                return torch.bmm(self.score(x).squeeze().view(b, 1, t), x)
        """,
    "a mask that a constructor makes": """
        class Masked(nn.Module):
            def __init__(self, block: int, joined: int):
                super().__init__()
                self.register_buffer("mask", torch.ones(block, block).tril().view(1, 1, block, block))
                self.mask.squeeze()[:, joined - 1 :: joined] = 0
        """,
    "rows that a loop selects until there are several": """
        def sample(mask, least: int):
            is_enough = False
            while not is_enough:
                rows = torch.nonzero(mask.flatten())
                is_enough = len(rows) > least
            rows = rows.squeeze()
            return rows[:least]
        """,
    "a dimension that is chosen": """
        def f(x):
            t, b, d = x.shape
            return x.mean(0, keepdim=True).squeeze(0)[:, 0]
        """,
    "an operator that accepts both": """
        def f(x):
            t, b, d = x.shape
            h = x.mean(0, keepdim=True).squeeze()
            return (h + x.mean(0)).exp().sum(-1)
        """,
    "the batch is restored by view": """
        def f(x):
            t, b, d = x.shape
            return x.mean(0, keepdim=True).squeeze().view(b, d)[:, 0]
        """,
    "the batch is restored by reshape": """
        def f(parts):
            return torch.cat([nn.Linear(16, 1)(x).squeeze().reshape(-1) for x in parts])
        """,
    "one scalar for each item": """
        def f(parts):
            scores = torch.stack([nn.Linear(16, 1)(x).squeeze() for x in parts])
            return scores.softmax(0), scores.mean(0), scores[0]
        """,
    "the rank is tested": """
        def f(x):
            t, b, d = x.shape
            y = x.mean(0, keepdim=True).squeeze()
            if y.dim() == 1:
                y = y.unsqueeze(0)
            return y[:, 0]
        """,
    "a batch of one is tested": """
        def f(x):
            t, b, d = x.shape
            m = x.mean(0, keepdim=True)
            y = m.squeeze(0) if b == 1 else m.squeeze()
            return y[:, 0]
        """,
    "a batch that was added": """
        def f(x):
            c, h, w = x.shape
            mask = nn.Conv2d(3, 1, 3, padding=1)(x[None]).squeeze()
            return mask[0, :], x.mean(0).unsqueeze(0).exp().squeeze()[:, 0]
        """,
    "an image of unknown height and width": """
        def f(images):
            n, c, h, w = images.shape
            flow = nn.Conv2d(3, 2, 3, stride=4)(images.sum(0, keepdim=True))
            return F.interpolate(flow, size=(h, w), mode="bilinear").squeeze()[0, :, :]
        """,
    "a batch of one by annotation": """
        def f(x: Float[Tensor, "1 n 3"]):
            return x.squeeze()[:, 0]
        """,
    "a batch of known size": """
        def f(x: Float[Tensor, "t 2 3"]):
            return x.mean(0, keepdim=True).squeeze()[:, 0]
        """,
    "a failure that is handled": """
        def f(x):
            t, b, d = x.shape
            y = x.mean(0, keepdim=True).squeeze()
            try:
                return y[:, 0]
            except IndexError:
                return y
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    source, advice, refusal = FOUND[name]
    path = tmp_path / "program.py"
    path.write_text(HEAD + textwrap.dedent(source))
    (found,) = check([path])
    assert (found.line, found.code) == (place(source), "squeeze-batch")
    assert found.message == f"squeeze() also removes the batch dimension; {advice}"
    assert f"fails for a batch of one: {refusal}" in [note.message for note in found.notes]


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []


def test_joining_a_squeeze_with_itself_adds_nothing() -> None:
    place = Place(SimpleNamespace(), ast.parse("x.squeeze()"))  # type: ignore[arg-type]
    origin = _Origin(place, LostBatch(Shape((1,)), (0,)), unknown("n"), None, {"dim"})
    fact: Followed | None = _Squeezed(origin, Shape((2,)), Shape(()))
    for _ in range(100):
        assert fact is not None
        fact = fact.joined(fact)
    assert origin.examined == {"dim"}
