"""Which findings `shapecheck check` and the mypy plugin report in which file, and with which severity."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from shapecheck.config import Config, PathConfig
from shapecheck.diagnostics import CHECKS, DEFAULT_CHECKS, FAILURES, REVEALED, Diagnostic, Severity
from shapecheck.project.files import absolute, display_path
from shapecheck.project.ignore import Chain, is_excluded, rules_from_patterns
from shapecheck.project.outcomes import FileOutcome, merged_diagnostics
from shapecheck.project.same_cause import silence_causes
from shapecheck.project.silencing import Read, SilencingResult, unused_ignores
from shapecheck.project.templates import Templates

_SETS = {"default": DEFAULT_CHECKS, "all": CHECKS}


def expanded(names: Iterable[str]) -> frozenset[str]:
    """The codes for names of codes and of sets of codes."""
    return frozenset(code for name in names for code in _SETS.get(name, (name,)))


@dataclass
class Selection:
    """The selection of a run. The command line overrides the configuration, an entry for a path the general one."""

    config: Config
    select: frozenset[str] | None = None
    """The codes selected on the command line."""
    ignore: frozenset[str] | None = None
    enabled: frozenset[str] = frozenset()
    """Codes that are also reported, even if they are ignored: those that mypy's own options enable."""
    _rules: list[tuple[Chain, PathConfig]] = field(init=False)
    _active: dict[Path, frozenset[str]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        root = self.config.root
        self._rules = [
            (rules_from_patterns(root, [pattern]), entry) for pattern, entry in self.config.check.per_path.items()
        ]

    def general(self) -> frozenset[str]:
        """The codes that are reported in files without an entry for their path."""
        return self._codes([])

    def wanted(self) -> frozenset[str]:
        """The codes that are reported in at least one file."""
        return self.general().union(*(self._codes([entry]) for _, entry in self._rules))

    def active(self, path: Path) -> frozenset[str]:
        """The codes that are reported in a file."""
        if path not in self._active:
            self._active[path] = self._codes(list(self._entries(path)))
        return self._active[path]

    def severities(self, path: Path) -> dict[str, Severity]:
        """The configured severities of codes in a file."""
        found = dict(self.config.check.severity)
        for entry in self._entries(path):
            found |= entry.severity
        return found

    def judged(self, diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """The findings to report, with their configured severity."""
        for one in diagnostics:
            path = absolute(Path(one.path))
            if one.code in FAILURES:
                yield one
            elif one.code in self.active(path):
                severity = self.severities(path).get(one.code, one.severity)
                yield one if severity is one.severity else replace(one, severity=severity)

    def _entries(self, path: Path) -> Iterator[PathConfig]:
        if not self._rules:
            return
        above = [path, *path.parents]
        for rules, entry in self._rules:
            if any(is_excluded(rules, str(one), is_folder=one is not path) for one in above):
                yield entry

    def _codes(self, entries: Collection[PathConfig]) -> frozenset[str]:
        check = self.config.check
        selected = check.select
        for entry in entries:
            selected = selected if entry.select is None else entry.select
        chosen = expanded(selected if self.select is None else self.select)
        ignored = expanded(check.ignore if self.ignore is None else self.ignore)
        for entry in entries:
            ignored |= expanded(entry.ignore)
        return ((chosen | set(REVEALED)) - ignored) | self.enabled


def reported(
    outcomes: Sequence[FileOutcome],
    selection: Selection,
    directories: Sequence[Path],
    read: Read = Path.read_bytes,
) -> SilencingResult:
    """The findings to report after the selection of codes, the severities and the comments are applied.

    directories: those on the command line. read: returns the content of a file.
    """
    templates = Templates()
    found = sorted(merged_diagnostics((one.path, templates.without(one.path, one.diagnostics)) for one in outcomes))
    result = silence_causes(selection.judged(found), read)
    whole = [one.path for one in outcomes if _is_whole(one) and any(map(one.path.is_relative_to, directories))]
    unused = [
        one
        for one in unused_ignores(whole, result.used, selection.active, read)
        if Path(one.path).absolute() not in templates
    ]
    result.reported = sorted([*result.reported, *selection.judged(unused)])
    return result


def _is_whole(outcome: FileOutcome) -> bool:
    """Whether a file was checked completely. A file given on its own is checked without its callers, so it is not."""
    display = display_path(outcome.path)
    return outcome.whole and not any(found.path == display and found.code in FAILURES for found in outcome.diagnostics)
