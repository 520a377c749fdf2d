"""Whether the linter of a project accepts axis strings: the configuration of ruff or flake8 mentions the rule."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

_FILES = ("pyproject.toml", "ruff.toml", ".ruff.toml", ".flake8", "setup.cfg", "tox.ini")
_RULE = "F722"


def mentions_rule(root: Path) -> bool:
    """Whether a configuration file in a directory mentions F722, which rejects axis strings."""
    for name in _FILES:
        with suppress(OSError, UnicodeDecodeError):
            if _RULE in (root / name).read_text(encoding="utf-8"):
                return True
    return False
