"""What conditions, asserts and unpacked shapes teach: programs with a finding, and siblings that must stay quiet."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

FOUND = {
    "neither of two flags": """
        def f(a, b: Tensor, c: Tensor):
            if not (a | (b.ndim != 2)):
                return b.permute(0, 1, 2)  # HERE
        """,
    "an assert gives the shape": """
        def f(x: Tensor, n: int):
            assert x.shape == (n, 3)
            return nn.Linear(4, 2)(x)  # HERE
        """,
    "an assert gives the shape as torch.Size": """
        def f(x: Tensor, b: int):
            assert x.size() == torch.Size([b, 5])
            return x @ torch.zeros(4, 2)  # HERE
        """,
    "an assert gives the last sizes": """
        def f(x: Tensor):
            assert x.shape[-2:] == (4, 5)
            return x @ torch.zeros(4, 2)  # HERE
        """,
    "an assert gives all but the batch": """
        def f(x: Tensor):
            assert x.shape[1:] == (3, 8, 8)
            return nn.Conv2d(4, 2, 3)(x)  # HERE
        """,
    "an assert gives one size": """
        def f(x: Tensor):
            assert x.size(-1) == 6, x.shape
            return nn.Linear(5, 2)(x)  # HERE
        """,
    "an assert gives the rank": """
        def f(x: Tensor):
            assert x.dim() == 3
            return x.permute(0, 1)  # HERE
        """,
    "the length of the shape is the rank": """
        def f(x: Tensor):
            assert len(x.shape) == 3, "not a batch"
            return x.permute(0, 1)  # HERE
        """,
    "one of several ranks": """
        def f(x: Tensor):
            assert x.ndim in (3, 4)
            return x.permute(0, 1)  # HERE
        """,
    "a rank with a lower bound": """
        def f(x: Tensor):
            if x.ndim > 2:
                return x.permute(0, 1)  # HERE
        """,
    "a guard that raises": """
        def f(x: Tensor):
            if x.dim() != 2:
                raise ValueError("not a matrix")
            return x.permute(0, 1, 2)  # HERE
        """,
    "a guard in two parts": """
        def f(x: Tensor):
            if x.dim() != 2 or x.shape[1] != 4:
                raise ValueError("not four columns")
            return nn.Linear(5, 2)(x)  # HERE
        """,
    "the right side of an and sees the left one": """
        def f(x: Tensor):
            return x.dim() == 2 and x.permute(0, 1, 2)  # HERE
        """,
    "a conditional expression": """
        def f(x: Tensor):
            return x.permute(0, 1, 2) if x.dim() == 2 else x  # HERE
        """,
    "a size learnt to be a number": """
        class Net(nn.Module):
            def __init__(self, dim: int):
                super().__init__()
                assert dim == 16
                self.fc = nn.Linear(dim, 4)

            def forward(self, x):
                return self.fc(torch.zeros(3, 8))  # HERE
        """,
    "two sizes that an if makes equal": """
        def f(x: Tensor, n: int, m: int):
            if n != 2 * m:
                raise ValueError
            return torch.zeros(3, n) @ torch.zeros(m + m + 1, 3)  # HERE
        """,
    "a size that divides another": """
        def f(d: int, h: int):
            assert d % h == 0
            return torch.zeros(1, d) @ torch.zeros((d // h) * h + 2, 1)  # HERE
        """,
    "names of a shape with a star": """
        def f(x: Tensor):
            *lead, t, c = x.shape
            assert c == 7
            return nn.Linear(8, 2)(x)  # HERE
        """,
    "the shape of an attribute": """
        class Net(nn.Module):
            def forward(self, x: Tensor):
                self.x = x
                b, c = self.x.shape
                return self.x.permute(0, 1, 2)  # HERE
        """,
    "names in a nested target": """
        def f(x: Tensor, y: Tensor):
            (b, t), last = x.shape, y.shape[-1]
            return x.permute(0, 1, 2)  # HERE
        """,
    "what is no tensor is left out": """
        def f(x):
            if isinstance(x, torch.Tensor):
                assert x.dim() == 2
                return x.permute(0, 1, 2)  # HERE
        """,
    "a None that was asked for": """
        def f(flag):
            layer = nn.Linear(4, 2) if flag else None
            if layer is None:
                return 0
            return layer(torch.zeros(3, 5))  # HERE
        """,
    "a walrus": """
        def f(flag):
            if (layer := nn.Linear(4, 2) if flag else None) is not None:
                return layer(torch.zeros(3, 5))  # HERE
        """,
    "a dtype": """
        def f(x: Tensor):
            if x.dtype == torch.int64:
                return nn.Linear(4, 2)(x)  # HERE
        """,
    "the other dtype": """
        def f(flag):
            x = torch.zeros(3, 4, dtype=torch.int64)
            if x.dtype != torch.float32:
                return nn.Linear(4, 2)(x)  # HERE
        """,
    "a while loop": """
        def f(x: Tensor):
            while x.dim() == 2:
                x = x.permute(0, 1, 2)  # HERE
        """,
    "after a while loop": """
        def f(x: Tensor, grow):
            while x.dim() != 4:
                x = grow(x)
            return torch.zeros(2, 3).permute(0, 1, 2)  # HERE
        """,
    "a case of a match": """
        def f(flag):
            match torch.zeros(2, 3).shape:
                case (b, c):
                    return nn.Linear(c + 1, 2)(torch.zeros(2, c))  # HERE
                case (b, c, h):
                    return nn.Linear(c, 2)(torch.zeros(2, 9))
        """,
}

QUIET = {
    "rows until the rank is an unknown one": """
        def first(x, like):
            rank = like.ndim
            kernel = torch.zeros(3, 4)
            while kernel.ndim > rank:
                kernel = kernel[0]
            return kernel
        """,
    "a tensor has the attributes of tensors": """
        def best(x: Tensor):
            values = x @ x
            return values[torch.argmin(values[:, 0]), 0]

        def solved(x: Tensor):
            energy = best(torch.zeros(5, 5))
            if hasattr(energy, "dim") and energy.dim() == 0:
                return energy
            return energy[0]
        """,
    "the rank of a mask compared with an unknown rank": """
        def rows(mask, query, start: int, end: int):
            if mask is not None and mask.ndim >= query.ndim and mask.shape[-3] == query.shape[-3]:
                return mask[..., start:end, :, :]
            return mask

        def causal(query, width: int):
            place = torch.arange(width)
            return rows(place[None, :] <= place[:, None], query[..., 0:width, :], 0, 2)
        """,
    "an empty dict": """
        def joined(parts):
            if parts == {}:
                return None
            return torch.cat([torch.as_tensor(one) for one in parts.values()])

        joined({})
        """,
    "a number is no array": """
        import numpy as np

        def total(x):
            return torch.sum(x) if isinstance(x, (np.ndarray, torch.Tensor)) else x

        total(1.5)
        """,
    "a text without conversions": """
        def f(obj):
            raise TypeError("cannot insert {0}} here" % obj)
        """,
    "a tuple is no loader": """
        from torch.utils.data import DataLoader

        def tensors_of(data):
            if isinstance(data, DataLoader):
                return torch.cat([batch[0] for batch in data]), torch.cat([batch[1] for batch in data])
            return data

        tensors_of((torch.zeros(4, 1), torch.zeros(4)))
        """,
    "the size of a process group": """
        def check(group, sizes, others):
            if len(sizes) != group.size() or len(others) != group.size():
                raise ValueError
            return group.size() == len(sizes)
        """,
    "the name of the class of a layer": """
        def loss_of(criterion, out, y):
            if criterion.__class__.__name__ == "GaussianNLLLoss":
                return criterion(out, y, out)
            return criterion(out, y)

        loss_of(nn.GaussianNLLLoss(), torch.zeros(3), torch.zeros(3))
        """,
    "both of two flags, one of which is not set": """
        def f(first, last=False):
            if first & last:
                return nn.GroupNorm(int(last), 8)

        def g(first):
            return f(first)
        """,
    "ranks above the least one that is known": """
        def images(x: Tensor):
            if x.dim() == 5:
                return x.permute(0, 2, 3, 4, 1)
            elif x.dim() == 4:
                return x.permute(0, 2, 3, 1)
            return x.permute(0, 2, 1)

        def f(y: Tensor):
            return images(torch.zeros(2, 8, 3, 3, 3) + y)
        """,
    "a branch that cannot be": """
        def f(x: Tensor):
            assert x.dim() == 2
            if x.dim() == 3:
                return x.permute(0, 1)
            return x.permute(1, 0)
        """,
    "what is left after an early return": """
        def f(x: Tensor):
            if x.dim() == 2:
                return x.permute(1, 0)
            return x.permute(0, 2, 1)
        """,
    "a branch forgets what it learnt": """
        def f(x: Tensor):
            if x.dim() == 2:
                y = x.permute(1, 0)
            return x.permute(0, 2, 1)
        """,
    "a function forgets what one way out of it learnt": """
        class Net(nn.Module):
            def look(self):
                if self.x.dim() != 2:
                    return 0
                return 1

            def forward(self, x: Tensor):
                self.x = x
                self.look()
                return self.x.permute(0, 2, 1)
        """,
    "a loop forgets what one way out of it learnt": """
        def f(x: Tensor, steps):
            for step in steps:
                if x.dim() != 2:
                    break
            return x.permute(0, 2, 1)

        def g(x: Tensor, steps):
            for step in range(3):
                if x.dim() == 2:
                    continue
                x = x.permute(0, 2, 1)
            return x

        def h(flags):
            x = torch.zeros(2, 3)
            for flag in flags:
                if flag:
                    x = x[None]
                    break
            return x.permute(0, 2, 1)
        """,
    "sizes that an if makes equal fit": """
        def f(x: Tensor, n: int, m: int):
            if n == m:
                return torch.zeros(n, 3) + torch.zeros(m, 3)
            return torch.zeros(n, 3)
        """,
    "heads that divide": """
        class Net(nn.Module):
            def __init__(self, dim: int, heads: int):
                super().__init__()
                assert dim % heads == 0
                self.dim, self.heads = dim, heads
                self.out = nn.Linear(dim, dim)

            def forward(self, x: Tensor):
                b, t, _ = x.shape
                y = torch.zeros(b, t, self.heads, self.dim // self.heads)
                return self.out(y.flatten(2))
        """,
    "a name stays what it is in both branches": """
        def f(x: Tensor):
            b, t, c = x.shape
            if t == 1:
                y = torch.zeros(b, 1, c)
            else:
                y = torch.zeros(b, t, c)
            return y.view(b, t, c) + x
        """,
    "None or a layer, by the same flag": """
        class Net(nn.Module):
            def __init__(self, norm: bool, wide: bool):
                super().__init__()
                self.norm = nn.LayerNorm(8) if norm else None
                self.fc = nn.Linear(8, 16 if wide else 4)
                self.wide = wide

            def forward(self, x):
                if self.norm is not None:
                    x = self.norm(x)
                x = self.fc(x)
                if self.wide:
                    return nn.Linear(16, 1)(x)
                return nn.Linear(4, 1)(x)
        """,
    "one of two asked by or": """
        def f(x: Tensor):
            if x.dim() == 2 or x.dim() == 3:
                return x.permute(1, 0)
            return x.permute(0, 2, 1, 3)
        """,
    "a match that binds what it cannot tell": """
        def f(x: Tensor, mode):
            size = 3
            match x.shape:
                case (b, size):
                    pass
                case (b, *size, last) if last > 3:
                    size = 4
                case {"a": size}:
                    pass
                case _ as size:
                    pass
            return torch.zeros(2, 7) @ torch.zeros(size, 2)
        """,
    "a text that selects": """
        def f(mode, x: Tensor):
            size = 3 if mode == "a" else 4
            if mode == "a":
                return torch.zeros(2, 3) @ torch.zeros(size, 2)
            return torch.zeros(2, 4) @ torch.zeros(size, 2)
        """,
    "endless until something is found": """
        def f(x: Tensor, grow):
            while True:
                x = grow(x)
                if x.dim() == 4:
                    break
            return x.permute(0, 1, 2, 3)
        """,
    "an else that a break skips": """
        def f(items, x: Tensor):
            for item in items:
                if item:
                    x = torch.zeros(2, 3)
                    break
            else:
                x = torch.zeros(2, 3, 4)
            return x.permute(0, 2, 1)
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_what_is_learnt_leads_to_a_finding(name: str, tmp_path: Path) -> None:
    path, text = lines_of(tmp_path, FOUND[name])
    (line,) = (number for number, content in enumerate(text.splitlines(), 1) if content.endswith("# HERE"))
    assert [(one.line, one.code) for one in check([path])] in (
        [(line, "shape-mismatch")],
        [(line, "dtype-mismatch")],
    )


@pytest.mark.parametrize("name", QUIET)
def test_what_is_learnt_says_nothing(name: str, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, QUIET[name])
    assert check([path]) == []
