"""Every message template of the package: the f-strings with words in them, with the type of each interpolation.

mypy infers the types. It leaves out other packages, and the bodies of functions in modules that have no templates; that
takes ten seconds.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from mypy import build
from mypy.main import process_options
from mypy.nodes import CallExpr, Expression, ListExpr, MemberExpr, StrExpr
from mypy.types import AnyType, Type, TypeOfAny, get_proper_type

from shapecheck.project.garbage import garbage_collection

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "shapecheck"

_WRITES_CODE = (
    "runtime/arrays.py",
    "runtime/build.py",
    "runtime/emit.py",
    "runtime/scope.py",
    "runtime/write.py",
    "stubs/",
    "fix/",
)
"""What is written there is Python, not messages."""


class Template(NamedTuple):
    """An f-string. `parts` are its literal texts and, in between, the types of what it interpolates."""

    path: str
    line: int
    parts: tuple[str | Interpolation, ...]

    def __str__(self) -> str:
        return "".join(part if isinstance(part, str) else f"{{{part.source}}}" for part in self.parts)

    @property
    def place(self) -> str:
        """`shapecheck/ops/rules/views.py:87`."""
        return f"{self.path}:{self.line}"

    @property
    def interpolations(self) -> list[Interpolation]:
        """The replacement fields, in order."""
        return [part for part in self.parts if not isinstance(part, str)]

    def rendered(self, values: Iterable[object]) -> str:
        """The message with these values, formatted as the template says."""
        left = iter(values)
        return "".join(part if isinstance(part, str) else part.formatted(next(left)) for part in self.parts)

    def with_each(self, text: str) -> str:
        """The message with the same text in place of each value."""
        return "".join(part if isinstance(part, str) else text for part in self.parts)


class Interpolation(NamedTuple):
    """A replacement field of an f-string; `conversion` is `r` for `{x!r}`."""

    source: str
    type: Type
    conversion: str
    specification: str

    def formatted(self, value: object) -> str:
        """The value as the f-string formats it; a specification for numbers is left out for other values."""
        if self.conversion == "r":
            return repr(value)
        return format(value, self.specification if isinstance(value, (int, float)) else "")


@cache
def templates() -> tuple[Template, ...]:
    """The templates, by path and line. Where mypy takes the code for unreachable, all types are Any."""
    inferred = _inferred()
    return tuple(
        Template(path, node.lineno, tuple(_parts(node, inferred.get(_key(node), [])))) for path, node in _written()
    )


def _without_templates() -> Iterator[str]:
    """The names of modules."""
    with_templates = {path for path, _ in _written()}
    for file in PACKAGE.rglob("*.py"):
        path = file.relative_to(ROOT)
        if path.as_posix() not in with_templates:
            yield ".".join(path.parent.parts if file.stem == "__init__" else path.with_suffix("").parts)


_Key = tuple[int, int, tuple[str, ...]]


def _written() -> Iterator[tuple[str, ast.JoinedStr]]:
    for file in sorted(PACKAGE.rglob("*.py")):
        path = file.relative_to(PACKAGE).as_posix()
        if path.startswith(_WRITES_CODE):
            continue
        for node in _outside_repr(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr) and _has_words(node):
                yield f"shapecheck/{path}", node


def _outside_repr(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree without those of `__repr__` methods, which are for debugging."""
    if isinstance(node, ast.FunctionDef) and node.name == "__repr__":
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _outside_repr(child)


def _has_words(node: ast.JoinedStr) -> bool:
    return " " in "".join(_literals(node)).strip() and len(node.values) > 1


def _literals(node: ast.JoinedStr) -> Iterator[str]:
    return (part.value for part in node.values if isinstance(part, ast.Constant))


def _key(node: ast.JoinedStr) -> _Key:
    return node.lineno, node.col_offset, tuple(_literals(node))


def _parts(node: ast.JoinedStr, types: list[Type]) -> Iterator[str | Interpolation]:
    left = iter(types)
    anything = AnyType(TypeOfAny.unannotated)
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            conversion = "" if part.conversion < 0 else chr(part.conversion)
            specification = "" if part.format_spec is None else ast.unparse(part.format_spec)[2:-1]
            yield Interpolation(ast.unparse(part.value), next(left, anything), conversion, specification)
        elif isinstance(part, ast.Constant):
            yield part.value


def _inferred() -> dict[_Key, list[Type]]:
    """The types of the interpolations of each f-string, which mypy reads as `"".join(["...", "{:{}}".format(x)])`."""
    found: dict[_Key, list[Type]] = {}
    types = _types_of_expressions()
    for node in types:
        if not isinstance(node, CallExpr) or not isinstance(node.callee, MemberExpr) or node.callee.name != "join":
            continue
        owner, given = node.callee.expr, node.args[0] if node.args else None
        if isinstance(owner, StrExpr) and not owner.value and isinstance(given, ListExpr):
            texts = tuple(item.value for item in given.items if isinstance(item, StrExpr) and item.value)
            values = [item.args[0] for item in given.items if isinstance(item, CallExpr)]
            unknown = AnyType(TypeOfAny.special_form)
            found[node.line, node.column, texts] = [get_proper_type(types.get(one, unknown)) for one in values]
    return found


_FROM_ELSEWHERE = (
    *("torch", "numpy", "jaxtyping", "libcst", "mypy", "rich", "jinja2", "beartype", "pytest", "_pytest", "msgspec"),
    "tensorboard",
)


def _types_of_expressions() -> dict[Expression, Type]:
    sources, options = process_options(["--config-file", str(ROOT / "pyproject.toml"), "-p", "shapecheck"])
    options.export_types = options.preserve_asts = True
    options.incremental = False
    for name in _FROM_ELSEWHERE:
        for pattern in (name, f"{name}.*"):
            options.per_module_options[pattern] = {"follow_imports": "skip", "ignore_missing_imports": True}
    for name in _without_templates():
        options.per_module_options[name] = {"ignore_errors": True, "preserve_asts": False}  # then it skips the bodies
    options.build_per_module_cache()
    with garbage_collection(wanted=False):
        return build.build(sources, options).types
