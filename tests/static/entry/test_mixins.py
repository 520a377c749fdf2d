"""A forward that a module inherits from a mixin is analyzed on objects of the module."""

from __future__ import annotations

from pathlib import Path

from tests.static.calls.programs import execute, findings

_PROGRAM = """
class Base(nn.Module):
    def __init__(self, *, tokens: int, dim: int):
        super().__init__()
        self.token = nn.Parameter(torch.randn(1, dim))
        self.embed = nn.Linear(tokens, dim)

class Mixin:
    def forward(self, x: torch.Tensor):
        x = self.embed(x)
        b, n, _ = x.shape
        return torch.cat((self.token{expanded}, x), dim=1)

class Net(Mixin, Base):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
"""


def test_a_forward_of_a_mixin(tmp_path: Path) -> None:
    assert findings(tmp_path, _PROGRAM.format(expanded="")) == [
        "cat: expected inputs of the same rank, got shape (1, ?) in input 0 and (b, n, ?) in input 1 [shape-mismatch]"
    ]


def test_a_correct_forward_of_a_mixin(tmp_path: Path) -> None:
    source = _PROGRAM.format(expanded=".expand(b, 1, -1)") + "Net(tokens=3, dim=8)(torch.rand(2, 5, 3))"
    execute(source)
    assert findings(tmp_path, source) == []


def test_a_mixin_of_several_modules(tmp_path: Path) -> None:
    source = """
        class Mixin:
            def forward(self, x): return self.head(self.body(x))

        class One(Mixin, nn.Module):
            def __init__(self, **options):
                super().__init__(**options)
                self.body, self.head = nn.Linear(4, 3), nn.Linear(3, 2)

        class Other(Mixin, nn.Module):
            def __init__(self):
                super().__init__()
                self.body = nn.Linear(4, 3)

            def head(self, x): return x @ torch.rand(3, 5)

        class Unfinished(Mixin, nn.Module):
            pass

        class Wrong(Mixin, nn.Module):
            def __init__(self):
                super().__init__()
                self.body, self.head = nn.Linear(4, 3), nn.Linear(5, 2)

        One()(x), Other()(x)
        """
    execute(source)
    assert findings(tmp_path, source) == [
        "Linear: expected the last dimension of the input to be 5, got 3 (weight of shape (2, 5)) [shape-mismatch]"
    ]


_SUBCLASS = """
class Blocks(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.Sequential(*[nn.Linear(one, two) for one, two in sizes])

    def forward(self, x: torch.Tensor):
        return self.layers(x)

class Head(Blocks):
    def __init__(self, width: int = 64):
        super().__init__([(32, width), ({}, 8)])
"""


def test_an_inherited_forward_runs_on_what_the_constructor_of_a_subclass_builds(tmp_path: Path) -> None:
    (finding,) = findings(tmp_path, _SUBCLASS.format("48"))
    assert finding == (
        "Linear: expected the last dimension of the input to be 48, got 64 (weight of shape (8, 48)) [shape-mismatch]"
    )


def test_an_inherited_forward_of_layers_that_match(tmp_path: Path) -> None:
    source = _SUBCLASS.format("width") + "Head()(torch.rand(2, 32))"
    execute(source)
    assert findings(tmp_path, source) == []
