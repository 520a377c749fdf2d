"""The final output of `shapecheck annotate`: changed files, what was dropped, the summary, the exit code."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from shapecheck.annotate.model import AnnotateOptions, AnnotateResult, FunctionKey, Written
from shapecheck.cli._summary import excluded_lines
from shapecheck.diagnostics import Diagnostic
from shapecheck.diagnostics.counts import counted
from shapecheck.diagnostics.render import renderer
from shapecheck.fix.model import FixStatus
from shapecheck.project.files import FileSearch, display_path
from shapecheck.project.parsing import unreadable_path

_REMEDIES = (
    ("but annotated", "correct the annotation"),
    ("generated", "annotate it with --include-generated"),
    ("longer than", "move its data to another file"),
    ("notebook", "annotate its code in a .py file"),
    ("more than", "group them in an object"),
)
"""What the user can do about what is skipped, by a part of the reason."""


@dataclass(frozen=True)
class AnnotateReport:
    """The whole outcome of a run."""

    found: FileSearch
    results: Sequence[AnnotateResult]
    options: AnnotateOptions
    verified: Iterable[str] = ()
    """What was run before the annotations were written."""

    def failures(self) -> list[Diagnostic]:
        """The files that could not be read, parsed or written."""
        problems = [unreadable_path(display_path(one.path), one.message) for one in self.found.problems]
        return [*problems, *(diagnostic for one in self.results for diagnostic in one.file.left)]

    def exit_code(self) -> int:
        """0 nothing to do or everything annotated, 1 something to do, 2 something could not be processed."""
        if self.failures():
            return 2
        return int(bool(self._changed()) and not self.options.write)

    def show(self, quiet: bool, began: float) -> None:
        """Prints everything; `began` is the start of the run, from `time.perf_counter`."""
        if self.options.diff:
            sys.stdout.writelines(one.file.diff for one in self.results)
        renderer("text")(self.failures(), sys.stderr if self.options.diff else sys.stdout, {})
        if not self.options.diff and not (quiet and self.options.write):
            done = "annotated" if self.options.write else "would annotate"
            for one in self._changed():
                count = len({note.function for note in one.written})
                sys.stdout.write(f"{one.file.path}: {done} {counted(count, 'function')}\n")
        if not quiet:
            sys.stdout.flush()
            sys.stderr.writelines(f"{line}\n" for line in self._summary(time.perf_counter() - began))

    def explain(self) -> int:
        """Prints the annotations of the selected functions, with the reason for each axis."""
        for problem in self.failures():
            renderer("text")([problem], sys.stderr, {})
        written = [note for one in self.results for note in one.written]
        for key in dict.fromkeys(note.function for note in written):
            sys.stdout.writelines(_explained(key, [note for note in written if note.function == key]))
        if not written and not self.failures():
            sys.stdout.write("Nothing to annotate\n")
        sys.stdout.writelines(f"{line}\n" for line in (*self._skipped(), *self._dropped()))
        return 2 if self.failures() else 0

    def _changed(self) -> list[AnnotateResult]:
        return [one for one in self.results if one.file.outcome is FixStatus.CHANGED]

    def _summary(self, seconds: float) -> Iterator[str]:
        changed, files = len(self._changed()), counted(len(self.results), "file")
        how = "Changed" if self.options.write else "Would change"
        what = f"{how} {counted(changed, 'file')}" if changed else "No changes"
        yield f"{what} (checked {files} in {seconds:.1f} s)"
        written = [note for one in self.results for note in one.written]
        if written:
            functions = len({note.function for note in written})
            how = "Wrote" if self.options.write else "Would write"
            yield f"{how} {counted(len(written), 'annotation')} of {counted(functions, 'function')}"
        yield from self.verified
        yield from self._dropped()
        yield from self._skipped()
        failed = len(self.failures())
        if failed:
            yield f"Failed to process {counted(failed, 'file')}"
        yield from excluded_lines(self.found.excluded)

    def _skipped(self) -> Iterator[str]:
        """A line for each file and function that is skipped."""
        for one in self.results:
            if one.file.outcome is FixStatus.SKIPPED:
                yield f"{one.file.path}: skipped: {_with_remedy(one.file.reason)}"
            for item in one.skipped:
                place = f"{item.function.path}:{item.function.line}: {item.function.name}"
                yield f"{place}: skipped: {_with_remedy(item.why)}"

    def _dropped(self) -> Iterator[str]:
        dropped = [note for one in self.results for note in one.dropped]
        if dropped:
            functions = len({note.function for note in dropped})
            yield f"Dropped annotations of {counted(functions, 'function')}, because they are contradicted:"
        for note in dropped:
            place = f"{note.function.path}:{note.function.line}: {note.function.name}"
            yield f"  {place}: {note.part}: {note.why}"


def _with_remedy(reason: str) -> str:
    remedy = next((text for part, text in _REMEDIES if part in reason), "")
    return f"{reason} ({remedy})" if remedy else reason


def _explained(key: FunctionKey, written: Sequence[Written]) -> Iterator[str]:
    yield f"{key.path}:{key.line}: {key.name}\n"
    for note in written:
        yield f"  {note.name}: {note.text}\n"
        for axis, why in note.reasons:
            yield f"    {axis}: {why}\n"
