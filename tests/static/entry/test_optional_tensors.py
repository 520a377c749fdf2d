"""Off the defaults: an optional tensor is given, and what then fails is a warning that names the parameter."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.diagnostics import DEFAULT_CHECKS, Severity
from shapecheck.static import check
from tests.static.programs import lines_of

FOUND = {
    "an annotated argument of forward": (
        """
        from typing import Optional

        class Net(nn.Module):
            def __init__(self, width: int = 16):
                super().__init__()
                self.first, self.out = nn.Linear(3, width), nn.Linear(width, 2)

            def forward(self, x: Tensor, context: Optional[Tensor] = None):
                x = self.first(x)
                if context is not None:
                    x = torch.cat([x, self.first(context)], dim=-1)
                return self.out(x)  # HERE
        """,
        "context",
    ),
    "an argument without annotation": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.first, self.out = nn.Linear(3, 8), nn.Linear(8, 2)

            def forward(self, x, extra=None):
                x = self.first(x)
                x = x if extra is None else torch.cat((x, self.first(extra)), -1)
                return self.out(x)  # HERE
        """,
        "extra",
    ),
    "a later branch for another argument": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.first, self.out = nn.Linear(3, 8), nn.Linear(8, 2)

            def forward(self, x, extra=None, mask=None):
                x = self.first(x)
                if extra is not None:
                    x = torch.cat((x, self.first(extra)), -1)
                if mask is not None:
                    x = self.out(x) * mask  # HERE
                return x
        """,
        "extra",
    ),
    "a later branch, where the tensor is only tested": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.first, self.out = nn.Linear(3, 8), nn.Linear(8, 2)

            def forward(self, x, extra=None, mask=None):
                x = self.first(x)
                if extra is not None:
                    x = torch.cat((x, x), -1)
                if mask is not None:
                    x = self.out(x) * mask  # HERE
                return x
        """,
        "extra",
    ),
    "a mask without heads": (
        """
        class Attention(nn.Module):
            def __init__(self, width: int = 64, heads: int = 8):
                super().__init__()
                self.heads, self.qk = heads, nn.Linear(width, 2 * width)

            def forward(self, x, mask=None):
                b, n, _ = x.shape
                q, k = self.qk(x).view(b, n, 2, self.heads, -1).permute(2, 0, 3, 1, 4)
                scores = q @ k.transpose(-1, -2)
                if mask is not None:
                    scores = scores.masked_fill(mask.view(b, n) == 0, -1e9)  # HERE
                return scores.softmax(-1)
        """,
        "mask",
    ),
    "through helpers": (
        """
        def exists(value):
            return value is not None

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.first, self.out = nn.Linear(3, 8), nn.Linear(8, 2)

            def joined(self, x, memory=None):
                return torch.cat([x, self.first(memory)], -1) if exists(memory) else x

            def forward(self, x, memory=None):
                return self.out(self.joined(self.first(x), memory))  # HERE
        """,
        "memory",
    ),
    "another method": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.table, self.norm = nn.Embedding(9, 8), nn.LayerNorm(8)

            def embed(self, ids: Tensor, places: "Tensor | None" = None) -> Tensor:
                x = self.table(ids)
                if places is not None:
                    x = torch.cat([x, self.table(places)], dim=-1)
                return self.norm(x)  # HERE

            def forward(self, ids):
                return self.embed(ids)
        """,
        "places",
    ),
    "a function": (
        """
        def scores(n: int, weight: Tensor = None):
            x = torch.zeros(n, 8)
            if weight is not None:
                x = x @ weight.view(8, 4)
            return x @ torch.zeros(8, 2)  # HERE
        """,
        "weight",
    ),
    "an argument of a constructor": (
        """
        class Net(nn.Module):
            def __init__(self, width: int = 16, table: Tensor = None):
                super().__init__()
                self.table, self.first, self.out = table, nn.Linear(3, width), nn.Linear(width, 2)

            def forward(self, x: Tensor):
                x = self.first(x)
                if self.table is not None:
                    x = torch.cat([x, x], dim=-1)
                return self.out(x)  # HERE
        """,
        "table",
    ),
    "one of two that exclude each other": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.table, self.first, self.out = nn.Embedding(9, 3), nn.Linear(3, 8), nn.Linear(8, 2)

            def forward(self, ids=None, embedded=None):
                if ids is not None and embedded is not None:
                    raise ValueError("both")
                x = self.first(self.table(ids) if embedded is None else embedded)
                if embedded is not None:
                    x = torch.cat([x, x], dim=-1)
                return self.out(x)  # HERE
        """,
        "embedded",
    ),
    "a jaxtyping annotation": (
        """
        from typing import Optional

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(64, 64)

            def forward(self, x: Float[Tensor, "b t 64"], extra: Optional[Float[Tensor, "b t 32"]] = None):
                y = self.fc(x)
                if extra is not None:
                    y = torch.cat([y, extra], -1)
                return self.fc(y)  # HERE
        """,
        "extra",
    ),
}

