"""The edits of `shapecheck fix` in a document, or in one class of it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

from shapecheck.fix.model import FixOptions, Style
from shapecheck.fix.one_file import FileFixer
from shapecheck.lsp.messages import Question, Replacement
from shapecheck.lsp.worker.hunks import hunks
from shapecheck.lsp.worker.project import EditedProject
from shapecheck.project.files import display_path
from shapecheck.project.notebook import SUFFIX
from shapecheck.project.source import SourceFile


def answer(project: EditedProject, question: Question) -> list[Replacement]:
    """The edits; none if there is nothing to fix, or in a notebook, whose cells the server has as one text."""
    path, name = Path(question.path), question.about.get("name", "")
    if path.suffix == SUFFIX:
        return []
    source = SourceFile.from_bytes(project.texts[path], path, display_path(path))
    result = FileFixer([path], [project.config.root], options_of(project)).fix_source(source)
    if result.new_text is None:
        return []
    found = list(hunks(source.text, result.new_text))
    return found if not name else _of_class(source, name, found)


def options_of(project: EditedProject) -> FixOptions:
    """The configured options."""
    config, fix = project.config, project.config.fix
    return FixOptions(
        select=frozenset(fix.select) - frozenset(fix.ignore),
        style=Style(fix.style),
        untyped=fix.untyped,
        generated=True,
        decorators=frozenset(fix.decorators),
        line_length=fix.line_length or config.formatter_line_length,
        write=False,
    )


def _of_class(source: SourceFile, name: str, found: Sequence[Replacement]) -> list[Replacement]:
    """The edits in a class, and of the imports, if there are any in the class."""
    tree = ast.parse(source.text)
    classes = [one for one in ast.walk(tree) if isinstance(one, ast.ClassDef) and one.name == name]
    ranges = [(one.lineno, (one.end_lineno or one.lineno) + 1) for one in classes]
    inside = [one for one in found if any(first <= one.line <= last for first, last in ranges)]
    top = min([one.lineno for one in tree.body if isinstance(one, (ast.ClassDef, ast.FunctionDef))], default=1)
    return [*(one for one in found if one.end_line <= top and one not in inside), *inside] if inside else []
