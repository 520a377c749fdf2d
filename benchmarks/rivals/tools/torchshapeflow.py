"""TorchShapeFlow: reads `Annotated[Tensor, Shape(...)]`, so jaxtyping's annotations are written in its words first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from benchmarks.rivals.tool import Said, Tool, by_file, report

_HINT = re.compile(r'\b(?:Float|Int|Bool|Shaped|Integer|Num|Inexact|Float32)\[Tensor, f?"([^"]*)"\]')
_IMPORT = re.compile(r"^import torch\b.*$", re.MULTILINE)


def translated(source: str) -> str:
    """The same lines with its annotations; axes that it has no words for leave the annotation out."""
    text, count = _HINT.subn(lambda match: _shape(match[1]), source)
    more = "; from typing import Annotated; from torchshapeflow import Shape"
    return _IMPORT.sub(lambda match: match[0] + more, text, count=1) if count else source


def _shape(axes: str) -> str:
    if re.search(r"[*#?{]|\.\.\.|=", axes) or not axes:
        return "Tensor"
    return f"Annotated[Tensor, Shape({', '.join(axis if axis.isdigit() else repr(axis) for axis in axes.split())})]"


def _check(python: Path, root: Path, files: Sequence[Path]) -> Said:
    sources = {path: path.read_text() for path in files}
    for path, source in sources.items():
        path.write_text(translated(source))
    found = report([str(python.parent / "tsf"), "check", "--json", "."], root)["files"]
    for path, source in sources.items():
        path.write_text(source)
    return by_file(
        files,
        (
            (root / one["path"], said["line"], said["message"])
            for one in found
            for said in one["diagnostics"]
            if said.get("severity", "error") == "error"
        ),
    )


TOOL = Tool("TorchShapeFlow", _check, ("torchshapeflow",))
