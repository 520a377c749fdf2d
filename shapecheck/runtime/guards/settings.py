"""The rules of a guard, and the severities of their findings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from shapecheck.diagnostics import CODES, GUARDS, REFUSALS, Severity
from shapecheck.spec.presentation import quoted, value_text

DEFAULT = tuple(code for code in GUARDS if CODES[code].default)


class Settings(NamedTuple):
    """The settings of one guard."""

    codes: frozenset[str]
    severity: Mapping[str, Severity]
    allow: tuple[str, ...]

    def severity_of(self, code: str) -> Severity:
        """The severity of a code."""
        return self.severity.get(code, CODES[code].severity)


def codes_of(names: Iterable[str]) -> frozenset[str]:
    """The codes of these names, which can be `default` and `all`; ValueError for any other name."""
    found: set[str] = set()
    for name in (names,) if isinstance(names, str) else names:
        if name == "default":
            found.update(DEFAULT)
        elif name == "all":
            found.update(GUARDS)
        elif name in GUARDS:
            found.add(name)
        else:
            raise ValueError(_unknown(name, ("default", "all", *GUARDS)))
    return frozenset(found)


def _unknown(name: object, known: Sequence[str]) -> str:
    near = get_close_matches(str(name), known, 1)
    hint = f"did you mean {quoted(near[0])}?" if near else f"available: {', '.join(known)}"
    return f"unknown rule {value_text(name)}; {hint}"


def severities_of(given: str | Severity | Mapping[str, str | Severity] | None) -> dict[str, Severity]:
    """Severities by code, from one for all or from some by code; ValueError for an invalid one."""
    if given is None:
        return {}
    every = dict.fromkeys((*GUARDS, *REFUSALS), given) if isinstance(given, (str, Severity)) else dict(given)
    for code, severity in every.items():
        if code not in (*GUARDS, *REFUSALS):
            raise ValueError(_unknown(code, (*GUARDS, *REFUSALS)))
        if severity not in tuple(Severity):
            raise ValueError(f'expected severity to be "error", "warning" or "note", got {value_text(severity)}')
    return {code: Severity(severity) for code, severity in every.items()}
