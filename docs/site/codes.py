"""Tables of diagnostic codes, from the one table in `shapecheck.diagnostics.codes`."""

from __future__ import annotations

import re
from pathlib import Path

from docs.site.marked import table
from shapecheck.diagnostics.codes import CHECKS, CODES, FAILURES, FIXES, GUARDS, REFUSALS, REVEALED, RUN

_CHECKS_OF_RUN = (Path(__file__).resolve().parents[1] / "run.md").read_text(encoding="utf-8")
"""Its table lists the codes of each check; a test compares it with the checks."""
_FOUND_BY = {
    "check": (*CHECKS, *REVEALED),
    "fix": FIXES,
    "guards": (*GUARDS, *REFUSALS),
    "run": (*RUN, *re.findall(r"`([\w-]+)`", " ".join(re.findall(r"^\| `\w+` \|.*\|(.*)\|$", _CHECKS_OF_RUN, re.M)))),
}
"""The commands that report a code."""


def all_codes() -> str:
    """Every code, with the commands that report it."""
    return table(("code", "severity", "summary", "reported by"), ((*_row(name), _found_by(name)) for name in CODES))


def checked_codes() -> str:
    """The codes of `shapecheck check`."""
    rows = (_row(name) if CODES[name].default else (*_row(name)[:2], f"{_row(name)[2]} (opt-in)") for name in CHECKS)
    return table(("code", "severity", "summary"), rows)


def _row(name: str) -> tuple[str, str, str]:
    code = CODES[name]
    return f"[`{name}`](codes/{name}.md)", code.severity.value, code.summary


def _found_by(name: str) -> str:
    if name in FAILURES:
        return "all"
    opt_in = "" if CODES[name].default else " (opt-in)"
    found = (one if one == "run" else one + opt_in for one, names in _FOUND_BY.items() if name in names)
    return ", ".join(found)
