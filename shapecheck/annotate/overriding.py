"""What a method overrides: type checkers reject an override with another type than its base class declares."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping

from shapecheck.annotate.existing import refinements
from shapecheck.static.observing.signature_facts import ValueFacts

_ANYTHING = frozenset(("Any", "object"))


class BaseClasses:
    """The base classes of a file that are in the file."""

    def __init__(self, tree: ast.Module) -> None:
        self._classes = {one.name: one for one in tree.body if isinstance(one, ast.ClassDef)}

    def declared(self, name: str) -> Mapping[str, ast.expr]:
        """The annotations of the method that a method overrides, by parameter and "return"."""
        owner, _, method = name.rpartition(".")
        cls = self._classes.get(owner)
        for base in () if cls is None else self._bases(cls, {owner}):
            for one in base.body:
                if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)) and one.name == method:
                    return dict(_annotations(one))
        return {}

    def _bases(self, cls: ast.ClassDef, seen: set[str]) -> Iterator[ast.ClassDef]:
        for one in cls.bases:
            base = self._classes.get(one.id) if isinstance(one, ast.Name) else None
            if base is not None and base.name not in seen:
                seen.add(base.name)
                yield base
                yield from self._bases(base, seen)


def _annotations(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[str, ast.expr]]:
    spec = node.args
    for one in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs):
        if one.annotation is not None:
            yield one.arg, one.annotation
    if node.returns is not None:
        yield "return", node.returns


def admits(node: ast.expr, value: ValueFacts, is_tensor: Callable[[ast.expr], bool]) -> bool:
    """Whether the declared type has tensors where a value has them."""

    def is_any_tensor(one: ast.expr) -> bool:
        items = one.slice.elts if isinstance(one, ast.Subscript) and isinstance(one.slice, ast.Tuple) else []
        return is_tensor(one) or (len(items) == 2 and is_tensor(items[0]) and isinstance(items[1], ast.Constant))

    if ast.unparse(node).rpartition(".")[2] in _ANYTHING:
        return True
    return any(True for _ in refinements(node, value, is_any_tensor))
