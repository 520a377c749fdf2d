"""Objects as general as their class allows: sizes that a caller may choose are symbolic, not the defaults.

A size of a result then shows from which argument of the constructor it comes. How often a constructor repeats a layer
is a default, or one more: symbolic, it would make the layers unknown.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.spec import Dim, unknown
from shapecheck.spec.dim import is_variable
from shapecheck.static.contracts.contract import is_record
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.class_facts import fields_of
from shapecheck.static.domain.floats import UnknownFloat
from shapecheck.static.domain.objects import AttributeNamespace, ClassValue, FunctionValue, Instance, Namespace
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.engine.argument_binding import Parameter, parameters_of
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.symbolic_inputs import run_with_symbolic_inputs
from shapecheck.static.entry.class_entry import constructor_arguments
from shapecheck.static.entry.layer_counts import counts_in, layer_counts
from shapecheck.static.entry.layer_parameters import layer_parameters
from shapecheck.static.entry.variants import constructor_of

_LEAST_SIZE = 2
LEAST_LAYERS = 2
"""How many layers there are where a count has no default."""


@dataclass(frozen=True)
class Generality:
    """How general the arguments of a constructor are."""

    more_layers: int = 0
    """How many more layers than by default there are."""
    given: tuple[tuple[str, Value], ...] = ()
    """Arguments in the place of defaults, and of those that are not known."""


def general_instance(run: Run, cls: ClassValue, generality: Generality) -> Value:
    """An object that its constructor makes from arguments as general as possible; else what prevents that."""
    arguments = constructor_arguments(run, cls, keeps_none=True, opens=False)
    if arguments is None:
        arguments = {one.name: unknown(one.name, 1) for one in layer_parameters(cls) if one.default is one.empty}
    constructor = constructor_of(cls)
    if constructor is not None:
        arguments |= _general(constructor, arguments, generality)
    arguments |= dict(generality.given)
    arguments = {name: _positive(name, one) for name, one in arguments.items()}
    parts: dict[str, dict[str, str]] = {}
    symbolic: dict[str, Value] = {}
    for name, one in arguments.items():
        if isinstance(one, SymbolicArgument) and constructor is not None:
            config = _configuration(run, cls, constructor, name)
            if isinstance(config, Instance):
                arguments[name] = config
                continue
            if config:
                parts[name] = {attribute: f"{name}.{attribute}" for attribute in config}
                symbolic |= {
                    full: _positive(attribute, SymbolicArgument(attribute)) for attribute, full in parts[name].items()
                }
                continue
        if isinstance(one, SymbolicArgument):
            symbolic[name] = one

    def build(learnt: Mapping[str, Value]) -> Value:
        given = {name: learnt.get(name, one) for name, one in arguments.items()}
        for name, attributes in parts.items():
            made = AttributeNamespace()
            made.fields.update({attribute: learnt[full] for attribute, full in attributes.items()})
            given[name] = made
        return dispatch.instantiate(run, None, cls, (), given)

    with run.inside(Frame(cls.closure)):
        return run_with_symbolic_inputs(run, symbolic, build)


def _positive(name: str, value: Value) -> Value:
    """An argument that is at least 1 if it is a size: a layer that is built with it then learns nothing about it."""
    if isinstance(value, Dim) and is_variable(value):
        return unknown(name, 1)
    if isinstance(value, SymbolicArgument):
        value.own_size = unknown(name, 1)
    return value


def _general(constructor: FunctionValue, arguments: Mapping[str, Value], generality: Generality) -> dict[str, Value]:
    """Symbolic sizes in place of the defaults that are sizes, and of those that are numbers, unknown ones."""
    found: dict[str, Value] = {}
    counts = layer_counts(constructor)
    counted = 0
    for one in parameters_of(constructor.node.args):
        default, given = _number(one), arguments.get(one.name)
        counted += one.name in counts
        more = generality.more_layers * counted  # different counts stay different
        if type(default) is tuple and (one.name not in arguments or given == default):
            is_count = one.name in counts
            found[one.name] = tuple(_plus(size, more) if is_count else _open_size(one.name, size) for size in default)
        if one.default is None and one.name in counts and _is_size_argument(given):
            is_one = one.name in counts.names
            found[one.name] = LEAST_LAYERS + more if is_one else (LEAST_LAYERS + more,) * counts.items[one.name]
            continue
        if one.name in arguments and not isinstance(given, type(default)):
            continue
        if type(default) is int and default >= _LEAST_SIZE:
            found[one.name] = default + more if one.name in counts else unknown(one.name, 1)
        elif type(default) is float:
            found[one.name] = UnknownFloat()
    return found


def _plus(size: Value, more: int) -> Value:
    return size + more if isinstance(size, int) else size


def _is_size_argument(value: Value) -> bool:
    return isinstance(value, (Dim, SymbolicArgument))


def _number(one: Parameter) -> Value:
    if isinstance(one.default, ast.Tuple):
        items = [item.value if isinstance(item, ast.Constant) else None for item in one.default.elts]
        return tuple(items) if items and all(type(item) is int for item in items) else None
    return one.default.value if isinstance(one.default, ast.Constant) else None


def _open_size(name: str, size: Value) -> Value:
    return unknown(name, 1) if isinstance(size, int) and size >= _LEAST_SIZE else size


def _configuration(
    run: Run, cls: ClassValue, constructor: FunctionValue, name: str
) -> Instance | tuple[str, ...] | None:
    """A configuration object for a parameter whose attributes the constructor reads; else the names of these."""
    parameter = next((one for one in parameters_of(constructor.node.args) if one.name == name), None)
    if parameter is None or parameter.node.annotation is not None:
        return None
    if name not in _read_from(constructor.node):
        return None
    attributes = attributes_read(constructor.closure.loaded.tree, name)
    if not attributes:
        return None
    record = _record_with(constructor.closure, attributes)
    return _general_record(run, record) if record is not None else tuple(sorted(attributes))


@cached_on_node
def _read_from(function: ast.AST) -> frozenset[str]:
    """The names whose attributes a function reads."""
    return frozenset(
        one.value.id for one in walk(function) if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name)
    )


def attributes_read(tree: ast.Module, name: str) -> frozenset[str]:
    """The attributes that a file reads from a name, without those that it calls."""
    return _attributes(tree).get(name, frozenset())


@cached_on_node
def _attributes(tree: ast.Module) -> dict[str, frozenset[str]]:
    called = {id(one.func) for one in walk(tree) if isinstance(one, ast.Call)}
    found: dict[str, set[str]] = {}
    for one in walk(tree):
        if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and id(one) not in called:
            found.setdefault(one.value.id, set()).add(one.attr)
    return {name: frozenset(attributes) for name, attributes in found.items()}


def _record_with(names: Namespace, attributes: frozenset[str]) -> ClassValue | None:
    """The only dataclass of a module that has all of these fields."""
    records = [one for one in names.fields.values() if isinstance(one, ClassValue) and is_record(one)]
    found = [one for one in records if attributes & set(fields_of(one)) and attributes <= _names_in(one)]
    return found[0] if len(found) == 1 else None


def _names_in(record: ClassValue) -> set[str]:
    return {name for one in record.mro() for name in one.fields if isinstance(name, str)} | set(fields_of(record))


def _general_record(run: Run, record: ClassValue) -> Instance | None:
    """A dataclass whose sizes are symbolic."""
    counts = _counts_of_record(record)
    given: dict[str, Value] = {}
    for one in record.mro():
        for name in fields_of(one):
            default = one.fields.get(name)
            if type(default) is int and default >= _LEAST_SIZE and name not in counts:
                given[name] = unknown(name, 1)
            elif type(default) is float:
                given[name] = UnknownFloat()
    with run.inside(Frame(record.closure)):
        made = dispatch.instantiate(run, None, record, (), given)
    return made if isinstance(made, Instance) else None


def _counts_of_record(record: ClassValue) -> frozenset[str]:
    """The fields of a configuration that the code of its module uses as counts of layers."""
    classes = [one for one in record.closure.fields.values() if isinstance(one, ClassValue)]
    constructors = [made for one in classes if (made := constructor_of(one)) is not None]
    return counts_in(record.closure.loaded.tree).union(*(layer_counts(one).names for one in constructors))
