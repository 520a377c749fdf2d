"""Asserts that never hold, and those of which that cannot be said."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

FOUND = {
    "the shape of a tensor": (
        """
        x = torch.zeros(4, 5)
        n = 4
        assert x.shape == (n, 3), "three columns"  # HERE
        """,
        "`x.shape == (n, 3)` never holds: x is (4, 5) and (n, 3) is (4, 3)",
    ),
    "a rank": (
        """
        def f(x: Tensor):
            y = x.flatten()
            assert y.dim() == 2  # HERE
        """,
        "`y.dim() == 2` never holds: y is (?,)",
    ),
    "one part of an and": (
        """
        y = nn.Linear(3, 4)(torch.zeros(2, 3))
        assert y.dim() == 2 and y.size(1) == 3  # HERE
        """,
        "`y.size(1) == 3` never holds: y is (2, 4)",
    ),
    "a width that its heads do not divide": (
        """
        class Attention(nn.Module):
            def __init__(self, dim, heads):
                super().__init__()
                assert dim % heads == 0  # HERE
                self.qkv = nn.Linear(dim, 3 * dim)

        Attention(10, 3)
        """,
        "`dim % heads == 0` never holds: dim % heads is 1",
    ),
    "what a promised shape cannot be": (
        """
        def f(x: Float[Tensor, "b c"]):
            assert x.shape[1:] == (3, 3)  # HERE
        """,
        "`x.shape[1:] == (3, 3)` never holds: x is (b, c)",
    ),
    "every alternative": (
        """
        def f(flag):
            x = torch.zeros(2, 3) if flag else torch.zeros(2, 3, 4)
            assert x.ndim == 4  # HERE
        """,
        "`x.ndim == 4` never holds",
    ),
}

QUIET = {
    "constants": """
        assert False, "unreachable"
        """,
    "a text": """
        def f(x):
            assert not "to be done"
        """,
    "the way into what is not written yet": """
        def f(x):
            assert 1 == 2, "not here"
        """,
    "what an assert about None says": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.cache = None
                self.steps = 0

            def forward(self, x):
                assert self.cache is not None, "call setup first"
                assert self.steps > 0
                return x
        """,
    "defaults that nobody passes": """
        class Attention(nn.Module):
            def __init__(self, dim, heads=8, head_dim=7):
                super().__init__()
                assert head_dim * heads == 64
                self.y = torch.zeros(2, head_dim)

            def forward(self, x):
                assert self.y.shape == (2, 8)
                return x
        """,
    "what is meant to fail": """
        import contextlib
        import pytest

        def test_it():
            x = torch.zeros(4, 5)
            with pytest.raises(AssertionError):
                assert x.shape == (3, 3)
            with contextlib.suppress(AssertionError):
                assert x.shape == (3, 3)
            try:
                assert x.shape == (3, 3)
            except AssertionError:
                pass
        """,
    "one of two": """
        def f(flag):
            x = torch.zeros(2, 3) if flag else torch.zeros(2, 3, 4)
            assert x.ndim == 3
            return x.permute(0, 2, 1)
        """,
    "an empty tensor": """
        def f(x: Float[Tensor, "n c"]):
            assert x.shape[0] == 0
        """,
    "what another thing has": """
        def f(x, table):
            assert x.shape == (3, 4)
            assert len(table) == 3
            assert x.shape[0] == len(table)
        """,
    "a shape is no list, but its list is": """
        x = torch.zeros(4, 5)
        assert list(x.shape) == [4, 5]
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_an_assert_that_never_holds(name: str, tmp_path: Path) -> None:
    source, message = FOUND[name]
    path, text = lines_of(tmp_path, source)
    (only,) = check([path])
    (line,) = (number for number, content in enumerate(text.splitlines(), 1) if content.endswith("# HERE"))
    assert (only.line, only.code) == (line, "false-assert")
    assert message in only.message


@pytest.mark.parametrize("name", QUIET)
def test_an_assert_of_which_nothing_is_said(name: str, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, QUIET[name])
    assert check([path]) == []


def test_nothing_after_a_false_assert_is_run(tmp_path: Path) -> None:
    source = "x = torch.zeros(4, 5)\nassert x.dim() == 3\nnn.Linear(4, 2)(x)\n"
    path, _ = lines_of(tmp_path, source)
    assert [one.code for one in check([path])] == ["false-assert"]
