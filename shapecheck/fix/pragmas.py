"""Comments on a `def` line that speak to a checker, and which of them the typed `__call__` needs too."""

from __future__ import annotations

import re

_PRAGMA = re.compile(
    r"#\s*(?P<tool>type:\s*ignore|pyright:\s*ignore|pyrefly:\s*ignore|ty:\s*ignore|noqa)"
    r"(?P<codes>\[[^\]]*\]|:\s*[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*)?"
)
_OVERRIDING = {
    "bad-override",
    "bad-param-name-override",
    "inconsistent-override",
    "invalid-method-override",
    "override",
    "reportIncompatibleMethodOverride",
    "reportIncompatibleVariableOverride",
}
_LINT_OF_SIGNATURES = ("A", "ANN", "B", "E", "F", "N", "UP", "W")
"""Families of lint rules that look at a signature rather than at the body."""


def copied(comment: str, overrides: bool) -> str:
    """The part of a comment that the `__call__` needs too: `""` where none.

    `overrides` says whether the `__call__` has another one above it, so that ignores about overriding have something to
    ignore; without, they would be reported as unused.
    """
    kept = (_kept(match, overrides) for match in _PRAGMA.finditer(comment))
    return "  ".join(pragma for pragma in kept if pragma)


def is_pragma(comment: str) -> bool:
    """Whether a comment speaks to a checker, or gives a type, so that its line matters."""
    return bool(_PRAGMA.search(comment)) or comment.lstrip("# ").startswith("type:")


def is_only_pragma(comment: str) -> bool:
    """Whether a comment says nothing to people."""
    return bool(comment) and not _PRAGMA.sub("", comment).strip(" #")


def _kept(match: re.Match[str], overrides: bool) -> str:
    tool, codes = match["tool"], match["codes"]
    if codes is None:
        return match[0].rstrip()
    names = re.split(r"[,\s]+", codes.strip("[]: "))
    if tool == "noqa":
        kept = [name for name in names if name.rstrip("0123456789") in _LINT_OF_SIGNATURES]
        return f"# noqa: {', '.join(kept)}" if kept else ""
    kept = names if overrides else [name for name in names if name not in _OVERRIDING]
    return f"# {' '.join(tool.split())}[{', '.join(kept)}]" if kept else ""
