"""Fixes one file on disk: read, skip if it cannot contain anything to fix, fix, compare, write."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from shapecheck.diagnostics import Diagnostic, Severity
from shapecheck.fix.model import FileResult, FixOptions, FixStatus
from shapecheck.project.files import display_path
from shapecheck.project.notebook import SUFFIX, NotebookError, in_cells
from shapecheck.project.notebook_edits import changed_cells, diff_of_cells, marked
from shapecheck.project.parsing import unreadable_file
from shapecheck.project.resolve import NameResolver
from shapecheck.project.source import SourceError, SourceFile
from shapecheck.project.write import write_source

_TRACES = (b"def forward", b".forward(", b"# shapecheck: from forward")
"""A file without any of these contains nothing to fix, as about four files in five."""


class FileFixer:
    """Fixes the files of one run, one after the other. The result of a file contains its errors."""

    def __init__(self, files: Collection[Path], roots: Sequence[Path], options: FixOptions) -> None:
        self._project = NameResolver(files, roots)
        self._options = options

    def fix(self, path: Path) -> FileResult:
        """Fix the file at `path`, and write it unless the options forbid it."""
        display = display_path(path)
        try:
            raw = path.read_bytes()
            if not any(trace in raw for trace in _TRACES):
                return FileResult(display)
            source = SourceFile.from_bytes(raw, path, display)
        except (OSError, SourceError) as error:
            return _failed(unreadable_file(display, error))
        result = self.fix_source(source)
        if self._options.write and result.new_text is not None:
            result = written(source, result)
        result.new_text = None
        return result

    def fix_source(self, source: SourceFile) -> FileResult:
        """Fix source without writing it: the result contains the new text, and the diff if requested."""
        from shapecheck.fix.engine import fix_source  # noqa: PLC0415 - most runs do not need LibCST

        is_notebook = source.path.suffix == SUFFIX
        read_as = replace(source, text=marked(source.raw)[0]) if is_notebook else source
        try:
            result = fix_source(read_as, self._project, self._options)
        except RecursionError:
            return failure(source.display, "internal-error", "skipped: nested too deeply")
        except Exception as error:  # an internal error in one file must not end the run
            return failure(source.display, "internal-error", f"skipped: {_one_line(error)}")
        if is_notebook:
            return _in_notebook(source, result, diff=self._options.diff)
        if self._options.diff and result.new_text is not None:
            result.diff = diff_of(source, result.new_text)
        return result


def _in_notebook(source: SourceFile, result: FileResult, *, diff: bool) -> FileResult:
    """The result with cells in place of lines of the notebook; a failure if the change cannot be written."""
    cells = {source.display: marked(source.raw)[1]}
    result.fixed, result.left = list(in_cells(result.fixed, cells)), list(in_cells(result.left, cells))
    if result.new_text is not None:
        try:
            changed = changed_cells(source.raw, result.new_text)
        except NotebookError as error:
            return failure(source.display, "unreadable-file", f"cannot write: {error}")
        result.diff = diff_of_cells(source.display, changed) if diff else ""
    return result


def failure(display: str, code: str, message: str) -> FileResult:
    """The result of a file that could not be processed."""
    return _failed(Diagnostic(display, 1, 1, 1, 1, code, Severity.ERROR, message))


def _failed(diagnostic: Diagnostic) -> FileResult:
    return FileResult(diagnostic.path, FixStatus.FAILED, diagnostic.message, left=[diagnostic])


def written(source: SourceFile, result: FileResult) -> FileResult:
    """Writes the new text of a result; the result of the failure if that is impossible."""
    assert result.new_text is not None
    try:
        write_source(source, result.new_text)
    except SourceError as error:
        return failure(source.display, "unreadable-file", str(error))
    return result


def diff_of(source: SourceFile, new_text: str) -> str:
    """The unified diff to a new text."""
    return "".join(_diff(source, new_text))


def _diff(source: SourceFile, new_text: str) -> Iterator[str]:
    new = SourceFile(source.path, new_text).lines
    for line in difflib.unified_diff(source.lines, new, source.display, source.display):
        yield line if line.endswith(("\n", "\r")) else f"{line}\n\\ No newline at end of file\n"


def _one_line(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}".rstrip(": ")
