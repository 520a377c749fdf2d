"""Example code runs with other batch sizes: what fails for all of them works by coincidence."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from shapecheck.diagnostics import DEFAULT_CHECKS, Severity
from shapecheck.static import check
from tests.static.programs import lines_of

ATTENTION = """
class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.qk = heads, nn.Linear(width, 2 * width)
        self.bias = nn.Parameter(torch.zeros(heads, 1, 1))

    def forward(self, x):
        b, n, d = x.shape
        q, k = self.qk(x).view(b, n, 2, self.heads, d // self.heads).unbind(2)
        scores = torch.einsum("bqhd,bkhd->{}qk", q, k)
        return (scores + self.bias).softmax(-1)  # HERE
"""
WRONG, RIGHT = ATTENTION.format("hb"), ATTENTION.format("bh")

FOUND = {
    "a number for two tensors": "print(Attention(64, 4)(torch.randn(4, 10, 64)), torch.zeros(4))",
    "a variable": "batch, length = 4, 10\nAttention(64, 4)(torch.randn(batch, length, 64))",
    "a function without parameters": """
        def main():
            model = Attention(width=64, heads=4)
            x, y = torch.zeros((4, 10, 64)), torch.zeros(size=(4,))
            print(model(x).shape, y)

        if __name__ == "__main__":
            main()
        """,
}

QUIET = {
    "sizes that agree in another way": (RIGHT, "batch = 4\nAttention(64, 4)(torch.randn(batch, 10, 64))"),
    "what may be the steps of one sample": (WRONG, "Attention(64, 4)(torch.randn(4, 10, 64))"),
    "steps": (WRONG, "steps = 4\nAttention(64, 4)(torch.randn(steps, 10, 64))"),
    "channels": ("", "nn.Conv2d(3, 8, 3)(torch.randn(3, 16, 16)), torch.zeros(3)"),
    "another size with the same number": (WRONG, "batch = 4\nAttention(64, 4)(torch.randn(batch, 4, 64))"),
    "another use of the number": (WRONG, "print(4)\nAttention(64, 4)(torch.randn(4, 10, 64)), torch.zeros(4)"),
    "a product of it": (
        WRONG,
        "batch = 4\nAttention(64, 4)(torch.randn(batch, 10, 64)), torch.zeros(40)",
    ),
    "a failure of the example itself": ("", "batch = 3\nx = torch.randn(batch, 2)\nx + torch.ones(7, 1)[:3]"),
    "as many items": (
        WRONG,
        "names = ['a', 'b', 'c', 'd']\nAttention(64, 4)(torch.randn(4, 10, 64)), torch.zeros(4)",
    ),
    "a variable with two values": (
        WRONG,
        "batch = 4\nAttention(64, 4)(torch.randn(batch, 10, 64))\nbatch = 8\nprint(batch)",
    ),
    "a batch size of the model": (
        """
        class Reader(nn.Module):
            def __init__(self, batch_size):
                super().__init__()
                self.rnn = nn.GRU(3, 8, batch_first=True)
                self.state = nn.Parameter(torch.zeros(1, batch_size, 8))

            def forward(self, x):
                return self.rnn(x, self.state)[0]
        """,
        "batch = 4\nReader(4)(torch.randn(batch, 10, 3))",
    ),
    "pairs of samples": (
        """
        class Pairs(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.fc = nn.Linear(width, 2)

            def forward(self, x):
                one, two = self.fc(x).view(x.shape[0] // 2, 2, 2).unbind(1)
                return one - two
        """,
        "batch = 6\nPairs(5)(torch.randn(batch, 5))",
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_a_failure_for_other_batches_is_a_warning(name: str, tmp_path: Path) -> None:
    path, text = lines_of(tmp_path, WRONG + textwrap.dedent(FOUND[name]))
    (one,) = check([path])
    assert (one.code, one.severity) == ("off-default", Severity.WARNING)
    assert one.message.endswith("(works only for a batch of 4)")
    assert one.line == 1 + text[: text.index("# HERE")].count("\n")
    assert one.notes[-1].message == "found with a batch of 8 in place of 4"
    assert check([path], codes=set(DEFAULT_CHECKS) - {"off-default"}) == []


def test_where_no_example_runs_the_class_shows_it(tmp_path: Path) -> None:
    example = """
def test_attention():
    images = torch.rand(4, 10, 8, 8)
    assert Attention(64, heads=4)(images.flatten(2)) is not None
"""
    path, text = lines_of(tmp_path, WRONG + example)
    (one,) = check([path])
    assert (one.code, one.line) == ("shape-mismatch", 1 + text[: text.index("# HERE")].count("\n"))
    assert "unless heads and b are equal" in one.message


@pytest.mark.parametrize("name", QUIET)
def test_what_works_or_may_depend_on_the_number_is_not_reported(name: str, tmp_path: Path) -> None:
    program, use = QUIET[name]
    path, _ = lines_of(tmp_path, textwrap.dedent(program) + use + "\n")
    assert check([path]) == []
