"""The variables of comprehensions are their own; items that an unknown condition selects may be any of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FOUND = {
    "the variable of the function, after the comprehension": """
        def f(x: Tensor):
            rows = [x for x in x.unbind(0)]
            return x.permute(0, 2)  # HERE

        f(torch.zeros(2, 3, 4))
        """,
    "the variable of the comprehension": """
        def f(x: Tensor):
            return [nn.Linear(5, 1)(row) for row in x.unbind(0)]  # HERE

        f(torch.zeros(2, 3, 4))
        """,
    "a name that an assignment expression leaves behind": """
        def f(x: Tensor):
            rows = [last := row for row in x.unbind(0)]
            return last.permute(1, 0, 2)  # HERE

        f(torch.zeros(2, 3, 4))
        """,
    "a lambda sees the last value": """
        heads = [lambda x: nn.Linear(n, 1)(x) for n in (3, 4)]  # HERE
        heads[0](torch.zeros(2, 3))
        """,
    "a tensor reshaped in place": """
        x = torch.zeros(1, 3)
        rows = [x.squeeze_(0) for _ in range(1)]
        x.permute(0, 1)  # HERE
        """,
}

QUIET = {
    "items that a condition selects": """
        def f(x: Tensor, wanted):
            rows = [torch.zeros(0) for _ in range(3)]
            for index in [i for i in range(3) if wanted[i] > 0]:
                rows[index] = x
            return [row + torch.zeros(2) for row in rows]

        f(torch.zeros(2), object())
        """,
    "every kind of comprehension": """
        def f(x: Tensor):
            rows = [x for x in x.unbind(0)]
            _ = x.permute(0, 2, 1)
            sizes = {x: 1 for x in range(3)}
            _ = x.permute(0, 2, 1)
            numbers = {x for x in range(3)}
            _ = x.permute(0, 2, 1)
            total = sum(x for x in range(3))
            _ = x.permute(0, 2, 1)
            nested = [[x for x in row] for row in x]
            return x.permute(0, 2, 1)

        f(torch.zeros(2, 3, 4))
        """,
    "the first iterable is that of the function": """
        def f(x: Tensor):
            return [x.permute(1, 0) for x in x]

        f(torch.zeros(2, 3, 4))
        """,
    "a lambda outlives the comprehension": """
        heads = [lambda x: nn.Linear(n, 1)(x) for n in (3, 4)]
        n = 7
        heads[0](torch.zeros(2, 4))
        """,
    "a variable of the function is narrowed": """
        def f(xs, bias=None):
            return [x + bias.view(3) if bias is not None else x for x in xs]

        f([torch.zeros(3)])
        """,
    "a global of the same name": """
        k = 5

        def f():
            global k
            numbers = [k for k in range(3)]
            return nn.Linear(5, 1)(torch.zeros(k))

        f()
        """,
    "an assignment expression in a condition": """
        def f(rows):
            if any((hit := row).dim() == 2 for row in rows):
                return hit.permute(1, 0)

        f([torch.zeros(2, 3)])
        """,
    "the numbers of items of an unknown sequence": """
        def last(value: float, sizes):
            numbers = [number for number, size in enumerate(sizes) if size]
            value = torch.as_tensor(value)
            return value.shape[-1] if value.ndim > numbers[0] else 1

        def f(sizes):
            return last(1.0, sizes)
        """,
    "items that are selected by their gradient": """
        def same(first, second):
            first, second = tuple(first), tuple(second)
            assert len(first) == len(second), f"{len(first)} != {len(second)}"

        def test_kept():
            weights = [torch.zeros(1, 2), torch.zeros(1, 3)]
            weights[0].grad = torch.ones(1, 2)
            same(list(one for one in weights if one.grad is not None), [weights[0]])

        test_kept()
        """,
    "super in a comprehension": """
        class Base(nn.Module):
            def width(self):
                return 3

        class Net(Base):
            def forward(self, x: Tensor):
                widths = [super(Net, self).width() for _ in range(2)]
                return nn.Linear(widths[0], 1)(x)

        Net()(torch.zeros(2, 3))
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    found = reported(tmp_path, FOUND[name])
    assert [(line, code) for line, code, _ in found] == [(place(FOUND[name]), "shape-mismatch")]


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
