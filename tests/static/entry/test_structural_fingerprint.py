"""Functions that build models: called with their defaults, and the forward of what they build is run."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest

from shapecheck.static import check
from shapecheck.static.entry.structural_fingerprint import structural_fingerprint

HEAD = """\
import functools
import torch
from torch import Tensor, nn

REGISTRY = {}

def register(function):
    REGISTRY[function.__name__] = function
    return function

def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        print(function.__name__)
        return function(*args, **kwargs)
    return wrapper

def changed(function):
    def wrapper(*args, **kwargs):
        return function(8, *args, **kwargs)
    return wrapper

class Net(nn.Module):
    def __init__(self, width, hidden, out=10):
        super().__init__()
        self.a = nn.Linear(width, hidden)
        self.b = nn.Linear(64, out)

    def forward(self, x):
        return self.b(self.a(x))  # HERE
"""

FOUND = {
    "a factory without parameters": "def small():\n    return Net(16, 32)\n",
    "a factory with options": "def small(pretrained=False, **kwargs):\n    return Net(16, 32, **kwargs)\n",
    "one that a registry holds": "@register\ndef small(**kwargs):\n    return Net(16, 32, **kwargs)\n",
    "one behind a wrapper that passes everything on": "@logged\ndef small(*, width=16):\n    return Net(width, 32)\n",
    "one of two that it gives": "def both():\n    return Net(16, 64), Net(16, 32)\n",
    "a default that is set for the model": (
        "def build(kwargs):\n    kwargs.setdefault('hidden', 32)\n    return Net(16, **kwargs)\n\n"
        "def small(**kwargs):\n    return build(kwargs)\n"
    ),
    "an option that only some set": (
        "def small(large=None, **kwargs):\n"
        "    if torch.rand(1) > 0.5:\n        kwargs['out'] = 5\n"
        "    return Net(16, 32, **kwargs)\n"
    ),
    "names that are gone through, of which there may be one more": (
        "def small(**kwargs):\n"
        "    names = ('hidden',)\n"
        "    if torch.rand(1) > 0.5:\n        names += ('out',)\n"
        "    for name in names:\n        if name == 'hidden':\n            kwargs.setdefault(name, 32)\n"
        "    return Net(16, **kwargs)\n"
    ),
    "a subclass that inherits forward": "class Wide(Net):\n    pass\n\ndef wide():\n    return Wide(16, 32)\n",
}

BLOCK = (
    "class Same(nn.Conv2d):\n    def __init__(self, a, b):\n        super().__init__(a, b, 3, stride=2, padding=1)\n\n"
    "class Valid(nn.Conv2d):\n    def __init__(self, a, b):\n        super().__init__(a, b, 3, stride=2)\n\n"
    "class Pair(nn.Module):\n    def __init__(self, conv{default}):\n        super().__init__()\n"
    "        self.conv, self.pool = conv(3, 8), nn.MaxPool2d(3, stride=2)\n\n"
    "    def forward(self, x):\n        return torch.cat([self.conv(x), self.pool(x)], 1)\n\n"
)

LAYER = (
    "class Padded(nn.Conv2d):\n    def __init__(self, a, b):\n        super().__init__(a, b, 3, padding=1)\n"
    "        self.padding = {padding}\n\n"
    "def run():\n    x = torch.zeros(2, 3, 8, 8)\n    return x + Padded(3, 3)(nn.functional.pad(x, (1, 1, 1, 1)))\n"
)

QUIET = {
    "an attribute of a layer that is set anew": LAYER.format(padding="(0, 0)"),
    "a rank that only remains": (
        "def norm(x):\n    if x.dim() == 5:\n        return x\n    if x.dim() == 4:\n        return x\n"
        "    return x.permute(0, 2, 1)\n\ndef run(x):\n    x = x.reshape(2, *x.shape, 1, 1, 1, 1)\n    return norm(x)\n"
    ),
    "a number that the project replaces": (
        "class Group(nn.Module):\n    def __init__(self, out, width=4):\n        super().__init__()\n"
        "        self.norm = nn.GroupNorm(32, width)\n\n    def forward(self, x):\n        return self.norm(x)\n\n"
        "def group():\n    return Group(8, 64)\n"
    ),
    "a kind of layer that the project replaces": BLOCK.format(default="=Same")
    + "def pair():\n    return Pair(Valid)\n",
    "one for which None stands": (
        BLOCK.format(default="=None").replace("conv(3, 8)", "(conv or Same)(3, 8)")
        + "def pair():\n    return Pair(conv=Valid)\n"
    ),
    "a function of any number of tensors": "def grid(*tensors):\n    return torch.meshgrid(*tensors)\n",
    "a list that a hook fills": (
        "def run(module, x):\n    out = []\n    def hook(m, i, o):\n        out.append(o)\n"
        "    module.register_forward_hook(hook)\n    module(x)\n    assert len(out) > 0\n"
    ),
    "a list of an object that a hook fills": (
        "class Hooks:\n    def __init__(self, module):\n        self.stats = {'a': []}\n"
        "        module.register(self.hook())\n\n"
        "    def hook(self):\n        def hook(m, i, o):\n            self.stats['a'].append(o)\n"
        "        return hook\n\n"
        "def run(module):\n    hooks = Hooks(module)\n    assert len(hooks.stats['a']) > 0\n"
    ),
    "a factory that is right": "def small():\n    return Net(16, 64)\n",
    "a width that somebody must give": "def small(hidden):\n    return Net(16, hidden)\n",
    "one of two that are built, which one is not known": (
        "def either():\n    return Net(16, 64) if torch.rand(1) > 0.5 else Net(16, 32)\n"
    ),
    "a wrapper that gives further arguments": "@changed\ndef small(hidden, width=16):\n    return Net(width, 64)\n",
    "a decorator that is not known": "import lib\n\n@lib.task\ndef small():\n    return Net(16, 32)\n",
    "an option that may be right": (
        "def small(**kwargs):\n    kwargs['hidden'] = 32\n"
        "    if torch.rand(1) > 0.5:\n        kwargs['hidden'] = 64\n    return Net(16, **kwargs)\n"
    ),
    "an option that may be taken out": (
        "class Other(Net):\n    def __init__(self, hidden=64):\n        super().__init__(16, hidden)\n\n"
        "def small():\n    kwargs = {'hidden': 32}\n"
        "    if torch.rand(1) > 0.5:\n        kwargs.pop('hidden')\n    return Other(**kwargs)\n"
    ),
}


def findings(tmp_path: Path, program: str) -> tuple[list[int], list[int]]:
    path = tmp_path / "program.py"
    path.write_text(HEAD + "\n" + program)
    marked = [number for number, line in enumerate(path.read_text().splitlines(), 1) if "# HERE" in line]
    return [one.line for one in check([path])], marked


def test_an_attribute_that_leaves_the_layer_wrong(tmp_path: Path) -> None:
    assert findings(tmp_path, LAYER.format(padding="(1, 1)"))[0] != []


def test_what_the_project_gives_for_a_default_is_wrong_as_well(tmp_path: Path) -> None:
    group = (
        "class Group(nn.Module):\n    def __init__(self, out, width=4):\n        super().__init__()\n"
        "        self.norm = nn.GroupNorm(32, width)\n\n    def forward(self, x):\n        return self.norm(x)\n\n"
    )
    assert findings(tmp_path, group + "def group(trainer):\n    trainer.fit(Group(8, 16))\n")[0] != []
    assert findings(tmp_path, group + "def group(trainer):\n    trainer.fit(Group(8, 96))\n")[0] == []


def test_what_forward_does_with_what_the_project_gives_is_wrong_as_well(tmp_path: Path) -> None:
    wide = (
        "class Wide(nn.Module):\n    def __init__(self, width=4):\n        super().__init__()\n"
        "        self.a, self.b = nn.Linear(8, width), nn.Linear(64, 2)\n\n"
        "    def forward(self, x):\n        return self.b(self.a(x))\n\n"
    )
    assert findings(tmp_path, wide + "def fit(trainer):\n    trainer.fit(Wide(16))\n")[0] != []
    assert findings(tmp_path, wide + "def fit(trainer):\n    trainer.fit(Wide(64))\n")[0] == []


HEADS = (
    "class Heads(nn.Module):\n    def __init__(self, sizes={default}, width=8):\n        super().__init__()\n"
    "        self.heads = nn.ModuleList(nn.Linear(width, size) for size in sizes)\n\n"
    "    def forward(self, x):\n        return torch.cat([head(x) for head in self.heads], 1)\n\n"
)


@pytest.mark.parametrize("default", ["()", "[]", "{}"])
def test_a_collection_that_is_empty_by_default_stands_for_another(default: str, tmp_path: Path) -> None:
    heads = HEADS.format(default=default)
    assert findings(tmp_path, heads)[0] == []
    assert findings(tmp_path, heads + "def fit(trainer):\n    trainer.fit(Heads(width=16))\n")[0] != []


def test_a_default_that_nothing_replaces_is_what_is_built(tmp_path: Path) -> None:
    assert findings(tmp_path, BLOCK.format(default="=Same"))[0] != []
    assert findings(tmp_path, BLOCK.format(default="=Same") + "def pair():\n    return Pair(Same)\n")[0] != []


@pytest.mark.parametrize("program", FOUND.values(), ids=FOUND)
def test_what_is_built_is_run(program: str, tmp_path: Path) -> None:
    found, marked = findings(tmp_path, program)
    assert found == marked


@pytest.mark.parametrize("program", QUIET.values(), ids=QUIET)
def test_what_may_be_right_is_quiet(program: str, tmp_path: Path) -> None:
    assert findings(tmp_path, program)[0] == []


def test_of_functions_in_a_registry_the_first_that_differ_are_run(tmp_path: Path) -> None:
    functions = "".join(f"@register\ndef net{n}():\n    return Net(16, {64 + n})\n\n" for n in range(3))
    assert findings(tmp_path, functions)[0] == []
    assert findings(tmp_path, functions.replace("@register\n", ""))[0] != []


ALIKE = [
    (
        "return make('a', pretrained, **dict(width=3, **kwargs))",
        "return make('b', pretrained, **dict(width=4, **kwargs))",
    ),
    ("return make(layers=[2, 2])", "return make(layers=[3, 4])"),
]
APART = [
    ("return make(block=Basic)", "return make(block=Bottleneck)"),
    ("return make(stem='deep')", "return make(stem='plain')"),
    ("return make(width=3)", "return make(width=3, depth=2)"),
    ("return make(Basic, 3)", "return make(Bottleneck, 3)"),
    ("return make(norm=True)", "return make(norm=False)"),
]


def kinds(bodies: tuple[str, str]) -> list[object]:
    return [structural_fingerprint(ast.parse(f"def f():\n{textwrap.indent(one, '    ')}").body[0]) for one in bodies]


@pytest.mark.parametrize("bodies", ALIKE)
def test_numbers_and_names_of_variants_make_no_other_variety(bodies: tuple[str, str]) -> None:
    one, other = kinds(bodies)
    assert one == other


@pytest.mark.parametrize("bodies", APART)
def test_options_do(bodies: tuple[str, str]) -> None:
    one, other = kinds(bodies)
    assert one != other
