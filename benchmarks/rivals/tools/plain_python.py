"""Python itself: what a run shows without any tool."""

from __future__ import annotations

from benchmarks.rivals.tool import Tool
from benchmarks.rivals.tools.driven import under

TOOL = Tool("no tool, program run only", under("plain"), runs=True, every=12)
