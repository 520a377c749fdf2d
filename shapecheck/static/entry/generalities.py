"""Which objects of a class are built, so that what holds for all of them holds for other arguments, too.

Besides one with symbolic sizes, there is one with another argument in the place of each default that may select a
branch or another result: the other value of a flag, another string, a value for None, and for 0 and 1, the next number.
A parameter without default that may be None by its annotation is None once.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from shapecheck.project.tree_walk import walk
from shapecheck.spec import unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ClassValue
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.engine.argument_binding import Parameter, parameters_of
from shapecheck.static.entry.general_instances import LEAST_LAYERS, Generality
from shapecheck.static.entry.layer_counts import LayerCounts, layer_counts
from shapecheck.static.entry.layer_parameters import layer_parameters
from shapecheck.static.entry.variants import constructor_of, strings_compared

_MOST = 14
_MOST_STRINGS = 2
_OPTIONAL = re.compile(r"^(?:typing\.)?Optional\[|\| None$|^None \|")
_INTEGERS = frozenset(("int", "int | None", "Optional[int]", "None | int"))


def generalities(cls: ClassValue, passed: Mapping[str, str]) -> Iterator[Generality]:
    """How the objects of a class are built, the most usual ones first; `passed` are the types of known arguments."""
    constructor = constructor_of(cls)
    if constructor is None:
        yield Generality()
        for layer in layer_parameters(cls):
            if type(layer.default) is int and layer.default in (0, 1):
                yield Generality(given=((layer.name, layer.default + 1),))
        return
    parameters = parameters_of(constructor.node.args)
    counts = layer_counts(constructor)
    types = {one.name: passed.get(one.name, "") if one.node.annotation is None else _written(one) for one in parameters}
    required = [one.name for one in parameters if one.default is None]
    plain = ("int", "bool")
    usual: dict[str, Value] = {
        name: unknown(name, 1) if types[name] == "int" else True
        for name in required
        if types[name] in plain and name not in counts
    }
    yield Generality(given=tuple(usual.items()))
    has_counts = any(one.name in counts for one in parameters)
    if has_counts:
        yield Generality(more_layers=1, given=tuple(usual.items()))
    read = _names_read(constructor.node)
    several = [one for one in parameters if one.by_name and one.default is not None and one.name in read]
    others = [(one.name, value) for one in several if one.name not in counts for value in _others(one, cls.node)]
    for name, value in (*_required(required, usual, types, counts), *islice(others, _MOST)):
        given = tuple({**usual, name: value}.items())
        yield Generality(given=given)
        if has_counts:  # else a number of layers would be taken for a fixed size
            yield Generality(more_layers=1, given=given)


def _required(
    names: Iterable[str], usual: Mapping[str, Value], types: Mapping[str, str], counts: LayerCounts
) -> Iterator[tuple[str, Value]]:
    """Other arguments in the place of those without a default."""
    for name in names:
        if usual.get(name) is True:
            yield name, False
        if _may_be_none(types[name]):
            yield name, None
        if name in counts.names and name in counts.items:  # a number of layers, or one for each stage
            yield name, (LEAST_LAYERS,) * counts.items[name]


def _others(one: Parameter, scope: ast.AST) -> Iterator[Value]:
    """What a caller may pass instead of a default that is a constant."""
    if not isinstance(one.default, ast.Constant):
        return
    default = one.default.value
    if isinstance(default, bool):
        yield not default
    elif default is None:
        written = _written(one)
        if written in _INTEGERS:
            yield unknown(one.name, 1)
        elif not written:
            yield SymbolicArgument(one.name, excluded=frozenset((None,)))
    elif isinstance(default, str):
        yield from [text for text in strings_compared(scope).get(one.name, ()) if text != default][:_MOST_STRINGS]
    elif type(default) is int and default in (0, 1):
        yield default + 1


def _written(one: Parameter) -> str:
    annotation = one.node.annotation
    return "" if annotation is None else ast.unparse(annotation)


def _may_be_none(annotation: str) -> bool:
    return bool(_OPTIONAL.search(annotation))


def _names_read(node: ast.AST) -> frozenset[str]:
    return frozenset(one.id for one in walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load))
