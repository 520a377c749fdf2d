"""Arguments in the places of other parameters, as their names say.

`layer_norm(x, self.weight, self.bias)` of a function that takes `(x, normalized_shape, weight, bias)` is an example.

Reported are two arguments that are exchanged, `reduce(x, how, classes)` of `(x, classes, how)`, and several that are
all one place too early or too late. Exchanged names that are alike may be intended: `distance(y, x)`.
"""

from __future__ import annotations

import ast
from typing import Final, NamedTuple

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.parents import parents_in
from shapecheck.project.tree_walk import walk
from shapecheck.static.calls.argument_errors import receivers_of
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.objects import FunctionValue
from shapecheck.static.engine.argument_binding import positional_names
from shapecheck.static.engine.places import note_at
from shapecheck.static.engine.run import Run

_SHORTEST: Final = 3
"""Shorter names are those of values, `a` and `b`, which several parameters may get in turn."""


class _Moved(NamedTuple):
    """An argument with the name of another parameter than that which receives it."""

    name: str
    parameter: str
    distance: int


def report_exchanged(run: Run, node: ast.AST | None, function: FunctionValue, args: tuple[Value, ...]) -> None:
    """Reports arguments whose names are those of other parameters."""
    if not isinstance(node, ast.Call) or not node.args or function.node.args.vararg is not None:
        return
    names = _names(node)
    receivers = receivers_of(function, args)
    if len(names) + receivers != len(args):
        return
    parameters = positional_names(function.node.args)[receivers:]
    moved = [
        _Moved(name, parameters[place], parameters.index(name) - place)
        for place, name in enumerate(names[: len(parameters)])
        if name in parameters and parameters[place] != name
    ]
    found = _exchanged(moved) or _shifted(moved, {*names, *(one.arg for one in node.keywords if one.arg)})
    if found and not _is_restored(run, node, found):
        text = " and ".join(f"{one.name} for {one.parameter}" for one in found)
        defined = note_at(function.closure.loaded, function.node, f"{function.name} is defined here")
        run.report("wrong-call", node, f"{function.name}() gets {text}; pass them by name", lambda: [defined])


def _exchanged(moved: list[_Moved]) -> list[_Moved]:
    """Two arguments that each have the name of the other's parameter, and are not of one kind."""
    for one in moved:
        for other in moved:
            if (one.name, one.parameter) == (other.parameter, other.name) and not _are_alike(one.name, other.name):
                return [one, other]
    return []


def _is_restored(run: Run, node: ast.Call, moved: list[_Moved]) -> bool:
    """Whether the results are unpacked in the same order: `mask, keys = pad(mask, keys)` of `(keys, mask)`."""
    parent = parents_in(run.loaded.tree).get(node)
    targets = [part for one in parent.targets for part in walk(one)] if isinstance(parent, ast.Assign) else []
    return {one.name for one in moved} <= {last_name(one) for one in targets}


def _shifted(moved: list[_Moved], given: set[str]) -> list[_Moved]:
    """Several arguments at the same distance from their parameters."""
    if len(moved) < 2 or len({one.distance for one in moved}) != 1:
        return []
    names = [one.name for one in moved]
    is_distinct = all(len(one) >= _SHORTEST and not one[-1].isdigit() for one in names)
    return moved if is_distinct and moved[0].parameter not in given and len({*names}) == len(names) else []


def _are_alike(one: str, other: str) -> bool:
    """Whether two names may be those of values of one kind: `src_len` and `tgt_len`, `x` and `y`, `h` and `new_h`."""
    if min(len(one), len(other)) < _SHORTEST:
        return True
    first, second = one.split("_"), other.split("_")
    if {*first} <= {*second} or {*second} <= {*first}:
        return True
    return len(first) == len(second) and sum(a != b for a, b in zip(first, second, strict=True)) <= 1


@cached_on_node
def _names(node: ast.Call) -> tuple[str, ...]:
    """The last names of the positional arguments, empty for other expressions; none if some are unpacked."""
    if any(isinstance(one, ast.Starred) for one in node.args):
        return ()
    return tuple(last_name(one).lstrip("_") for one in node.args)
