"""The keys of each table and the types of their values."""

from __future__ import annotations

from shapecheck.config import values
from shapecheck.config.values import BOOLEAN, POSITIVE, STRINGS, TABLE, WHOLE, choice, subset, text
from shapecheck.diagnostics.codes import CHECKS, FIXES, GUARDS, REVEALED
from shapecheck.diagnostics.model import Severity
from shapecheck.diagnostics.render import FORMATS

_SETS = ("default", "all")
"""Words that stand for several codes."""
SELECTABLE = (*_SETS, *CHECKS, *REVEALED)
"""What `select` and `ignore` of `check` take."""
STYLES = ("typing", "runtime")
_LEVELS = choice(level.value for level in Severity)

MAIN = {
    "paths": STRINGS,
    "exclude": STRINGS,
    "respect-gitignore": BOOLEAN,
    "jobs": POSITIVE,
    "format": choice(FORMATS),
    "runtime": BOOLEAN,
    "fix": TABLE,
    "check": TABLE,
    "guard": TABLE,
    "run": TABLE,
    "cases": TABLE,
}
FIX = {
    "select": subset(FIXES),
    "ignore": subset(FIXES),
    "style": choice(STYLES),
    "untyped": BOOLEAN,
    "decorators": STRINGS,
    "line-length": POSITIVE,
    "include-generated": BOOLEAN,
}
PER_PATH = {
    "select": subset(SELECTABLE),
    "ignore": subset(SELECTABLE),
    "severity": TABLE,
}
CHECK = {
    **PER_PATH,
    "baseline": text("a path"),
    "per-path": TABLE,
    "cache-dir": text("a path"),
}
CHECK_SEVERITY = dict.fromkeys(CHECKS, _LEVELS)
GUARD = {"rules": subset((*_SETS, *GUARDS)), "allow": STRINGS, "severity": TABLE}
GUARD_SEVERITY = dict.fromkeys(GUARDS, _LEVELS)
RUN = {
    "device": values.DEVICE_NAME,
    "checks": STRINGS,
    "skip": STRINGS,
    "timeout": values.SECONDS,
    "memory": values.BYTES,
    "jobs": POSITIVE,
    "seed": WHOLE,
    "backend": text("a name"),
    "timed": BOOLEAN,
    "profile": BOOLEAN,
}
CASE = {
    "target": values.CLASS_PLACE,
    "kwargs": TABLE,
    "dims": TABLE,
    "ranges": TABLE,
    "skip": STRINGS,
    "checkpoint": text("a path"),
    "device": values.DEVICE_NAME,
}
