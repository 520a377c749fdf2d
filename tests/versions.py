"""Tests of what only newer versions of torch have."""

from __future__ import annotations

import pytest
import torch

TORCH = tuple(map(int, torch.__version__.split("+")[0].split(".")[:2]))


def since(major: int, minor: int, why: str) -> pytest.MarkDecorator:
    """Skips before a version of torch."""
    return pytest.mark.skipif((major, minor) > TORCH, reason=f"torch before {major}.{minor}: {why}")
