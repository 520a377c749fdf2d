"""`shapecheck fix -`: standard input to standard output, for editors."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from shapecheck.cli._fix_report import FixReport
from shapecheck.diagnostics.render import renderer
from shapecheck.fix.model import FileResult, FixOptions, FixStatus
from shapecheck.fix.one_file import FileFixer, failure
from shapecheck.project.files import FileSearch
from shapecheck.project.source import SourceError, SourceFile


def fix_stdin(options: FixOptions, roots: Sequence[Path], filename: Path | None) -> int:
    """Fix standard input; return the exit code. The output keeps the encoding; findings go to standard error.

    If the input does not parse, nothing is written to standard output, so that an editor keeps its text.
    """
    raw = sys.stdin.buffer.read()
    result, output = _fix(raw, filename, options, roots)
    if options.diff:
        sys.stdout.write(result.diff)
    elif options.write and result.outcome is not FixStatus.FAILED:
        sys.stdout.buffer.write(output)
        sys.stdout.buffer.flush()
    report = FixReport(FileSearch(), [result], options)
    renderer("text")(report.findings(), sys.stderr, {})
    return report.exit_code()


def _fix(raw: bytes, filename: Path | None, options: FixOptions, roots: Sequence[Path]) -> tuple[FileResult, bytes]:
    display = str(filename) if filename else "<stdin>"
    path = (filename or Path("stdin.py")).absolute()
    try:
        source = SourceFile.from_bytes(raw, path, display)
        result = FileFixer([path], roots, options).fix_source(source)
        return result, raw if result.new_text is None else source.encode(result.new_text)
    except (SourceError, UnicodeEncodeError) as error:
        return failure(display, "unreadable-file", str(error)), raw
