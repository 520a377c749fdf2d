"""The names under which package indexes have us, and another package with the name of our import."""

from __future__ import annotations

from importlib.metadata import distributions

DISTRIBUTION = "torch-shapecheck"
"""What pip installs, as in pyproject.toml. The import and the command are `shapecheck`."""

_OTHER = "shapecheck"
"""A package by other authors, which has files in the same directory of site-packages."""
_REPAIR = f"pip uninstall -y {_OTHER} && pip install --force-reinstall --no-deps {DISTRIBUTION}"
"""The removal also deletes those of our files that have the same names."""


def conflict() -> str | None:
    """That the other package is installed here, and how to remove it, in one line; None if it is not."""
    for found in distributions(name=_OTHER):
        # Ours had this name before it was published, and a checkout may still be installed under it.
        if not any(one.value.startswith("shapecheck.cli:") for one in found.entry_points):
            return f"a different package, {_OTHER} {found.version}, is installed too; run: {_REPAIR}"
    return None
