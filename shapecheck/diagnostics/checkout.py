"""The path of a file within the GitHub checkout, which annotations and alerts use."""

from __future__ import annotations

import os


def path_in_checkout(path: str) -> str:
    """The path from the root of the checkout; outside of it, and outside of GitHub Actions, the path as it is."""
    root = os.environ.get("GITHUB_WORKSPACE")
    if not root:
        return path
    root, file = os.path.realpath(root), os.path.realpath(path)
    inside = file.startswith(os.path.join(root, ""))  # noqa: PTH118 - Path would lose the separator at the end
    return os.path.relpath(file, root) if inside else path


def with_slashes(path: str) -> str:
    """The path as services and URIs write it, on every system."""
    return path.replace(os.sep, "/")
