"""Tables of diagnostic codes, from the one table in `shapecheck.diagnostics.codes`."""

from __future__ import annotations

import re
from pathlib import Path

from docs.site.marked import table
from shapecheck.diagnostics.codes import CHECKS, CODES, FAILURES, FIXES, GUARDS, REFUSALS, REVEALED, RUN

_CHECKS_OF_RUN = (Path(__file__).resolve().parents[1] / "run.md").read_text(encoding="utf-8")
"""Its table names the codes of each check; a test compares it with the checks."""
_FOUND_BY = {
    "check": (*CHECKS, *REVEALED),
    "fix": FIXES,
    "guards": (*GUARDS, *REFUSALS),
    "run": (*RUN, *re.findall(r"`([\w-]+)`", " ".join(re.findall(r"^\| `\w+` \|.*\|(.*)\|$", _CHECKS_OF_RUN, re.M)))),
}
"""Who reports a code."""


def all_codes() -> str:
    """Every code, with who reports it."""
    return table(("code", "severity", "meaning", "reported by"), ((*_row(name), _found_by(name)) for name in CODES))


def checked_codes() -> str:
    """What `shapecheck check` looks for."""
    rows = (_row(name) if CODES[name].default else (*_row(name)[:2], f"{_row(name)[2]} (opt-in)") for name in CHECKS)
    return table(("code", "severity", "meaning"), rows)


def _row(name: str) -> tuple[str, str, str]:
    code = CODES[name]
    return f"[`{name}`](codes/{name}.md)", code.severity.value, code.summary


def _found_by(name: str) -> str:
    if name in FAILURES:
        return "all"
    asked = "" if CODES[name].default else " (opt-in)"
    found = (who if who == "run" else who + asked for who, names in _FOUND_BY.items() if name in names)
    return ", ".join(found)
