"""Where the sizes of the value at a place come from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from shapecheck.diagnostics import Note
from shapecheck.lsp.messages import Question
from shapecheck.lsp.worker.probe import evaluated, is_size, size_origins
from shapecheck.lsp.worker.project import EditedProject
from shapecheck.lsp.worker.syntax import at
from shapecheck.spec import Size


def answer(project: EditedProject, question: Question) -> list[dict[str, Any]]:
    """The origins, in the order of the sizes; with `sizes_only`, none for a tensor."""
    analysis = project.analyses.get(Path(question.path))
    if analysis is None:
        return []
    place = at(analysis.module, question.line, question.column, before=bool(question.about.get("before")))
    if question.about.get("sizes_only"):
        node = evaluated(place)
        value = None if node is None else analysis.watch.values.get(node, (0, None))[1]
        if not is_size(value):
            return []
    return [as_json(size, note) for size, notes in size_origins(analysis, place).items() for note in notes[:1]]


def as_json(size: Size, note: Note) -> dict[str, Any]:
    """The origin of a size."""
    path = str(Path(note.path).absolute())
    return {"size": str(size), "text": note.message, "path": path, "line": note.line, "column": note.column}
