"""What `shapecheck run` prints about models without annotations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from shapecheck.annotate.model import AnnotateOptions, AnnotateResult
from shapecheck.cli._inference import infer
from shapecheck.config import Config
from shapecheck.diagnostics.counts import counted
from shapecheck.harness.cases.model import NO_SHAPES, Target
from shapecheck.harness.results import RunReport
from shapecheck.project.files import display_path

_MOST_FILES = 10
"""Files that are analyzed for the note; the analysis of more takes too long for one line."""


def note_on_unannotated(report: RunReport, targets: Sequence[Target], config: Config) -> Iterator[str]:
    """What annotate would write for the models that are not run because they have no annotations."""
    unannotated = [case for case in report.cases if case.detail == NO_SHAPES]
    paths = list(dict.fromkeys(case.path for case in unannotated))
    if not unannotated:
        return
    models = f"note: {counted(len(unannotated), 'model')} without shape annotations"
    command = f"shapecheck annotate --only forward {' '.join(paths if len(paths) <= _MOST_FILES else ['PATHS'])}"
    if len(paths) > _MOST_FILES:
        yield f"{models}; `{command}` writes them, `shapecheck run --infer` runs the models without"
        return
    chosen = [target for target in targets if display_path(Path(target.file)) in paths]
    count, example = _what(infer(chosen, config, 1, AnnotateOptions()))
    if count:
        yield f"{models}; `{command}` would annotate {count}, such as {example};"
        yield "note: `shapecheck run --infer` runs them without writing"


def _what(results: Sequence[AnnotateResult]) -> tuple[str, str]:
    """How many functions are annotated, and the first of them."""
    written = [note for one in results for note in one.written]
    functions = dict.fromkeys(note.function for note in written)
    if not functions:
        return "", ""
    first = next(iter(functions))
    notes = [note for note in written if note.function == first and note.name != "return"]
    return counted(len(functions), "function"), f"{first.name}({', '.join(f'{one.name}: {one.text}' for one in notes)})"


def note_on_inferred(results: Sequence[AnnotateResult]) -> str:
    """What was inferred."""
    count, _ = _what(results)
    dropped = sum(len(one.dropped) for one in results)
    also = f"; {counted(dropped, 'annotation')} dropped, because a run or check contradicts them" if dropped else ""
    paths = list(dict.fromkeys(note.function.path for one in results for note in one.written))
    if not count:
        return f"note: no annotations inferred{also}"
    where = " ".join(paths if len(paths) <= _MOST_FILES else ["PATHS"])
    return f"note: inferred annotations of {count}{also}; `shapecheck annotate --only forward {where}` writes them"
