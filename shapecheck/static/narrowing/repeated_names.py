"""`b, n, d = q.shape` and then `b, m, d = k.shape`: the author names what differs, and means the same by b and d."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeGuard

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.spec import Dim, ShapeError
from shapecheck.spec.dim import is_variable
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.tensor_facts import assume_equal
from shapecheck.static.narrowing.tensor_reads import tensor_read_of


class _Unpacking(NamedTuple):
    """A statement that unpacks the shape of a tensor: the tensor, and a name for each size."""

    tensor: str
    names: tuple[str, ...]


def assume_repeated_names(run: Run, node: ast.Assign, sizes: Value) -> None:
    """Adds the path constraint that sizes of arguments are equal if the statement before gave them the same names."""
    function = run.frame.function
    if run.inputs is None or function is None or type(sizes) is not tuple:
        return
    for index, name in _repeated_in(function).get(node, ()):
        before, size = run.frame.scope.fields.get(name), sizes[index] if index < len(sizes) else None
        if _is_variable(before) and _is_variable(size) and {before, size} <= run.inputs.sizes:
            try:
                assume_equal(run, before, size)
            except ShapeError:
                return


def _is_variable(size: Value) -> TypeGuard[Dim]:
    return isinstance(size, Dim) and is_variable(size)


@cached_on_node
def _repeated_in(function: ast.AST) -> Mapping[ast.AST, tuple[tuple[int, str], ...]]:
    """The names that statements repeat of the one before, with their places."""
    found: dict[ast.AST, tuple[tuple[int, str], ...]] = {}
    for body in _bodies(function):
        for (_, before), (node, now) in pairwise((one, _unpacking(one)) for one in body):
            if before is not None and now is not None:
                repeated = _repeated(before, now)
                if repeated:
                    found[node] = repeated
    return found


def _repeated(before: _Unpacking, now: _Unpacking) -> tuple[tuple[int, str], ...]:
    """The places of equal names, if others differ: the author writes another name for another size."""
    if before.tensor == now.tensor or len(before.names) != len(now.names):
        return ()
    pairs = list(zip(before.names, now.names, strict=True))
    differ = any(one != other and one.strip("_") and other.strip("_") for one, other in pairs)
    equal = tuple((at, one) for at, (one, other) in enumerate(pairs) if one == other and one.strip("_"))
    return equal if differ else ()


def _unpacking(node: ast.stmt) -> _Unpacking | None:
    if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Tuple):
        return None
    read = tensor_read_of(node.value)
    targets = node.targets[0].elts
    names = tuple(one.id for one in targets if isinstance(one, ast.Name))
    if read is None or read.kind != "shape" or len(names) != len(targets):
        return None
    return _Unpacking(ast.dump(read.place), names)


def _bodies(function: ast.AST) -> Iterator[Sequence[ast.stmt]]:
    for one in walk(function):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(one, name, None)
            if isinstance(body, list):
                yield body
