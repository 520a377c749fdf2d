"""torchtyping: its own annotations, checked by typeguard 2; asked first whether it takes a call that is right."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from benchmarks.rivals.tool import Said, Tool, Unusable

TRY = """
import torch
from torchtyping import TensorType, patch_typeguard
from typeguard import typechecked

patch_typeguard()


@typechecked
def rows(x: TensorType["b", "c"], y: TensorType["b", "c"]) -> TensorType["b"]:
    return (x * y).sum(1)


rows(torch.zeros(2, 3), torch.zeros(2, 3))
"""


def _check(python: Path, root: Path, files: Sequence[Path]) -> Said:
    done = subprocess.run([str(python), "-c", TRY], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unusable(f"rejects a correct call: {done.stderr.strip().splitlines()[-1]}")
    raise Unusable("works here, but takes none of the annotations of these programs")


TOOL = Tool("torchtyping", _check, ("torchtyping", "typeguard<3", "torch", "numpy"), runs=True)
