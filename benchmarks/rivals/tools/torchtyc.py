"""torchtyc traces annotated functions on meta tensors; told of an entry point, `check` runs that on them, too."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.rivals.tool import Said, Tool, by_file, report

SECONDS_EACH = 30


def _check(python: Path, root: Path, files: Sequence[Path]) -> Said:
    names = [path.relative_to(root).as_posix() for path in files]
    settings = f"[tool.torchtyc]\ntimeout = 3000.0\nrun-timeout = {SECONDS_EACH}.0\nrun = {json.dumps(names)}\n"
    (root / "pyproject.toml").write_text(settings)
    argv = [str(python.parent / "torchtyc"), "check", "--format", "json", "--severity", "error", *names]
    found = report(argv, root)["diagnostics"]
    return by_file(files, ((root / one["path"], one["line"] + 1, f"{one['message']} [{one['rule']}]") for one in found))


TOOL = Tool(
    "torchtyc",
    _check,
    ("torchtyc[einops]", "torch", "jaxtyping==0.3.11", "beartype", "numpy"),
    runs=True,
    every=12,
)
