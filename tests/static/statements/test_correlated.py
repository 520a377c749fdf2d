"""A condition that is tested twice, and that nothing changes in between, has the same outcome each time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.calls.programs import execute, findings
from tests.static.rules.programs import place, reported

FOUND = {
    "the rank of a shape that is kept": """
        def f(spec: torch.Tensor):
            s = spec.shape
            if len(s) == 4:
                spec = spec.permute(0, 3, 1, 2).reshape(s[0] * s[3], s[1], s[2])
            out = torch.matmul(spec, torch.zeros(11, 5))
            if len(s) == 4:
                t = out.shape
                out = out.reshape(s[0], t[3], t[1], t[2])  # HERE
            return out
        """,
    "an option": """
        def f(x: Float[Tensor, "b 4"], flat: bool):
            if flat:
                x = x[:, None]
            x = x.relu()
            if flat:
                x = x.permute(0, 1)  # HERE
            return x
        """,
    "an option and its negation": """
        def f(x: Float[Tensor, "b 4"], flat: bool):
            if not flat:
                x = x[:, None]
            x = x.relu()
            if flat:
                return x
            else:
                return x.permute(0, 1)  # HERE
        """,
    "None": """
        def f(x: Float[Tensor, "b 4"], mask=None):
            if mask is not None:
                x = torch.cat([x, x], 1)
            if mask is None:
                y = x
            else:
                y = x @ torch.zeros(4, 2)  # HERE
            return y
        """,
    "three times": """
        def f(x: Float[Tensor, "b 4"], flat: bool):
            if flat:
                x = x[:, None]
            if flat:
                x = x.relu()
            if flat:
                x = x.permute(0, 1)  # HERE
            return x
        """,
    "a variable with the outcome of a comparison": """
        def f(x):
            batched = x.dim() == 4
            if batched:
                y = torch.zeros(2, 3)
            else:
                y = torch.zeros(3)
            y = y.relu()
            if batched:
                y = y @ torch.zeros(4, 5)  # HERE
            return y
        """,
    "an attribute that no method writes": """
        class Net(nn.Module):
            def __init__(self, flat):
                super().__init__()
                self.flat = flat

            def forward(self, x: Float[Tensor, "b 4"]):
                if self.flat:
                    x = x[:, None]
                x = x.relu()
                if self.flat:
                    x = x.permute(0, 1)  # HERE
                return x
        """,
}

SILENT = {
    "the rank of a shape that is kept": """
        def f(spec):
            s = spec.shape
            if len(s) == 4:
                spec = spec.permute(0, 3, 1, 2).reshape(s[0] * s[3], s[1], s[2])
            out = torch.matmul(spec, torch.zeros(11, 5))
            if len(s) == 4:
                t = out.shape
                out = out.reshape(s[0], s[3], t[1], t[2])
            return out

        f(torch.rand(2, 3, 11, 4)), f(torch.rand(3, 11))
        """,
    "the condition changes in between": """
        def f(x, flat):
            if flat:
                x = x[:, None]
                flat = x.shape[0] == 7
            if flat:
                x = x.permute(0, 1)
            return x

        f(torch.rand(2, 4), True), f(torch.rand(2, 4), False)
        """,
    "what the condition reads is bound again": """
        def f(x):
            if x.dim() == 2:
                x = x[None]
            if x.dim() == 2:
                x = x.permute(0, 1)
            return x

        f(torch.rand(2, 4)), f(torch.rand(2, 4, 3))
        """,
    "a list that is filled": """
        def f(x, parts):
            if parts:
                x = x[:, None]
                parts.clear()
            if parts:
                x = x.permute(0, 1)
            return x

        f(torch.rand(2, 4), [1]), f(torch.rand(2, 4), [])
        """,
    "an attribute that a method writes": """
        class Net(nn.Module):
            def __init__(self, flat):
                super().__init__()
                self.flat = flat

            def reset(self): self.flat = not self.flat

            def forward(self, x):
                if self.flat:
                    x = x[:, None]
                    self.reset()
                x = x.relu()
                if self.flat:
                    x = x.permute(0, 1)
                return x

        Net(True)(torch.rand(2, 4))
        """,
    "both outcomes are right": """
        def f(x, flat):
            if flat:
                x = x[:, None]
            else:
                x = x[:, None, None]
            x = x.relu()
            if flat:
                x = x.permute(0, 2, 1)
            else:
                x = x.permute(0, 2, 1, 3)
            return x

        f(torch.rand(2, 4), True), f(torch.rand(2, 4), False)
        """,
    "the statements in between fail for neither": """
        def f(x, y, mask=None):
            if mask is None:
                x = x.sum(1)
            if mask is not None:
                x = (x * mask[..., None]).sum(1)
            y = x @ y
            if mask is None:
                return y.permute(1, 0)
            return y

        f(torch.rand(2, 3, 4), torch.rand(4, 5)), f(torch.rand(2, 3, 4), torch.rand(4, 5), torch.rand(2, 3))
        """,
    "an assignment to a name in a nested function": """
        def f(x, flat):
            def off():
                nonlocal flat
                flat = False
            if flat:
                x = x[:, None]
                off()
            if flat:
                x = x.permute(0, 1)
            return x

        f(torch.rand(2, 4), True), f(torch.rand(2, 4), False)
        """,
    "a shape that is changed as a list": """
        def f(x):
            s = x.shape
            if len(s) == 2:
                s = list(s) + [1]
                x = x.reshape(s)
            return s[-1]

        f(torch.rand(2, 4)), f(torch.rand(2, 4, 3))
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_what_fails_with_one_outcome_is_found(name: str, tmp_path: Path) -> None:
    found = reported(tmp_path, FOUND[name])
    assert [(line, code) for line, code, _ in found] == [(place(FOUND[name]), "shape-mismatch")]


@pytest.mark.parametrize("name", SILENT)
def test_what_no_outcome_makes_fail_is_silent(name: str, tmp_path: Path) -> None:
    execute(SILENT[name])
    assert findings(tmp_path, SILENT[name]) == []
