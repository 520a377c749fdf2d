"""The edits of `shapecheck annotate` in one function."""

from __future__ import annotations

from pathlib import Path

from shapecheck.annotate.lint_settings import selects_rule
from shapecheck.annotate.model import AnnotateOptions
from shapecheck.annotate.reusing import Surroundings
from shapecheck.annotate.run import run
from shapecheck.lsp.messages import Question, Replacement
from shapecheck.lsp.worker.hunks import hunks
from shapecheck.lsp.worker.project import EditedProject
from shapecheck.project.files import display_path
from shapecheck.project.source import SourceFile


def answer(project: EditedProject, question: Question) -> list[Replacement]:
    """The edits; none if nothing is known about the function."""
    path = Path(question.path)
    config = project.config
    source = SourceFile.from_bytes(project.texts[path], path, display_path(path))
    options = AnnotateOptions(
        selected={path: frozenset((question.about["name"],))},
        generated=True,
        line_length=config.formatter_line_length,
        noqa=selects_rule(config.root),
        write=False,
    )
    (result,) = run([path], Surroundings([config.root]), options, source)
    return [] if result.file.new_text is None else list(hunks(source.text, result.file.new_text))
