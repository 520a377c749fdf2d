"""Comments on a `def` line addressed to a checker, and which of them the typed `__call__` also needs."""

from __future__ import annotations

import re

_PRAGMA = re.compile(
    r"#\s*(?P<tool>type:\s*ignore|pyright:\s*ignore|pyrefly:\s*ignore|ty:\s*ignore|noqa)"
    r"(?P<codes>\[[^\]]*\]|:\s*[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*)?"
)
_OVERRIDING = {
    "bad-override",
    "bad-param-name-override",
    "incompatible-method-override",
    "inconsistent-override",
    "invalid-method-override",
    "override",
    "reportIncompatibleMethodOverride",
    "reportIncompatibleVariableOverride",
}
_ABOUT_BODIES = {
    "bad-return",
    "empty-body",
    "invalid-return-type",
    "no-any-return",
    "reportReturnType",
    "return",
    "return-value",
}
_LINT_OF_BODIES = {"C901", "PLR0911", "PLR0912", "PLR0914", "PLR0915", "PLR1702"}
"""Lint rules that count the statements of a body."""


def copied(comment: str, overrides: bool) -> str:
    """The part of a comment that the `__call__` also needs; `""` if there is none.

    `overrides`: whether the `__call__` overrides an inherited one. Otherwise, ignores about overriding would be
    reported as unused.
    """
    kept = (_kept(match, overrides) for match in _PRAGMA.finditer(comment))
    return "  ".join(pragma for pragma in kept if pragma)


def about_overriding(comment: str) -> str:
    """The part of a comment after a body that is about overriding, not about the body."""
    found = (_only_overriding(match) for match in _PRAGMA.finditer(comment))
    return "  ".join(pragma for pragma in found if pragma)


def _only_overriding(match: re.Match[str]) -> str:
    names = [name for name in re.split(r"[,\s]+", (match["codes"] or "").strip("[]: ")) if name in _OVERRIDING]
    return f"# {' '.join(match['tool'].split())}[{', '.join(names)}]" if names else ""


def is_pragma(comment: str) -> bool:
    """Whether a comment is for a checker or declares a type, so that its line matters."""
    return bool(_PRAGMA.search(comment)) or is_type(comment)


def is_type(comment: str) -> bool:
    """Whether a comment declares the type of a parameter."""
    return comment.lstrip("# ").startswith("type:") and not _PRAGMA.match(comment)


def is_only_pragma(comment: str) -> bool:
    """Whether a comment contains only pragmas."""
    return bool(comment) and not _PRAGMA.sub("", comment).strip(" #")


def _kept(match: re.Match[str], overrides: bool) -> str:
    tool, codes = match["tool"], match["codes"]
    if codes is None:
        return match[0].rstrip()
    names = re.split(r"[,\s]+", codes.strip("[]: "))
    if tool == "noqa":
        kept = [name for name in names if name not in _LINT_OF_BODIES]
        return f"# noqa: {', '.join(kept)}" if kept else ""
    dropped = _ABOUT_BODIES if overrides else _ABOUT_BODIES | _OVERRIDING
    kept = [name for name in names if name not in dropped]
    return f"# {' '.join(tool.split())}[{', '.join(kept)}]" if kept else ""
