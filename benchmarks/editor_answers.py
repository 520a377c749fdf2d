"""What language servers show of ten lines of a model without annotations.

python -m benchmarks.editor_answers --rivals DIRECTORY [--save]

The answers are those of the servers with their default settings, after they have read the file: inlay hints in the
lines, hover on the assigned names, and diagnostics. DIRECTORY has the environments of the other servers.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks import store
from benchmarks.environments import versions
from benchmarks.language_servers import OURS, LanguageServer, Message, NoAnswer, Session, rivals

BEFORE = "import torch\nfrom torch import nn\n\n\n"
LINES = """\
class Head(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(48, 10)
    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        mixed = (q @ k.transpose(1, 2)).softmax(-1) @ v
        return self.out(mixed)
"""
HOVERED = ("q", "mixed")
PATIENCE = 30.0
"""Seconds until the first diagnostics, if a server publishes any."""
QUIET = 5.0
"""Seconds without further diagnostics after which those that came count as all."""
_SEVERITIES = {1: "error", 2: "warning", 3: "information", 4: "hint"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rivals", type=Path, metavar="DIRECTORY", required=True)
    store.add_option(parser)
    arguments = parser.parse_args()
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder).resolve() / "model.py"
        (file.parent / "pyproject.toml").touch()
        file.write_text(BEFORE + LINES)
        for server in (OURS, *rivals(arguments.rivals)):
            found[server.name] = one = asyncio.run(answers(server, file))
            print(f"{server.name}: {one}")
    store.keep(arguments.save, "editor_answers", {"servers": found}, ["shapecheck"], [])


async def answers(server: LanguageServer, file: Path) -> dict[str, Any]:
    """The lines with hints, the hovers by name, and the diagnostics by severity and message."""
    session = Session(file, server)
    version = versions(server.python, [server.package]).get(server.package, "")
    try:
        await session.start()
        if await session.published(PATIENCE):
            while await session.published(QUIET):
                pass
        shown = with_hints(session.text, await session.hints())[len(BEFORE.splitlines()) :]
        hovers = {name: _plain(await _hover(session, name)) for name in HOVERED}
        found = Counter(_SEVERITIES[one.get("severity", 1)] for one in session.diagnostics)
        errors = [
            {"line": one["range"]["start"]["line"] + 1 - BEFORE.count("\n"), "message": one["message"].splitlines()[0]}
            for one in session.diagnostics
            if one.get("severity", 1) == 1 or server is OURS
        ]
    except NoAnswer as error:
        return {"version": version, "silent": str(error)}
    finally:
        await session.stop()
    return {"version": version, "lines": shown, "hover": hovers, "counts": dict(found), "errors": errors}


def with_hints(text: str, hints: list[Message]) -> list[str]:
    """The lines with the hints in them, between « and »."""
    lines = text.splitlines()
    for one in sorted(hints, key=lambda one: (one["position"]["line"], one["position"]["character"]), reverse=True):
        label = one["label"]
        shown = label if isinstance(label, str) else "".join(part["value"] for part in label)
        line, column = one["position"]["line"], one["position"]["character"]
        lines[line] = f"{lines[line][:column]}«{shown}»{lines[line][column:]}"
    return lines


async def _hover(session: Session, name: str) -> str:
    lines = session.text.splitlines()
    place = re.compile(rf"^\s*{name}\b[^=]*=")
    line = next(number for number, one in enumerate(lines) if place.match(one))
    return await session.hover(line, lines[line].index(name))


def _plain(markdown: str) -> str:
    """The first code of a hover, on one line."""
    code = re.search(r"```\w*\n(.*?)```", markdown, re.DOTALL)
    return " ".join((code[1] if code else markdown).split())


if __name__ == "__main__":
    main()
