"""The names under which other modules still import `Run` and its limits."""

from __future__ import annotations

from shapecheck.static.engine.budget import MOST_DEPTH, MOST_STEPS, OutOfSteps
from shapecheck.static.engine.run import Run as Machine

__all__ = ["MOST_DEPTH", "MOST_STEPS", "Machine", "OutOfSteps"]
