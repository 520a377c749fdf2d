"""Which functions an analysis has looked into: the bodies that it ran, or read for any other purpose.

The body of a *unit*, a function of a module or a method of one of its classes, records each access in the set that is
current. A result that is reused later is stored with the set that was current while it was computed, and adds it again
whenever it is reused. So the set of a file does not depend on which file was analyzed first.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator


class _State:
    """The set that is current."""

    __slots__ = ("current",)

    def __init__(self) -> None:
        self.current: set[str] = set()


STATE = _State()


class Observing:
    """Collects the units that are observed inside, also for what is around it."""

    __slots__ = ("_outer", "_seen")

    def __enter__(self) -> set[str]:
        self._outer = STATE.current
        self._seen = STATE.current = set()
        return self._seen

    def __exit__(self, *_: object) -> None:
        STATE.current = self._outer
        self._outer |= self._seen


class Unobserved:
    """Forgets the units that are observed inside: for what depends on them in a way that is recorded otherwise."""

    __slots__ = ("_outer",)

    def __enter__(self) -> None:
        self._outer = STATE.current
        STATE.current = set()

    def __exit__(self, *_: object) -> None:
        STATE.current = self._outer


class ObservingFact(Observing):
    """Collects what is observed while a fact about a node is computed, for `observe_fact`."""

    __slots__ = ("_facts", "_key")

    def __init__(self, node: ast.AST, name: str) -> None:
        self._facts, self._key = node.__dict__, f"observed for {name}"

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        self._facts[self._key] = self._seen


def observe_fact(node: ast.AST, name: str) -> None:
    """Records that a fact about a node is reused."""
    STATE.current |= node.__dict__.get(f"observed for {name}", frozenset())


def _body(node: ast.AST) -> list[ast.stmt]:
    """The statements of a unit, which is observed."""
    facts = node.__dict__
    STATE.current.add(facts["unit"])
    return facts["body"]  # type: ignore[no-any-return]


def _set_body(node: ast.AST, statements: list[ast.stmt]) -> None:
    node.__dict__["body"] = statements


class FunctionDef(ast.FunctionDef):
    """A function that is a unit, with the name that `ast.NodeVisitor` expects."""

    body = property(_body, _set_body)


class AsyncFunctionDef(ast.AsyncFunctionDef):
    """The same with `async`."""

    body = property(_body, _set_body)


def units_of(
    body: Iterable[ast.stmt], prefix: str = ""
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """The functions of a module and the methods of its classes, with different names."""
    count: Counter[str] = Counter()
    for name, node in _functions_in(body, prefix):
        count[name] += 1
        yield name if count[name] == 1 else f"{name}#{count[name]}", node


def _functions_in(
    body: Iterable[ast.stmt], prefix: str
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for one in body:
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield f"{prefix}{one.name}", one
        elif isinstance(one, ast.ClassDef):
            yield from _functions_in(one.body, f"{prefix}{one.name}.")
        else:
            for name in ("body", "handlers", "orelse", "finalbody", "cases"):
                yield from _functions_in(getattr(one, name, ()), prefix)


def unit_name(real: str, name: str) -> str:
    """The identity of a unit: its name, and the real path of its file."""
    return f"{name} in {real}"


def record_observations(tree: ast.Module, real: str) -> None:
    """Makes all units of a file record when they are observed."""
    for name, node in units_of(tree.body):
        node.__dict__["unit"] = unit_name(real, name)
        node.__class__ = FunctionDef if isinstance(node, ast.FunctionDef) else AsyncFunctionDef
