"""Why the source of a package is not available."""

from __future__ import annotations


class FetchError(Exception):
    """The index, the repository or the file is not what the pin says."""


class Unreachable(FetchError):
    """The index or the repository did not answer, which says nothing about the pin."""
