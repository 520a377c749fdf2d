"""TorchFix: a linter for calls of torch that are deprecated or unsafe; all of its rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from benchmarks.rivals.tool import Said, Tool, by_file, output

_LINE = re.compile(r"^(.+?):(\d+):\d+: (.+)$", re.MULTILINE)


def _check(python: Path, root: Path, files: Sequence[Path]) -> Said:
    text = output([str(python.parent / "torchfix"), "--select", "ALL", "."], root)
    return by_file(files, ((root / name, int(line), said) for name, line, said in _LINE.findall(text)))


TOOL = Tool("TorchFix", _check, ("torchfix",))
