"""The version of the plugin that mypy stores with its cache: a digest of all sources that can change its output."""

from __future__ import annotations

from shapecheck.project.source_digest import sources_digest

_USED = ("conditions", "config", "diagnostics", "mypy", "ops", "project", "selection.py", "spec", "static")
"""What can change the types and findings: files and folders of the package."""
_known: dict[str, str] = {}


def source_version(memo: str = "") -> str:
    """The digest, computed once. `memo` is a file in which it is kept for later runs."""
    if not _known:
        _known[""] = sources_digest(_USED, memo)
    return _known[""]
