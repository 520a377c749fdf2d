"""Pyrefly alone, with its torch stubs, which follow shapes, and where each definition declares its dimensions, too.

Its documentation wants `@static_jaxtyping("b t *rest")` on each definition whose jaxtyping annotations are to count.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.rivals.tool import Said, Tool, by_file, report

PACKAGES = ("pyrefly", "pyrefly-torch-stubs", "torch", "jaxtyping==0.3.11", "beartype", "numpy", "einops")


def _check(python: Path, root: Path, files: Sequence[Path]) -> Said:
    argv = [str(python.parent / "pyrefly"), "check", "--preset=default", "--output-format=json", "--summary=none"]
    argv += ["--python-interpreter-path", str(python), *(str(path.relative_to(root)) for path in files)]
    found = report(argv, root)["errors"]
    loud = (one for one in found if one.get("severity", "error") == "error")
    return by_file(files, ((root / one["path"], one["line"], f"{one['description']} [{one['name']}]") for one in loud))


@dataclass(frozen=True, slots=True)
class Decorated:
    """A source with more lines, and of each line the number that it had."""

    text: str
    lines: list[int]


_NAME = re.compile(r"[A-Za-z_]\w*")


def dimensions(function: ast.FunctionDef) -> list[str]:
    """The names in the axis strings of its annotations, a variadic one with its star, in order."""
    found: dict[str, str] = {}
    for node in ast.walk(function):
        match node:
            case ast.Subscript(slice=ast.Tuple(elts=[_, ast.Constant(value=str(axes))])):
                for axis in axes.split():
                    plain = axis.partition("=")[2] or axis
                    for name in _NAME.findall(re.sub(r"\{.*?\}", "", plain)):
                        if not name.startswith("_"):
                            found.setdefault(name, f"*{name}" if plain.startswith("*") else name)
            case _:
                pass
    return list(found.values())


def decorated(source: str) -> Decorated:
    """The source with `static_jaxtyping` over each function that has shapes, and its import."""
    before: dict[int, str] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and (names := dimensions(node)):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            before[first] = f'{" " * node.col_offset}@static_jaxtyping("{" ".join(names)}")'
    if before:
        before.setdefault(_first_import(source), "from shape_extensions import static_jaxtyping")
    return Decorated(*_inserted(source, before))


def _first_import(source: str) -> int:
    body = ast.parse(source).body
    futures = [node for node in body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    return next(node.lineno for node in body if isinstance(node, ast.Import | ast.ImportFrom) and node not in futures)


def _inserted(source: str, before: dict[int, str]) -> tuple[str, list[int]]:
    rows = list(_rows(source, before))
    return "\n".join(text for text, _ in rows) + "\n", [number for _, number in rows]


def _rows(source: str, before: dict[int, str]) -> Iterator[tuple[str, int]]:
    for number, line in enumerate(source.splitlines(), start=1):
        if number in before:
            yield before[number], number
        yield line, number


def _check_decorated(python: Path, root: Path, files: Sequence[Path]) -> Said:
    origins = {}
    sources = {path: path.read_text() for path in files}
    for path, source in sources.items():
        made = decorated(source)
        path.write_text(made.text)
        origins[path] = made.lines
    said = _check(python, root, files)
    for path, source in sources.items():
        path.write_text(source)
    return {path: [one._replace(line=origins[path][one.line - 1]) for one in found] for path, found in said.items()}


PLAIN = Tool("Pyrefly", _check)
STUBS = Tool("Pyrefly with its torch stubs", _check, PACKAGES)
DECORATED = Tool("Pyrefly with @static_jaxtyping", _check_decorated, PACKAGES)
