"""Comments `# shapecheck: ignore[code]`: which findings they suppress, and which comments are unused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from shapecheck.diagnostics import CODES, DEFAULT_CHECKS, FAILURES, FIXES, Diagnostic
from shapecheck.diagnostics.comments import Ignore, ignores_in
from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.project.files import display_path
from shapecheck.project.source import SourceError, SourceFile

UNUSED = "unused-ignore"
Read = Callable[[Path], bytes]
_OF_FIX = lazy_pattern(r"\bclass\b|\bdef\b|\bforward\b")
"""Lines on which a comment without codes may suppress a finding of `shapecheck fix`."""


@dataclass
class SilencingResult:
    """The findings that no comment suppresses, and the comments that were used."""

    reported: list[Diagnostic] = field(default_factory=list)
    used: dict[tuple[str, int], set[str]] = field(default_factory=dict)
    """The codes that the comments on a line suppress, by path and line."""
    count: int = 0


def silence(diagnostics: Iterable[Diagnostic], read: Read = Path.read_bytes) -> SilencingResult:
    """The findings that no comment on their first or last line suppresses, in the order of the files.

    read: returns the content of a file, which an editor may have changed.
    """
    result = SilencingResult()
    for path, found in groupby(diagnostics, key=attrgetter("path")):
        lines = _lines(Path(path), read)
        for diagnostic in found:
            at = _silencing_lines(diagnostic, lines)
            for line in at:
                result.used.setdefault((path, line), set()).add(diagnostic.code)
            result.count += bool(at)
            if not at:
                result.reported.append(diagnostic)
    return result


def _silencing_lines(diagnostic: Diagnostic, lines: Sequence[str]) -> list[int]:
    if diagnostic.code in FAILURES:
        return []
    ends = [line for line in {diagnostic.line, diagnostic.end_line} if 0 < line <= len(lines)]
    return [line for line in ends if any(_covers(one, diagnostic.code) for one in ignores_in(lines[line - 1]))]


def _covers(comment: Ignore, code: str) -> bool:
    return comment.codes is None or code in comment.codes


def unused_ignores(
    paths: Iterable[Path],
    used: dict[tuple[str, int], set[str]],
    active: Callable[[Path], frozenset[str]],
    read: Read = Path.read_bytes,
) -> list[Diagnostic]:
    """A finding for each comment, and each code in a comment, that suppresses nothing; `active` are the enabled codes.

    Codes that are not enabled, or that `shapecheck fix` reports, are not considered.
    """
    found: list[Diagnostic] = []
    for path in paths:
        codes = active(path)
        if UNUSED in codes:
            found += _unused_in(path, used, codes, read)
    return found


def _unused_in(
    path: Path, used: dict[tuple[str, int], set[str]], active: frozenset[str], read: Read
) -> Iterator[Diagnostic]:
    display = display_path(path)
    for number, line, start in _comment_lines(path, read):
        comments = [one for one in ignores_in(line) if one.column >= start]
        if any(UNUSED in (one.codes or ()) for one in comments):
            continue
        silenced = used.get((display, number), set())
        for one in comments:
            for message in _complaints(one, silenced, active, line):
                yield Diagnostic(
                    display, number, one.column + 1, number, one.end + 1, UNUSED, CODES[UNUSED].severity, message
                )


def _complaints(comment: Ignore, silenced: set[str], active: frozenset[str], line: str) -> Iterator[str]:
    if comment.codes is None:
        if not silenced and active.issuperset(DEFAULT_CHECKS) and not _OF_FIX.search(line[: comment.column]):
            yield f"no finding to suppress here; remove `{comment.text}`"
        return
    if not comment.codes:
        yield f"expected a code in `{comment.text}`"
    for code in comment.codes:
        if code in FAILURES:
            yield f"a comment cannot suppress {code}; remove it from `{comment.text}`"
        elif code not in CODES:
            from difflib import get_close_matches  # noqa: PLC0415 - only for a misspelled code

            near = get_close_matches(code, CODES, 1)
            yield f'unknown code "{code}"' + (f'; did you mean "{near[0]}"?' if near else "")
        elif code in active and code not in silenced and code not in FIXES:
            yield f"no {code} to suppress here; remove it from `{comment.text}`"


def _comment_lines(path: Path, read: Read) -> Iterator[tuple[int, str, int]]:
    """The lines with such a comment, and the column where comments begin; strings that look like one do not count."""
    try:
        content = read(path)
    except OSError:
        return
    lines = _lines(path, read) if b"shapecheck" in content else ()
    if not any(map(ignores_in, lines)):
        return
    import io  # noqa: PLC0415 - for the few files that have such comments
    import tokenize  # noqa: PLC0415

    try:
        for token in tokenize.generate_tokens(io.StringIO("".join(lines)).readline):
            if token.type == tokenize.COMMENT and ignores_in(token.string):
                number, column = token.start
                yield number, lines[number - 1], column
    except (tokenize.TokenError, SyntaxError):
        return


def _lines(path: Path, read: Read) -> Sequence[str]:
    try:
        return SourceFile.from_bytes(read(path), path).lines
    except (OSError, SourceError):
        return ()
