"""The path of a file within the checkout of a CI service, which annotations and alerts use, and links to its lines."""

from __future__ import annotations

import os
import re
from urllib.parse import quote

_ROOTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")
"""The variables in which GitHub and GitLab name the root of the checkout."""


def path_in_checkout(path: str) -> str:
    """The path from the root of the checkout; outside of it, and outside of a CI service, the path as it is."""
    root = next((one for name in _ROOTS if (one := os.environ.get(name))), None)
    if not root:
        return path
    root, file = os.path.realpath(root), os.path.realpath(path)
    inside = file.startswith(os.path.join(root, ""))  # noqa: PTH118 - Path would lose the separator at the end
    return os.path.relpath(file, root) if inside else path


def with_slashes(path: str) -> str:
    """The path as services and URIs write it, on every system."""
    return path.replace(os.sep, "/")


def file_of(path: str) -> str:
    """The file of a path that may name a cell of a notebook, `a.ipynb:cell 3`."""
    return re.sub(r"(?<=\.ipynb):cell \d+$", "", path)


def link(path: str, line: int) -> str | None:
    """The address of a line at the commit that a job of GitHub or GitLab checks; None elsewhere.

    Of a cell, it is the address of the notebook, because services do not number the lines of cells.
    """
    address = _commit()
    file = with_slashes(path_in_checkout(file_of(path)))
    if address is None or os.path.isabs(file) or file.startswith("../"):  # noqa: PTH117 - only the text matters
        return None
    anchor = f"#L{line}" if file_of(path) == path else ""
    return f"{address}/{quote(os.fsencode(file))}{anchor}"


def _commit() -> str | None:
    """The address of the files of the commit."""
    given = os.environ
    if all(given.get(name) for name in ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_SHA")):
        return f"{given['GITHUB_SERVER_URL']}/{given['GITHUB_REPOSITORY']}/blob/{given['GITHUB_SHA']}"
    if given.get("CI_PROJECT_URL") and given.get("CI_COMMIT_SHA"):
        return f"{given['CI_PROJECT_URL']}/-/blob/{given['CI_COMMIT_SHA']}"
    return None
