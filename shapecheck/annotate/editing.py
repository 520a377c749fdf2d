"""Writes a plan into the text of a file: signatures in the layout that they have, imports, and nothing else."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from shapecheck.annotate.planning import FilePlan, FunctionPlan
from shapecheck.fix.black_lines import LineFrame
from shapecheck.fix.layout import lay_out
from shapecheck.fix.signature import Edit, Signature
from shapecheck.project.resolve import NameResolver
from shapecheck.project.source import SourceFile

NOQA = "# ruff: noqa: F722"
"""The comment for files whose axis strings ruff would take for types."""
_HEADER = re.compile(r"(?:\ufeff)?(?:#!.*(?:\r\n|\r|\n))?(?:#.*coding[:=].*(?:\r\n|\r|\n))?")
_SILENT = re.compile(r"^#\s*(?:ruff|flake8):\s*noqa(?::.*\bF722\b.*)?\s*$", re.MULTILINE)


def edited(source: SourceFile, plan: FilePlan, width: int, *, noqa: bool) -> str:
    """The text with the annotations; raises SyntaxError if it cannot be written."""
    edits = [edit for one in plan.functions if (edit := _edit(source, one, width)) is not None]
    text = source.text
    for edit in sorted(edits, key=lambda one: one.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    if not edits:
        return source.text
    if plan.missing:
        text = _with_imports(replace(source, text=text), plan, width)
    if noqa and not _SILENT.search(text):
        header = _HEADER.match(text)
        place = 0 if header is None else header.end()
        text = f"{text[:place]}{NOQA}{source.newline_at(1)}{text[place:]}"
    _compare(source.text, text)
    return text


def _with_imports(source: SourceFile, plan: FilePlan, width: int) -> str:
    from shapecheck.fix.apply import with_imports  # LibCST takes a tenth of a second to import  # noqa: PLC0415

    resolver = NameResolver([source.path], [])
    return with_imports(resolver.add(source), plan.missing, width)


def _edit(source: SourceFile, plan: FunctionPlan, width: int) -> Edit | None:
    original = Signature.read(plan.node, source)
    if original is None:
        return None
    wanted = original.edited(plan.edits)
    if plan.returns is not None:
        wanted = replace(wanted, returns=plan.returns)
    step = _step(source, plan.node, original.indent)
    frame = LineFrame(plan.node.name, original.indent, step, width)
    lines = lay_out(original, wanted, frame, "", name=plan.node.name)
    newline = source.newline_at(plan.node.lineno)
    return Edit(original.start, original.end + 1, newline.join(lines).removeprefix(original.indent))


def _step(source: SourceFile, node: ast.FunctionDef | ast.AsyncFunctionDef, indent: str) -> str:
    """One more level of indentation, as the body has it."""
    first = node.body[0]
    if first.lineno == node.lineno:
        return "    "
    line = source.lines[first.lineno - 1]
    inner = line[: len(line) - len(line.lstrip(" \t\f"))]
    return inner.removeprefix(indent) or "    "


def _compare(before: str, after: str) -> None:
    """Raises SyntaxError unless two texts are the same program, apart from annotations and new imports."""
    old, new = _without_annotations(before), _without_annotations(after)
    kept = [one for one in new if not one.startswith(("Import", "ImportFrom"))]
    if kept != [one for one in old if not one.startswith(("Import", "ImportFrom"))]:
        raise SyntaxError("the annotated file would not be the same program")


def _without_annotations(text: str) -> list[str]:
    tree = ast.parse(text)
    for one in ast.walk(tree):
        if isinstance(one, ast.arg):
            one.annotation = None
        elif isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
            one.returns = None
    return [ast.dump(one) for one in tree.body]
