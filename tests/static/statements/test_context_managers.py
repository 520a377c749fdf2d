"""Context managers of the project: what they change on entry and exit is not known inside and after the block."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from shapecheck.static import check

HEAD = """\
import contextlib
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        return self.fc(x)

def twice(self, x):
    return x, x

net = Net()
x = torch.zeros(3, 4)
"""
SWAP = """
        class Swap:
            def __init__(self, net):
                self.net = net

            def __enter__(self):
                self.old = self.net.fc
                self.net.fc = nn.Linear(7, 3)
                return self.old, self.net.fc

            def __exit__(self, *failure):
                self.net.fc = self.old
        """
QUIET = {
    "operators that a mode handles": """
        from torch.utils._python_dispatch import TorchDispatchMode

        class SameObject(TorchDispatchMode):
            def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                if func is torch.ops.aten.eq.Tensor:
                    return torch.tensor(args[0] is args[1])
                return func(*args, **(kwargs or {}))

        with SameObject():
            assert x == x
        """,
    "an attribute of an argument": """
        @contextlib.contextmanager
        def wide(net):
            old, net.fc = net.fc, nn.Linear(7, 3)
            try:
                yield
            finally:
                net.fc = old

        with wide(net):
            net(torch.zeros(2, 7))
        net(x)
        """,
    "setattr": """
        @contextlib.contextmanager
        def patched(target, name, value):
            old = getattr(target, name)
            setattr(target, name, value)
            yield target
            setattr(target, name, old)

        with patched(net, "fc", nn.Linear(7, 3)):
            net(torch.zeros(2, 7))
        with patched(Net, "forward", twice):
            first, second = net(x)
        """,
    "a method of a class": """
        @contextlib.contextmanager
        def patched():
            old = Net.forward
            Net.forward = twice
            yield
            Net.forward = old

        with patched():
            first, second = net(x)
        """,
    "a hook": """
        @contextlib.contextmanager
        def recorded(net):
            handle = net.register_forward_hook(lambda module, args, result: {"out": result})
            yield
            handle.remove()

        with recorded(net):
            net(x)["out"]
        """,
    "an object": SWAP
    + """
        with Swap(net):
            net(torch.zeros(2, 7))
        net(x)
        """,
    "the result of __enter__": SWAP
    + """
        with Swap(net) as (old, new):
            new(torch.zeros(2, 7)) + old(x).sum()
        """,
    "a return in the block": SWAP
    + """
        def run(net, x):
            with Swap(net):
                return net(x)

        run(net, torch.zeros(2, 7))
        net(x)
        """,
    "a class that an object changes": """
        class Patch:
            def __enter__(self):
                self.old = Net.forward
                Net.forward = twice

            def __exit__(self, *failure):
                Net.forward = self.old

        with Patch():
            first, second = net(x)
        """,
}
FOUND = {
    "operators after the block of a mode": """
        from torch.overrides import TorchFunctionMode

        class Counting(TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                return func(*args, **(kwargs or {}))

        with Counting():
            y = net(x)
        net(y)  # HERE
        """,
    "an object that changes nothing": """
        class Timer:
            def __enter__(self):
                self.started = 1
                return self

            def __exit__(self, *failure):
                self.started = 0

        with Timer() as timer:
            net(torch.zeros(2, 7))
        """,
    "a generator that changes nothing": """
        @contextlib.contextmanager
        def timer():
            yield 1

        with timer():
            net(torch.zeros(2, 7))
        """,
    "another object": SWAP
    + """
        with Swap(Net()):
            net(torch.zeros(2, 7))
        """,
    "what __enter__ returns": SWAP
    + """
        with Swap(net) as (old, new):
            old(torch.zeros(2, 7))
        """,
}


def _program(text: str) -> str:
    return HEAD + textwrap.dedent(text)


@pytest.mark.parametrize("name", QUIET)
def test_what_a_context_manager_changes_is_unknown(name: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(_program(QUIET[name]))
    assert check([path]) == []


@pytest.mark.parametrize("name", QUIET)
def test_torch_accepts_it(name: str) -> None:
    pytest.importorskip("torch")
    exec(_program(QUIET[name]), {"__name__": "program"})


@pytest.mark.parametrize("name", FOUND)
def test_the_rest_is_known(name: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(_program(FOUND[name]))
    assert [one.code for one in check([path])] == ["shape-mismatch"]
