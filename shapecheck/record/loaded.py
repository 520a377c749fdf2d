"""Instruments functions of modules that are already imported: their code is replaced, and restored at the end."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType

from shapecheck.record.instrument import NAMES, instrumented
from shapecheck.record.project_files import ProjectFiles

Replaced = list[tuple[FunctionType, CodeType]]


def instrument_loaded(files: ProjectFiles) -> Replaced:
    """Instruments all functions of the project's files; returns their original code."""
    replaced: Replaced = []
    codes: dict[str, list[tuple[CodeType, CodeType]]] = {}
    for one in gc.get_objects():
        if type(one) is FunctionType:
            path = one.__code__.co_filename
            if path not in codes:
                codes[path] = _codes(path) if files.has(path) else []
            # Code is compared by its content, so a file that has changed since its import is left as it is.
            new = next((new for old, new in codes[path] if old == one.__code__), None)
            if new is not None:
                one.__globals__.update(NAMES)
                replaced.append((one, one.__code__))
                one.__code__ = new
    return replaced


def restore(replaced: Replaced) -> None:
    """Gives functions their original code."""
    for function, code in replaced:
        function.__code__ = code


def _codes(path: str) -> list[tuple[CodeType, CodeType]]:
    """The functions of a file: their code, and their instrumented code."""
    try:
        source = Path(path).read_bytes()
        plain = _in(compile(source, path, "exec", dont_inherit=True))
        new = {_key(one): one for one in _in(instrumented(source, path)) if "__shapecheck_call__" in one.co_varnames}
    except (OSError, SyntaxError, ValueError):
        return []
    return [(one, new[_key(one)]) for one in plain if _key(one) in new]


def _in(code: CodeType) -> Iterator[CodeType]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from _in(one)


def _key(code: CodeType) -> tuple[str, int, tuple[str, ...]]:
    return code.co_name, code.co_firstlineno, code.co_freevars
