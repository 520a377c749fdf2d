"""What a measurement returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import torch


class NeedsGPU(Exception):
    """The measurement, or the rest of it, has no meaning on this device; the message is the reason."""


@dataclass
class Figures:
    """What was measured, what contradicts a claim, and what could not be measured here."""

    measured: dict[str, Any] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def expect(self, holds: bool, problem: str) -> None:
        """Adds a problem unless the claim holds."""
        if not holds:
            self.problems.append(problem)


def is_gpu(device: torch.device) -> bool:
    return device.type == "cuda"
