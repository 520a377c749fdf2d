"""Classes: their values, and making an object of one."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.project.node_cache import cached_on_node
from shapecheck.static.contracts.fields import checked_fields
from shapecheck.static.decorators import gives_back
from shapecheck.static.evaluation import evaluate, run_block
from shapecheck.static.frames import Frame
from shapecheck.static.functions import keeps_meaning, run_function
from shapecheck.static.library.dicts import dict_of
from shapecheck.static.library.enums import is_enum, member_with
from shapecheck.static.library.mappings import fill, is_mapping
from shapecheck.static.machine import Machine
from shapecheck.static.nn.layers import MODULES, base_layer, is_layer, make_layer
from shapecheck.static.replaced import given_to
from shapecheck.static.values import ClassValue, External, Factory, FunctionValue, Instance, Namespace, Value, births

_HARMLESS = MODULES | frozenset(
    """
    builtins.object unittest.TestCase unittest.case.TestCase abc.ABC typing.Generic typing.Protocol typing.NamedTuple
    builtins.dict collections.OrderedDict collections.UserDict
    torch.utils.data.Dataset torch.utils.data.dataset.Dataset
    torch.utils.data.IterableDataset torch.utils.data.dataset.IterableDataset
    """.split()
)
_DICTS = frozenset(("typing.TypedDict", "typing_extensions.TypedDict"))


def class_value(machine: Machine, node: ast.ClassDef) -> ClassValue:
    """The class that a `class` statement makes here and now."""
    bases: list[ClassValue] = []
    external: list[str] = []
    for one in node.bases:
        base = evaluate(machine, one.value if isinstance(one, ast.Subscript) else one)
        if isinstance(base, ClassValue):
            bases.append(base)
        else:
            external.append(base.name if isinstance(base, External) else "?")
    cls = ClassValue(node, machine.frame.names, tuple(bases), tuple(external))
    names = Namespace(machine.loaded, machine.frame.names)
    with machine.inside(Frame(names, node)):
        run_block(machine, node.body)
    cls.origins = names.origins
    for name, value in names.fields.items():
        if isinstance(value, FunctionValue):
            # Names in a class body are not seen from its methods.
            value.owner, value.closure = cls, machine.frame.names
        machine.journal.write(cls, name, value)
    return cls


def is_module(cls: ClassValue) -> bool:
    """Whether it is surely an nn.Module."""
    return not MODULES.isdisjoint(cls.outside())


def instantiate(
    machine: Machine, node: ast.AST | None, cls: ClassValue, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> Value:
    """The object that a call of the class makes; Unknown where a base from outside may do anything."""
    if is_enum(cls) and len(args) == 1:
        return member_with(cls, args[0])
    if cls.outside() & _DICTS:
        return dict_of(*args, **kwargs)
    if not all(name in _HARMLESS or is_layer(name) for name in cls.outside()) or not _is_as_written(machine, cls):
        return Unknown(f"{cls.node.name} has a base or a decorator that is not modelled")
    since = next(births)
    return machine.memo.call(machine, cls, (args, kwargs), since, lambda: _made(machine, node, cls, args, kwargs))


def _made(
    machine: Machine, node: ast.AST | None, cls: ClassValue, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> Value:
    made = Instance(cls)
    machine.origins.built(made, node or cls.node, args, kwargs, machine.frame.names)
    if is_mapping(cls):
        fill(machine, made, (), {})
    try:
        constructor = cls.lookup("__init__")
    except KeyError:
        if is_mapping(cls):
            fill(machine, made, args, kwargs)
            return made
        if base_layer(cls) is not None:
            make_layer(machine, node, made, args, kwargs)
            return made
        return _record(machine, node, made, args, kwargs)
    if isinstance(constructor, FunctionValue):
        if node is not None and is_module(made.cls):
            machine.called.update(given_to(constructor, args, kwargs))
        run_function(machine, node, constructor, (made, *args), kwargs)
    return made


def _is_as_written(machine: Machine, cls: ClassValue) -> bool:
    """Whether its decorators leave the class alone, but for what a dataclass gets."""
    return all(
        _is_dataclass(decorator) or keeps_meaning(decorator) or gives_back(machine, one.closure, decorator)
        for one in cls.mro()
        for decorator in one.node.decorator_list
    )


def _is_dataclass(node: ast.expr) -> bool:
    target = node.func if isinstance(node, ast.Call) else node
    name = target.attr if isinstance(target, ast.Attribute) else target.id if isinstance(target, ast.Name) else ""
    return name == "dataclass"


def _record(
    machine: Machine, node: ast.AST | None, made: Instance, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> Value:
    """An object of a dataclass or a NamedTuple: its annotated names are its fields."""
    fields = fields_of(made.cls)
    if len(args) > len(fields) or not kwargs.keys() <= set(fields):
        return Unknown("the arguments do not fit") if args or kwargs else made
    given = dict(zip(fields, args, strict=False)) | kwargs
    values = {name: given[name] if name in given else _default(machine, node, made.cls, name) for name in fields}
    for name, value in checked_fields(machine, node, made.cls, values).items():
        machine.journal.write(made, name, value)
    try:
        after = made.cls.lookup("__post_init__")
    except KeyError:
        return made
    if isinstance(after, FunctionValue):
        run_function(machine, None, after, (made,), {})
    return made


def fields_of(cls: ClassValue) -> list[str]:
    """The names of a dataclass's or a NamedTuple's fields, in order."""
    return list(dict.fromkeys(name for one in reversed(cls.mro()) for name in _annotated_names(one.node)))


@cached_on_node
def _annotated_names(node: ast.ClassDef) -> tuple[str, ...]:
    statements = (one for one in node.body if isinstance(one, ast.AnnAssign))
    return tuple(one.target.id for one in statements if isinstance(one.target, ast.Name) and not _is_no_argument(one))


def _is_no_argument(node: ast.AnnAssign) -> bool:
    """Whether it is annotated but no argument of the constructor: a ClassVar, `field(init=False)`."""
    keywords = node.value.keywords if isinstance(node.value, ast.Call) else []
    left_out = any(
        one.arg == "init" and isinstance(one.value, ast.Constant) and one.value.value is False for one in keywords
    )
    return left_out or "ClassVar" in ast.unparse(node.annotation)


def _default(machine: Machine, node: ast.AST | None, cls: ClassValue, name: str) -> Value:
    from shapecheck.static.calls import call  # noqa: PLC0415 - calls make objects

    try:
        found = cls.lookup(name)
    except KeyError:
        return Unknown(f"no default for {name}")
    return call(machine, node or cls.node, found.function, (), {}) if isinstance(found, Factory) else found
