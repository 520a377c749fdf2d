"""The rules of a guard, and the severities of their findings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from shapecheck.diagnostics import CODES, GUARDS, REFUSALS, Severity

DEFAULT = tuple(code for code in GUARDS if CODES[code].default)


class Settings(NamedTuple):
    """What one guard looks for."""

    codes: frozenset[str]
    severity: Mapping[str, Severity]
    allow: tuple[str, ...]

    def severity_of(self, code: str) -> Severity:
        """How severe a code is here."""
        return self.severity.get(code, CODES[code].severity)


def codes_of(names: Iterable[str]) -> frozenset[str]:
    """The codes that these names stand for, `default` and `all` among them; ValueError for any other name."""
    found: set[str] = set()
    for name in (names,) if isinstance(names, str) else names:
        if name == "default":
            found.update(DEFAULT)
        elif name == "all":
            found.update(GUARDS)
        elif name in GUARDS:
            found.add(name)
        else:
            raise ValueError(
                f"no rule of guards is called {name!r}; there are {', '.join(('default', 'all', *GUARDS))}"
            )
    return frozenset(found)


def severities_of(given: str | Severity | Mapping[str, str | Severity] | None) -> dict[str, Severity]:
    """Severities by code, of one for all or some by code; ValueError for what is none."""
    if given is None:
        return {}
    every = dict.fromkeys((*GUARDS, *REFUSALS), given) if isinstance(given, (str, Severity)) else dict(given)
    for code, severity in every.items():
        if code not in (*GUARDS, *REFUSALS):
            raise ValueError(f"no rule of guards is called {code!r}; there are {', '.join(GUARDS)}")
        if severity not in tuple(Severity):
            raise ValueError(f"a severity is 'error', 'warning' or 'note', not {severity!r}")
    return {code: Severity(severity) for code, severity in every.items()}
