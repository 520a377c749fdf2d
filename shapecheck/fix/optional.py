"""Implicit Optional: `mask: Tensor = None` accepts None, so the typed `__call__` does too."""

from __future__ import annotations

import ast

from shapecheck.fix.signature import Edit
from shapecheck.project.scope import AssignedName, File, FunctionNode
from shapecheck.project.source import SourceFile
from shapecheck.project.typing_names import typing_name

_ADMITS = {"Any", "None", "Optional", "object"}


def optional_edits(node: FunctionNode, file: File) -> list[Edit]:
    """The edits that make each annotation with a default of None accept None."""
    wrapper = typing_name(file, "Optional", node.lineno)
    wrapper = wrapper if wrapper and "." not in wrapper else None
    return [
        edit
        for argument in none_by_default(node.args).values()
        if argument.annotation is not None and not _admits_none(argument.annotation, file)
        for edit in _wrap(argument.annotation, file.source, wrapper)
    ]


def none_by_default(arguments: ast.arguments) -> dict[str, ast.arg]:
    """The parameters whose default is None, by name."""
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs = [
        *zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    return {
        argument.arg: argument
        for argument, default in pairs
        if isinstance(default, ast.Constant) and default.value is None
    }


def _wrap(annotation: ast.expr, source: SourceFile, wrapper: str | None) -> list[Edit]:
    assert annotation.end_lineno is not None and annotation.end_col_offset is not None
    start = source.offset(annotation.lineno, annotation.col_offset)
    end = source.offset(annotation.end_lineno, annotation.end_col_offset)
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        quote = 3 if source.text[start:end].endswith(('"""', "'''")) else 1
        return [Edit(end - quote, end - quote, " | None")]
    if wrapper:
        return [Edit(start, start, f"{wrapper}["), Edit(end, end, "]")]
    return [Edit(end, end, " | None")]


def _admits_none(annotation: ast.expr, file: File, hops: int = 0) -> bool:
    if isinstance(annotation, ast.Constant):
        return annotation.value is None or (
            isinstance(annotation.value, str) and any(name in annotation.value for name in _ADMITS)
        )
    if isinstance(annotation, ast.Name):
        return annotation.id in _ADMITS or (hops < 3 and _alias_admits(annotation.id, file, hops))
    if isinstance(annotation, ast.Attribute):
        return annotation.attr in _ADMITS
    if isinstance(annotation, ast.BinOp):
        return _admits_none(annotation.left, file, hops) or _admits_none(annotation.right, file, hops)
    if isinstance(annotation, ast.Subscript):
        return _subscript_admits(annotation, file, hops)
    return False


def _subscript_admits(annotation: ast.Subscript, file: File, hops: int) -> bool:
    name = ast.unparse(annotation.value).rpartition(".")[2]
    inner = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
    if name == "Annotated":
        return bool(inner) and _admits_none(inner[0], file, hops)
    return name == "Optional" or (
        name in {"Union", "Literal"} and any(_admits_none(item, file, hops) for item in inner)
    )


def _alias_admits(name: str, file: File, hops: int) -> bool:
    return any(
        isinstance(binding, AssignedName) and binding.value is not None and _admits_none(binding.value, file, hops + 1)
        for binding in file.scope.names.get(name, ())
    )
