"""Reads a specification in Markdown: prose, `python` blocks, and what mypy should say on a line.

`# revealed: T` wants `reveal_type` to print T; `# error: [code]` or `# error: [code] "part of the message"`
wants an error on that line. Several can stand in one comment. Anything else that mypy says fails the block.
Types are written without their modules. Each block is a file of its own, after the PRELUDE.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

PRELUDE = "import torch\nfrom torch import Tensor, nn\n"
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_REVEALED = re.compile(r"# revealed: (.+?)(?=\s+# (?:error|revealed):|$)")
_ERROR = re.compile(r'# error: \[([\w-]+)\](?: "([^"]+)")?')
_SAID = re.compile(r"^([^:\n]+):(\d+): (note|error): (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """One code block and the name it goes by: the file's, the heading's and a number."""

    name: str
    line: int
    code: str

    @property
    def file(self) -> str:
        return re.sub(r"\W+", "_", self.name).lower() + ".py"

    @property
    def source(self) -> str:
        return PRELUDE + self.code

    def expected(self) -> list[tuple[int, str, str]]:
        """Line in the source, kind, and the type or code with the part of a message."""
        wanted = []
        for number, line in enumerate(self.source.splitlines(), start=1):
            wanted += [(number, "revealed", found.strip()) for found in _REVEALED.findall(line)]
            wanted += [(number, "error", f"{code}|{part}") for code, part in _ERROR.findall(line)]
        return wanted


def blocks_of(path: Path) -> list[Block]:
    """The blocks of one specification."""
    text = path.read_text(encoding="utf-8")
    blocks: list[Block] = []
    for found in _BLOCK.finditer(text):
        heading = [match[1] for match in _HEADING.finditer(text, 0, found.start())][-1]
        name = f"{path.stem}-{heading}-{len(blocks)}"
        blocks.append(Block(name, text.count("\n", 0, found.start()) + 2, found[1]))
    return blocks


def said(output: str) -> dict[str, list[tuple[int, str, str]]]:
    """What mypy said, by file, in the form of `Block.expected`, without other notes."""
    result: dict[str, list[tuple[int, str, str]]] = {}
    for path, line, kind, message in _SAID.findall(output):
        if kind == "error":
            result.setdefault(path, []).append((int(line), "error", message))
        elif revealed := re.match(r'Revealed type is "(.*)"$', message):
            result.setdefault(path, []).append((int(line), "revealed", short(revealed[1])))
    return result


def short(typ: str) -> str:
    """A type without module names."""
    return re.sub(r"\b(?:\w+\.)+(?=\w)", "", typ).replace("?", "")


def mismatches(block: Block, found: list[tuple[int, str, str]]) -> list[str]:
    """Where mypy and the block differ, one line each."""
    left, problems = list(found), []
    for wanted in block.expected():
        match = next((item for item in left if _fits(wanted, item)), None)
        if match is None:
            problems.append(f"line {wanted[0]}: wanted {wanted[1]} {wanted[2]}")
        else:
            left.remove(match)
    return problems + [f"line {line}: not wanted: {kind} {text}" for line, kind, text in left]


def _fits(wanted: tuple[int, str, str], found: tuple[int, str, str]) -> bool:
    if wanted[:2] != found[:2]:
        return False
    if wanted[1] == "revealed":
        return wanted[2] == found[2]
    code, _, part = wanted[2].partition("|")
    return found[2].endswith(f"[{code}]") and part in found[2]
