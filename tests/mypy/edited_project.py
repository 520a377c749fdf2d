"""A small project whose files each have several texts, so that edits of it can be drawn at random.

`use` sees all the others only through what it imports: a number in a constructor, a dim string, the body of a helper, a
module that comes and goes. A text of None is a file that is not there.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

STUBS = {
    "torch/__init__.pyi": """\
from typing import Any
from torch import nn as nn
class Tensor:
    def __matmul__(self, other: Tensor) -> Tensor: ...
    def __add__(self, other: Tensor) -> Tensor: ...
    def __mul__(self, other: Tensor) -> Tensor: ...
def zeros(*size: int) -> Tensor: ...
""",
    "torch/nn/__init__.pyi": """\
from typing import Any, Callable
class Module:
    def __init__(self) -> None: ...
    __call__: Callable[..., Any]
class Linear(Module):
    def __init__(self, fan_in: int, fan_out: int) -> None: ...
""",
    "jaxtyping.pyi": "from typing import Annotated as Float\n__all__ = ['Float']\n",
}
"""As much of torch as the project needs: mypy reads it in no time, and the plugin knows torch by itself."""

PARTS = """\
import torch
from jaxtyping import Float
from torch import Tensor
from settings import WIDTH

def make(rows: int) -> Tensor:
    return torch.zeros(rows, {made})

def add(x: Float[Tensor, "n d"], y: Float[Tensor, "{dims}"]) -> {result}:
    return x

def untyped(x):
    return x + torch.zeros({untyped})
"""
NET = """\
import torch
from torch import Tensor, nn
import parts

class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear({first}, 4)
        self.second = nn.Linear({second}, 2)

    def forward(self, x: Tensor) -> Tensor:
        return self.second(self.first({given}))
"""
USE = """\
import torch
import middle
from net import Net
from package import scaled
{imports}

def untyped():
    return middle.build() @ torch.zeros(8, 2){comment}

def typed() -> None:
    middle.add(torch.zeros(2, {width}), torch.zeros(2, 8)){second_comment}
    Net()(torch.zeros(2, 8))
    scaled(torch.zeros(3))

{last}
"""
EXTRA = """
from extra import SIZE
torch.zeros(SIZE) + torch.zeros(4)
"""
TEXTS: Mapping[str, list[str | None]] = {
    "settings.py": ["WIDTH = 8\n", "WIDTH = 9\n", "WIDTH = (\n", "WIDTH = 8\nDEPTH = 'a' + 1\n"],
    "parts.py": [
        PARTS.format(made="WIDTH", dims="n d", result="Tensor", untyped="2, 8"),
        PARTS.format(made="3", dims="n d", result="Tensor", untyped="2, 8"),
        PARTS.format(made="WIDTH", dims="n e", result="Tensor", untyped="3, 8"),
        PARTS.format(made="WIDTH", dims="d n", result="int", untyped="2, 8"),
    ],
    "middle.py": [
        "from parts import *\ndef build():\n    return untyped(make(2))\n",
        "from parts import add, make\ndef build():\n    return make(2)\n",
        "import parts\nfrom parts import add\ndef build():\n    return parts.make(2)\n",
    ],
    "net.py": [
        NET.format(first=8, second=4, given="x"),
        NET.format(first=8, second=5, given="x"),
        NET.format(first=7, second=4, given="x"),
        NET.format(first=8, second=4, given="parts.untyped(x)"),
    ],
    "package/__init__.py": [
        "from .inner import scaled as scaled\n",
        "from . import inner\ndef scaled(x):\n    return inner.scaled(x)\n",
    ],
    "package/inner.py": [
        "import torch\ndef scaled(x):\n    return x * torch.zeros(3)\n",
        "import torch\ndef scaled(x):\n    return x * torch.zeros(4)\n",
        "import torch\ndef scaled(x):\n    return x * torch.zeros(4)  # shapecheck: ignore[shape-mismatch]\n",
    ],
    "extra.py": [None, "SIZE = 4\n", "SIZE = 5\n"],
    "use.py": [
        USE.format(imports="", comment="", width=8, second_comment="", last=""),
        USE.format(imports="", comment="  # type: ignore[shape-mismatch]", width=8, second_comment="", last=""),
        USE.format(imports="", comment="", width=7, second_comment="", last="raise SystemExit"),
        USE.format(imports="", comment="", width=7, second_comment="  # type: ignore", last=""),
        USE.format(imports=EXTRA, comment="", width=8, second_comment="", last=""),
        USE.format(imports=EXTRA, comment="", width="'a'", second_comment="", last="typed()"),
        None,
    ],
}
"""The first texts of all files make a project without errors."""

State = dict[str, int]
CLEAN: State = dict.fromkeys(TEXTS, 0)


def write_stubs(folder: Path) -> Path:
    for name, text in STUBS.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def write(folder: Path, state: State) -> None:
    for name, number in state.items():
        path, text = folder / name, TEXTS[name][number]
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            path.unlink(missing_ok=True)
        elif not path.exists() or path.read_text() != text:
            written = path.stat().st_mtime + 2 if path.exists() else path.parent.stat().st_mtime
            path.write_text(text)
            os.utime(path, (written, written))  # mypy compares size and whole seconds before it compares text
