"""Properties with a setter: assigning runs the setter, and reading the getter."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.calls.programs import execute, findings

_NET = """
class Net(nn.Module):
    def __init__(self, size):
        super().__init__()
        self._size = None
        self.size = size

    @property
    def size(self): return self._size

    @size.setter
    def size(self, value): self._size = value + 1

    @size.deleter
    def size(self): self._size = None

    def forward(self, x):
        if self.size is None:
            return x.view(5)
        return x.view(self.size, -1)

"""


@pytest.mark.parametrize("use", ["Net(3)(x)", "net = Net(1)\nnet.size = 7\nnet(x)", "Net(3)(x).view(4, 2)"])
def test_what_python_accepts_is_not_reported(use: str, tmp_path: Path) -> None:
    execute(_NET + use)
    assert findings(tmp_path, _NET + use) == []


@pytest.mark.parametrize(("use", "size"), [("Net(2)(x)", 3), ("net = Net(1)\nnet.size = 4\nnet(x)", 5)])
def test_the_value_is_what_the_setter_stores(use: str, size: int, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):
        execute(_NET + use)
    [message] = findings(tmp_path, _NET + use)
    assert message.startswith(f"view: shape ({size}, -1) is invalid for input of shape (2, 4)")


def test_a_subclass_may_add_a_setter(tmp_path: Path) -> None:
    source = """
        class Base:
            _size = 3
            @property
            def size(self): return self._size

        class Net(Base):
            @Base.size.setter
            def size(self, value): self._size = 2 * value

        net = Net()
        net.size = 2
        x.view(net.size, -1)
        """
    execute(source)
    assert findings(tmp_path, source) == []


_CACHED = """
class Net(nn.Module):
    width = 4

    @functools.cached_property
    def fc(self): return nn.Linear(self.width, 3)

    def forward(self, x): return self.fc(x)

net = Net()
"""


@pytest.mark.parametrize(
    "use", ["net(x)\nnet.width = 5\nnet(x)", "net.width = 5\nnet(torch.rand(2, 5))", "net(x)\ndel net.fc\nnet(x)"]
)
def test_a_cached_property_is_computed_once(use: str, tmp_path: Path) -> None:
    execute(_CACHED + use)
    assert findings(tmp_path, _CACHED + use) == []


def test_a_cached_property_keeps_the_first_value(tmp_path: Path) -> None:
    source = f"{_CACHED}net(x)\nnet.width = 5\nnet(torch.rand(2, 5))\n"
    with pytest.raises(RuntimeError):
        execute(source)
    [message] = findings(tmp_path, source)
    assert message.startswith("Linear: expected the last dimension of the input to be 4, got 5")
