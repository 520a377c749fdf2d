"""A program of several files that observe one another in many ways, and without findings."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "pkg/__init__.py": "from .net import Net, Deep\nfrom .layers import *\n",
    "pkg/sizes.py": """\
WIDTH = 8
DEPTH = 2
_HIDDEN = WIDTH * 2
OPTIONS = {"depth": DEPTH}


def doubled(size):
    return size * 2


def halved(size):
    return size // 2


if DEPTH > 1:
    LIMIT = 3
else:
    LIMIT = 4
""",
    "pkg/layers.py": """\
import torch
from torch import nn

import pkg.sizes as sizes
from .sizes import WIDTH, doubled

REGISTRY = {}
NAMES = ["a", "b"]


def register(cls):
    REGISTRY[cls.__name__] = cls
    return cls


def traced(function):
    def inner(*args):
        return function(*args)

    return inner


def padded(x, by=1):
    # (n, d)
    return torch.cat([x, torch.zeros(x.shape[0], by)], dim=1)


@traced
def flattened(x):
    return x.flatten(1)


class Block(nn.Module):
    scale = 1

    def __init__(self, width=WIDTH):
        super().__init__()
        self.width = width
        self.inner = nn.Linear(width, doubled(width))
        self.extra = None
        self.fused = False

    def forward(self, x):
        if self.fused:
            return x
        return self.scaled(self.inner(x))

    def scaled(self, x):
        return x * self.scale

    def deploy(self):
        self.extra = nn.Linear(self.width, sizes.DEPTH)
        return self


@register
class Wide(Block):
    def forward(self, x):
        return padded(super().forward(x), 1)


def fuse(net):
    for one in net.modules():
        one.fused = True


register(nn.Identity)
""",
    "pkg/net.py": """\
import torch
from torch import nn

from .layers import REGISTRY, Block, Wide, flattened
from .sizes import OPTIONS, WIDTH


class Net(nn.Module):
    def __init__(self, block=Block):
        super().__init__()
        self.first = block()
        self.last = nn.Linear(2 * WIDTH, 3)

    def forward(self, x):
        return self.last(self.first(flattened(x)))


class Deep(Net):
    def __init__(self):
        super().__init__()
        self.again = nn.Linear(3, WIDTH)

    def forward(self, x):
        return super().forward(self.again(super().forward(x)))


def build(name):
    return REGISTRY[name]()


def depth():
    return OPTIONS["depth"]
""",
    "use.py": """\
import torch
from pkg import Net, padded

out = Net()(torch.zeros(2, 8))
out + padded(torch.zeros(2, 2))
""",
    "by_attribute.py": """\
import torch
import pkg.sizes
import pkg.layers as layers


def run():
    x = torch.zeros(4, pkg.sizes.WIDTH)
    return layers.Block()(x) @ torch.zeros(pkg.sizes.doubled(8), 3)


def chosen(name):
    return getattr(layers, name)


run()
torch.zeros(pkg.sizes.LIMIT)
""",
    "subclass.py": """\
import torch
from pkg.layers import Block


class Mine(Block):
    scale = 2

    def __init__(self):
        super().__init__(4)

    def forward(self, x):
        y = super().forward(x)
        return y + torch.zeros(8)


Mine().deploy()
""",
    "chained.py": """\
from pkg.net import WIDTH as SIZE
from pkg.net import Deep, depth
from use import out

import torch


def made():
    return torch.zeros(SIZE, depth())


made() @ torch.zeros(2, 4)
out.view(-1)
""",
    "pkg/stated.py": """\
import torch
from torch import nn


class Hooked:
    names = ["a"]

    def __init_subclass__(cls):
        Hooked.names.append(cls.__name__)


class Stated(nn.Module):
    def forward(self, x):
        '''Multiplies.

        Args:
            x: Tensor of shape (n, 8).
        '''
        # x: n, 8
        return x @ torch.zeros(8, 3)
""",
    "of_stated.py": """\
import torch
from pkg.stated import Hooked, Stated


class Own(Stated, Hooked):
    def forward(self, x):
        return x @ torch.zeros(8, 2)


class Other(Stated):
    def forward(self, x):
        return super().forward(x) @ torch.zeros(3, len(Hooked.names))
""",
    "test_net.py": """\
import torch
from pkg.net import Deep, build


def test_deep():
    assert Deep()(torch.zeros(5, 8)).shape == (5, 3)
    build("Wide")
""",
}
NEW: Mapping[str, str] = {
    "pkg/extra.py": "from .layers import Block\n\n\nclass Extra(Block):\n    pass\n",
    "sizes.py": "WIDTH = 3\n",
    "pkg/layers/__init__.py": "WIDTH = 3\n",
    "pkg/depth.py": "from .layers import REGISTRY\n\nREGISTRY['x'] = 3\n",
    "pyproject.toml": "[tool.shapecheck.check]\nignore = ['shape-mismatch']\n",
}
"""Files that may appear: a class, names that precede others in searches for imports, and a configuration."""
