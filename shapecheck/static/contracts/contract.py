"""The annotations of a function, read once."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from shapecheck.static.binding import parameters_of
from shapecheck.static.contracts.kinds import ANYTHING, Kind, Many, annotations_in
from shapecheck.static.contracts.names import Scope
from shapecheck.static.contracts.objects import carries
from shapecheck.static.contracts.reading import read
from shapecheck.static.machine import Machine
from shapecheck.static.values import UNREAD, FunctionValue


@dataclass(frozen=True, slots=True)
class Contract:
    """The types of a function's parameters, in order, and of what it returns; `holes` are the `{...}` in them."""

    parameters: dict[str, Kind]
    returns: Kind
    holes: tuple[str, ...]


def contract_of(machine: Machine, function: FunctionValue) -> Contract | None:
    """The function's contract, None where its annotations say nothing about axes."""
    if function.contract is UNREAD:
        function.contract = None  # a class that names itself asks for this again
        function.contract = _read(machine, function)
    return function.contract  # type: ignore[no-any-return]


def scope_of(machine: Machine, function: FunctionValue) -> Scope:
    """Where the annotations of a function stand."""
    return Scope(machine, function.closure, function.owner)


def _read(machine: Machine, function: FunctionValue) -> Contract | None:
    node = function.node
    if isinstance(node, ast.Lambda):
        return None
    spec = node.args
    every = [one.node for one in parameters_of(spec)]
    if node.returns is None and all(one is None or one.annotation is None for one in (*every, spec.vararg, spec.kwarg)):
        return None
    scope = scope_of(machine, function)
    kinds = {one.arg: read(scope, one.annotation) for one in every if one.annotation is not None}
    for rest, mapping in ((spec.vararg, False), (spec.kwarg, True)):
        if rest is not None and rest.annotation is not None:
            kinds[rest.arg] = Many(read(scope, rest.annotation), mapping)
    returns = read(scope, node.returns)
    if not any(carries(machine, kind) for kind in (*kinds.values(), returns)):
        return None
    parameters = {name: kind for name, kind in kinds.items() if kind is not ANYTHING}
    found = [hole for kind in (*kinds.values(), returns) for one in annotations_in(kind) for hole in one.holes]
    return Contract(parameters, returns, tuple(dict.fromkeys(found)))
