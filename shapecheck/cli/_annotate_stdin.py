"""`shapecheck annotate -`: standard input to standard output, for editors."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from shapecheck.annotate.model import AnnotateOptions, AnnotateResult
from shapecheck.annotate.reusing import Surroundings
from shapecheck.annotate.run import run
from shapecheck.cli._annotate_report import AnnotateReport
from shapecheck.diagnostics.render import renderer
from shapecheck.fix.model import FixStatus
from shapecheck.fix.one_file import failure
from shapecheck.project.files import FileSearch, display_path
from shapecheck.project.source import SourceError, SourceFile


def annotate_stdin(options: AnnotateOptions, roots: Sequence[Path], filename: Path | None) -> int:
    """Annotates standard input; returns the exit code. The output keeps the encoding; failures go to standard error.

    If the input does not parse, nothing is written to standard output, so that an editor keeps its text.
    """
    raw = sys.stdin.buffer.read()
    path = (filename or Path("stdin.py")).absolute()
    display = display_path(path)
    output = raw
    try:
        source = SourceFile.from_bytes(raw, path, display)
        (result,) = run([path], Surroundings(roots), options, source)
        if result.file.new_text is not None:
            output = source.encode(result.file.new_text)
    except SourceError as error:
        result = AnnotateResult(failure(display, "unreadable-file", str(error)))
    if options.diff:
        sys.stdout.write(result.file.diff)
    elif options.write and result.file.outcome is not FixStatus.FAILED:
        sys.stdout.buffer.write(output)
        sys.stdout.buffer.flush()
    report = AnnotateReport(FileSearch(), [result], options)
    renderer("text")(report.failures(), sys.stderr, {})
    return report.exit_code()
