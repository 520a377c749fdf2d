"""Asserts that always fail, and others."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

FOUND = {
    "a number that no iteration changes": (
        """
        import lib

        count = 4
        for window in range(3):
            if lib.is_full(window):
                assert count == 5  # HERE
        """,
        "`count == 5` is always false: count is 4",
    ),
    "a number that counts iterations, in each of them": (
        """
        for window in range(3):
            assert window > 5  # HERE
        """,
        "`window > 5` is always false: window is 0",
    ),
    "a tensor in some iterations": (
        """
        import lib

        x = torch.zeros(2, 3)
        for window in range(3):
            if lib.is_full(window):
                assert x.shape[0] == 3  # HERE
        """,
        "`x.shape[0] == 3` is always false: x has shape (2, 3)",
    ),
    "the shape of a tensor": (
        """
        x = torch.zeros(4, 5)
        n = 4
        assert x.shape == (n, 3), "three columns"  # HERE
        """,
        "`x.shape == (n, 3)` is always false: x has shape (4, 5) and (n, 3) is (4, 3)",
    ),
    "a rank": (
        """
        def f(x: Tensor):
            y = x.flatten()
            assert y.dim() == 2  # HERE
        """,
        "`y.dim() == 2` is always false: y has shape (?,)",
    ),
    "one part of an and": (
        """
        y = nn.Linear(3, 4)(torch.zeros(2, 3))
        assert y.dim() == 2 and y.size(1) == 3  # HERE
        """,
        "`y.size(1) == 3` is always false: y has shape (2, 4)",
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
        "`dim % heads == 0` is always false: dim % heads is 1",
    ),
    "an annotated shape": (
        """
        def f(x: Float[Tensor, "b c"]):
            assert x.shape[1:] == (3, 3)  # HERE
        """,
        "`x.shape[1:] == (3, 3)` is always false: x has shape (b, c)",
    ),
    "every alternative": (
        """
        def f(flag):
            x = torch.zeros(2, 3) if flag else torch.zeros(2, 3, 4)
            assert x.ndim == 4  # HERE
        """,
        "`x.ndim == 4` is always false",
    ),
}

QUIET = {
    "a number that counts iterations, in some of them": """
        import lib

        def place(position):
            for window in range(3):
                if position <= lib.start(window):
                    assert window > 0
                    return window - 1
            return 2

        place(10)
        """,
    "a number that a loop adds to": """
        import lib

        count = 0
        while count < 3:
            if lib.is_full():
                assert count == 2
            count += 1
        """,
    "a number that counts iterations of the caller": """
        import lib

        def require(window):
            assert window > 0

        for window in range(3):
            if lib.is_full():
                require(window)
        """,
    "constants": """
        assert False, "unreachable"
        """,
    "a string": """
        def f(x):
            assert not "to be done"
        """,
    "a branch that is not implemented yet": """
        def f(x):
            assert 1 == 2, "not here"
        """,
    "an assert about None": """
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
    "defaults that no caller passes": """
        class Attention(nn.Module):
            def __init__(self, dim, heads=8, head_dim=7):
                super().__init__()
                assert head_dim * heads == 64
                self.y = torch.zeros(2, head_dim)

            def forward(self, x):
                assert self.y.shape == (2, 8)
                return x
        """,
    "an expected failure": """
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
    "the number of items that other code may add": """
        found, by_name = [], {}
        other(found)
        assert len(by_name) == 1
        assert torch.zeros(2).shape == (2,) and len(found) > 0
        """,
    "the size of another object": """
        def f(x, table):
            assert x.shape == (3, 4)
            assert len(table) == 3
            assert x.shape[0] == len(table)
        """,
    "a shape is not a list, but its list is": """
        x = torch.zeros(4, 5)
        assert list(x.shape) == [4, 5]
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_an_assert_that_always_fails(name: str, tmp_path: Path) -> None:
    source, message = FOUND[name]
    path, text = lines_of(tmp_path, source)
    (only,) = check([path])
    (line,) = (number for number, content in enumerate(text.splitlines(), 1) if content.endswith("# HERE"))
    assert (only.line, only.code) == (line, "false-assert")
    assert message in only.message


@pytest.mark.parametrize("name", QUIET)
def test_an_assert_that_may_hold(name: str, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, QUIET[name])
    assert check([path]) == []


def test_code_after_a_false_assert_is_not_evaluated(tmp_path: Path) -> None:
    source = "x = torch.zeros(4, 5)\nassert x.dim() == 3\nnn.Linear(4, 2)(x)\n"
    path, _ = lines_of(tmp_path, source)
    assert [one.code for one in check([path])] == ["false-assert"]
