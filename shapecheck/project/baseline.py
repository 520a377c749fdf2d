"""A baseline: a file of known findings, so that a run reports only new ones.

A finding is identified by its path, its code and the text of its line, not by the line number, because code may move.
Equal findings are counted; if there are more than the baseline contains, the last ones in the file are new.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from shapecheck.diagnostics import FAILURES, Diagnostic, Severity
from shapecheck.project.files import absolute
from shapecheck.project.relative import relative_path
from shapecheck.project.source import SourceError, SourceFile, reason
from shapecheck.project.write import write_whole

_VERSION = 1


class BaselineError(Exception):
    """The baseline cannot be read or written. The message is one line for the user."""


class BaselineEntry(NamedTuple):
    """The identity of a finding."""

    path: str
    """Relative to the directory of the baseline, with forward slashes."""
    code: str
    text: str
    """The line, with single spaces; the message if the line is empty."""


class BaselineComparison(NamedTuple):
    """Findings compared with a baseline: the new ones, the number of known ones and of entries that no longer occur."""

    new: list[Diagnostic]
    known: int
    stale: int


def read(file: Path) -> Counter[BaselineEntry]:
    """The entries of a baseline; raises BaselineError if it cannot be read."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        if content["version"] != _VERSION:
            raise BaselineError(
                f"{file}: expected a baseline of version {_VERSION}, got {content['version']!r:.20}; "
                "use --write-baseline to write it again"
            )
        found: Counter[BaselineEntry] = Counter()
        for entry in content["findings"]:
            found[BaselineEntry(*(str(entry[name]) for name in BaselineEntry._fields))] += _count(entry)
    except FileNotFoundError:
        raise BaselineError(f"{file}: no such baseline; use --write-baseline to create it") from None
    except OSError as error:
        raise BaselineError(f"{file}: cannot read: {reason(error)}") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BaselineError(f"{file}: not a baseline of shapecheck; use --write-baseline to create one") from error
    return found


def _count(entry: dict[str, Any]) -> int:
    count = entry.get("count", 1)
    if not isinstance(count, int) or count < 1:
        raise ValueError("expected a positive integer as count")
    return count


def compare(
    diagnostics: Sequence[Diagnostic], file: Path, checked: Collection[Path], codes: frozenset[str]
) -> BaselineComparison:
    """Compare findings with the baseline.

    checked: the files of this run; codes: the codes of this run. Entries about others are not stale.
    """
    left, sources = read(file), _Sources()
    new = []
    for diagnostic in diagnostics:
        key = _key(diagnostic, file, sources)
        if key is not None and left[key] > 0:
            left[key] -= 1
        else:
            new.append(diagnostic)
    stale = sum(count for key, count in left.items() if _is_about(key, file, checked, codes))
    return BaselineComparison(new, len(diagnostics) - len(new), stale)


def write(
    diagnostics: Iterable[Diagnostic], file: Path, checked: Collection[Path], codes: frozenset[str]
) -> Counter[BaselineEntry]:
    """Write the findings as the new baseline; entries about other files and codes are kept."""
    kept = read(file) if file.exists() else Counter[BaselineEntry]()
    entries = Counter({key: count for key, count in kept.items() if not _is_about(key, file, checked, codes)})
    sources = _Sources()
    entries.update(key for one in diagnostics if (key := _key(one, file, sources)) is not None)
    rows = [
        json.dumps({**key._asdict(), **({"count": count} if count > 1 else {})})
        for key, count in sorted(entries.items())
    ]
    listed = "".join(f"\n    {row}{',' * (row is not rows[-1])}" for row in rows)
    try:
        write_whole(file, f'{{\n  "version": {_VERSION},\n  "findings": [{listed}\n  ]\n}}\n'.encode())
    except SourceError as error:
        raise BaselineError(f"{file}: {error}") from error
    return entries


def _is_about(key: BaselineEntry, file: Path, checked: Collection[Path], codes: frozenset[str]) -> bool:
    """Whether a run over these files and codes would have reported the entry."""
    path = Path(os.path.normpath(absolute(file).parent / key.path))
    return key.code in codes and (path in checked or not path.exists())


def _key(diagnostic: Diagnostic, file: Path, sources: _Sources) -> BaselineEntry | None:
    """The entry for a finding; None for notes and failures, which a baseline does not contain."""
    if diagnostic.code in FAILURES or diagnostic.severity is Severity.NOTE:
        return None
    path = absolute(Path(diagnostic.path))
    lines = sources[path]
    text = " ".join(lines[diagnostic.line - 1].split()) if 0 < diagnostic.line <= len(lines) else ""
    return BaselineEntry(relative_path(path, absolute(file).parent), diagnostic.code, text or diagnostic.message)


class _Sources(dict[Path, Sequence[str]]):
    """The lines of files, each read once."""

    def __missing__(self, path: Path) -> Sequence[str]:
        try:
            self[path] = SourceFile.from_bytes(path.read_bytes(), path).lines
        except (OSError, SourceError):
            self[path] = ()
        return self[path]
