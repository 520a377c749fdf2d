"""Caches of mypy that know torch, which takes mypy longer to read than all that a test has of its own."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.shared import made_once

SEED = "import torch\nfrom torch import nn\n"
PLUGIN = "plugins = shapecheck.mypy"
INTERNALS = "_dynamo _export _functorch _higher_order_ops _inductor ao distributed export fx onnx".split()
WITHOUT_INTERNALS = f"[mypy-{','.join(f'torch.{name}.*' for name in INTERNALS)}]\nfollow_imports = skip"
"""The last lines of a configuration for code that uses only layers and tensors.

mypy then reads half of torch's modules, in a third of the time.
"""


def configuration(*options: str) -> str:
    """The content of a `mypy.ini` with these lines."""
    return "\n".join(("[mypy]", *options, ""))


def cache_with_torch(factory: pytest.TempPathFactory, *options: str) -> Path:
    """The cache for these lines of mypy's configuration, to be copied. With other lines mypy reads torch anew."""

    def read_torch(folder: Path) -> None:
        (folder / "mypy.ini").write_text(configuration(*options))
        (folder / "seed.py").write_text(SEED)
        flags = ["--cache-fine-grained"] if PLUGIN in options else []  # for the tests of the daemon
        command = [sys.executable, "-m", "mypy", "--no-error-summary", *flags, "--cache-dir", "cache", "seed.py"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=PATIENCE)
        assert done.returncode == 0, done.stdout + done.stderr

    name = hashlib.sha256(configuration(*options).encode()).hexdigest()[:8]
    return made_once(factory, f"torch-{name}", read_torch) / "cache"