QUIET = {
    "an earlier branch for another argument": """
        def valid(x, lengths=None, marker=None):
            assert not (lengths is None and marker is None)
            if lengths is not None:
                found = x.new_zeros(x.shape[:-1])
                for row in range(len(x)):
                    found[row, : lengths[row]] = 1
            if marker is not None:
                assert x.dim() == 2
                found = x.ne(marker)
            return found[..., None]
        """,
    "a tensor of the expected size": """
        class Net(nn.Module):
            def __init__(self, width: int = 16):
                super().__init__()
                self.first, self.out = nn.Linear(3, width), nn.Linear(width, 2)

            def forward(self, x, context=None):
                x = self.first(x)
                if context is not None:
                    x = torch.cat([x, self.first(context)], dim=1)
                return self.out(x)
        """,
    "a layer for the option that it needs": """
        class Net(nn.Module):
            def __init__(self, width: int = 16, conditional: bool = False):
                super().__init__()
                self.first = nn.Linear(3, width)
                self.out = nn.Linear(2 * width if conditional else width, 2)

            def forward(self, x, context=None):
                x = self.first(x)
                if context is not None:
                    x = torch.cat([x, self.first(context)], dim=-1)
                return self.out(x)
        """,
    "a layer that only some objects have": """
        class Net(nn.Module):
            def __init__(self, width: int = 16, extra=None):
                super().__init__()
                self.first = nn.Linear(3, width)
                self.extra = nn.Linear(extra, width) if extra is not None else None

            def forward(self, x, extra=None):
                x = self.first(x)
                return x if extra is None else x + self.extra(extra)
        """,
    "states, sizes, flags and names": """
        class Reader(nn.Module):
            def __init__(self, width=8):
                super().__init__()
                self.rnn, self.out = nn.LSTM(3, width, batch_first=True), nn.Linear(width, 2)

            def forward(self, x, states=None, length=None, names=None, returns=None):
                if states is not None:
                    h, c = states
                    states = (h[None], c[None])
                y, states = self.rnn(x, states)
                if length is not None:
                    y = y[:, :length].reshape(-1, length, 8)
                if names is not None:
                    y = y + sum(len(name) for name in names)
                return (self.out(y), states) if returns else self.out(y)
        """,
    "a layer, a number or an array for a constructor": """
        class Net(nn.Module):
            def __init__(self, norm=None, wide=None, start: "np.ndarray | None" = None):
                super().__init__()
                self.first = nn.Linear(3, wide if wide is not None else 8)
                self.norm = norm if norm is not None else nn.LayerNorm(8)
                self.start = start

            def forward(self, x):
                x = self.norm(self.first(x))
                return x if self.start is None else x + torch.from_numpy(self.start)
        """,
    "a list of tensors": """
        from typing import List, Optional

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.first, self.out = nn.Linear(3, 8), nn.Linear(8, 2)

            def forward(self, x, more: Optional[List[Tensor]] = None):
                x = self.first(x)
                if more is not None:
                    x = torch.stack([x, *map(self.first, more)]).sum(0)
                return self.out(x)
        """,
    "what is refused": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.first, self.out = nn.Linear(3, 8), nn.Linear(8, 2)

            def forward(self, x, mask=None):
                if mask is not None:
                    raise NotImplementedError("mask")
                return self.out(self.first(x))
        """,
    "masks of several ranks": """
        class Attention(nn.Module):
            def __init__(self, width: int = 64, heads: int = 8):
                super().__init__()
                self.heads, self.qk = heads, nn.Linear(width, 2 * width)

            def forward(self, x, mask: Tensor = None):
                b, n, _ = x.shape
                q, k = self.qk(x).view(b, n, 2, self.heads, -1).permute(2, 0, 3, 1, 4)
                scores = q @ k.transpose(-1, -2)
                if mask is not None:
                    if mask.dim() == 2:
                        mask = mask.view(b, 1, 1, n)
                    elif mask.dim() == 3:
                        mask = mask.view(b, 1, n, n)
                    scores = scores + mask
                return scores.softmax(-1)
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_a_failure_with_the_tensor_is_a_warning_that_names_it(name: str, tmp_path: Path) -> None:
    program, parameter = FOUND[name]
    path, text = lines_of(tmp_path, program)
    (one,) = check([path])
    assert (one.code, one.severity) == ("off-default", Severity.WARNING)
    assert one.message.endswith(f"(fails whenever {parameter} is given)")
    assert one.line == 1 + text[: text.index("# HERE")].count("\n")
    assert one.notes[-1].message == f"found with {parameter}=a tensor; the default is None"


@pytest.mark.parametrize("name", QUIET)
def test_what_works_with_the_tensor_is_not_reported(name: str, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, QUIET[name])
    assert check([path]) == []


@pytest.mark.parametrize("name", FOUND)
def test_nothing_is_given_without_the_code(name: str, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, FOUND[name][0])
    assert check([path], codes=set(DEFAULT_CHECKS) - {"off-default"}) == []
