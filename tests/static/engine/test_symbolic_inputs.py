"""Code that is run alone: what layers and operators demand of its arguments is learnt of them."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import CODES, HEAD


def module(init: str, forward: str, arguments: str = "self") -> str:
    return (
        f"class Net(nn.Module):\n    def __init__({arguments}):\n        super().__init__()\n"
        + textwrap.indent(textwrap.dedent(init).strip(), " " * 8)
        + "\n\n    def forward(self, x):\n"
        + textwrap.indent(textwrap.dedent(forward).strip(), " " * 8)
        + "\n"
    )


CONV = "self.conv = nn.Conv2d(3, 8, 3)"
NORMED = f"{CONV}\nself.norm = nn.BatchNorm2d(8)"
REGISTER = """
def register(cls):
    known[cls.__name__] = cls
    return cls

"""

FOUND = {
    "an image goes through a layer that takes no other": module(
        NORMED, "y = self.norm(self.conv(x))\nreturn y.permute(1, 2, 0)  # HERE"
    ),
    "neither with its batch axis nor without": module(CONV, "return self.conv(x).permute(1, 0)  # HERE"),
    "the input again, after the layer that taught it": module(
        f"{NORMED}\nself.other = nn.Conv2d(4, 8, 1)", "y = self.norm(self.conv(x))\nreturn y, self.other(x)  # HERE"
    ),
    "the input of a function that forward calls": "def half(x):\n    return x.permute(0, 2, 3, 1)\n\n"
    + module("pass", "y = half(x)\nreturn x.transpose(1, 4)  # HERE"),
    "parts of the input with different sizes": (
        "def f(x):\n    y = torch.bmm(x[2:], torch.zeros(4, 5, 6))\n"
        "    return y, torch.bmm(x[:4], torch.zeros(4, 7, 6))  # HERE\n"
    ),
    "names of sizes": module("pass", "b, t, c = x.shape\nreturn x.permute(0, 1)  # HERE"),
    "a dtype that nobody knows": module(
        "self.a = nn.Linear(4, 8, dtype=dtype)",
        "return self.a(torch.zeros(2, 5))  # HERE",
        "self, width, dtype=None",
    ),
    "defaults beside keywords that may be any": module(
        "self.a = nn.Linear(4, hidden)\nself.b = nn.Linear(6, 1)",
        "return self.b(self.a(x))  # HERE",
        "self, hidden=8, **more",
    ),
    "an identity between": module(
        "self.a = nn.Linear(4, 8)\nself.id = nn.Identity()", "return self.a(self.id(torch.zeros(2, 5)))  # HERE"
    ),
    "a class that is entered somewhere": REGISTER
    + "@register\n"
    + module("self.a = nn.Linear(4, 8)", "return self.a(torch.zeros(2, 5))  # HERE"),
}

QUIET = {
    "an input that works without a batch, and is kept in a buffer": """
class Net(nn.Module):
    def __init__(self, tokens, width):
        super().__init__()
        self.mlp = nn.Linear(tokens, tokens)
        self.register_buffer("bank", torch.zeros(0, tokens, width))

    def loss(self, x):
        padded = F.pad(x, (0, 0, 3, 0), mode="replicate")
        self.bank = torch.cat([self.bank, x.detach()])
        return self.mlp(x.permute(0, 2, 1)), padded
""",
    "an image without its batch axis": module(CONV, "return self.conv(x).permute(1, 2, 0)"),
    "a sequence without its batch axis": module(
        "self.rnn = nn.LSTM(4, 8)", "y, _ = self.rnn(x)\nb, c = y.shape\nreturn y"
    ),
    "states without a batch axis, of a layer with the batch first": module(
        "self.rnn = nn.LSTM(4, 8, 2, batch_first=True)\nself.other = nn.GRU(8, 8, 2, batch_first=True)",
        "h = torch.zeros(2, 8)\ny, (h, c) = self.rnn(x, (h, h))\nreturn self.other(y, h)",
    ),
    "a layer on one way alone": module(
        f"{NORMED}\nself.deep = deep",
        "if self.deep:\n    x = self.norm(self.conv(x))\nreturn x.permute(1, 0)",
        "self, deep",
    ),
    "a layer after another way out": module(
        f"{NORMED}\nself.deep = deep",
        "if self.deep:\n    return x.permute(1, 0)\nreturn self.norm(self.conv(x))",
        "self, deep",
    ),
    "a layer of two": module(
        f"{NORMED}\nself.stem = self.norm if deep else nn.Linear(4, 8)",
        "y = self.stem(x)\nreturn x.permute(1, 0)",
        "self, deep",
    ),
    "what an error is waited for": module(
        NORMED, "try:\n    y = self.norm(self.conv(x))\nexcept RuntimeError:\n    y = x\nreturn x.permute(1, 0)"
    ),
    "sizes that nobody knows": module(
        f"{NORMED}\nself.fc = nn.Linear(8, 10)", "return self.fc(self.norm(self.conv(x)).flatten(1))"
    ),
    "two widths that nobody knows": module(
        "self.a = nn.Linear(width, hidden)\nself.b = nn.Linear(width, 1)",
        "return self.b(self.a(x))",
        "self, width, hidden",
    ),
    "None by default, which the caller replaces": module(
        "self.a = nn.Linear(width, 2 * width)\nself.skip = skip",
        "y = self.a(x)\nreturn y + (x if self.skip is None else self.skip(x))",
        "self, width: int, skip=None",
    ),
    "a decorator that gives back another class": "def wrap(cls):\n    return Other\n\n@wrap\n"
    + module("self.a = nn.Linear(4, 8)", "return self.a(torch.zeros(2, 5))"),
    "a slice of a list of tensors": "def f(xs):\n    return [x.mean() for x in xs[:3]], torch.stack(xs[:3])\n",
    "a slice of sizes": "def f(shape, x):\n    return torch.zeros(shape[:2]).permute(0, 1), x.reshape(shape[1:])\n",
    "a mode that the caller compares with a number": """
def shaped(x, mode):
    if mode == 1:
        x = x.view(2, 3)
    return x

def f(mode):
    return shaped(torch.zeros(5), mode)
""",
    "a number where a tensor could be": "def f(x, eps):\n    return torch.zeros(3).clamp(min=eps) + x\n",
}


def found(program: str, folder: Path) -> list[int]:
    path = folder / "program.py"
    path.write_text(HEAD + program)
    return [one.line for one in check([path], codes=CODES)]


@pytest.mark.parametrize("program", FOUND.values(), ids=FOUND)
def test_what_fails_for_every_input_is_found(program: str, tmp_path: Path) -> None:
    lines = (HEAD + program).splitlines()
    assert found(program, tmp_path) == [number for number, line in enumerate(lines, 1) if "# HERE" in line]


@pytest.mark.parametrize("program", QUIET.values(), ids=QUIET)
def test_what_works_for_some_input_is_quiet(program: str, tmp_path: Path) -> None:
    assert found(program, tmp_path) == []
