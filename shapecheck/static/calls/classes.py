"""Classes: definition and instantiation."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.static.calls.decorators import returns_its_argument
from shapecheck.static.calls.functions import is_transparent_decorator
from shapecheck.static.calls.overridden_defaults import overriding_arguments
from shapecheck.static.contracts.contract import is_dataclass_decorator, is_typed_dict
from shapecheck.static.contracts.dataclass_fields import checked_fields
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import NoReturn
from shapecheck.static.domain.class_facts import MODULES, base_layer, fields_of, is_layer, is_module
from shapecheck.static.domain.enums import is_enum, member_with
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance, Namespace, allocation_ids
from shapecheck.static.domain.values import DefaultFactory, ExternalReference
from shapecheck.static.engine.dispatch import dispatch, evaluate, run_block
from shapecheck.static.engine.escape import havoc_escaped
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.run import Run
from shapecheck.static.models.nn.layers import make_layer
from shapecheck.static.models.python.dict_subclasses import fill, is_mapping
from shapecheck.static.models.python.dicts import dict_of

_MODELLED_BASES = MODULES | frozenset(
    """
    builtins.object unittest.TestCase unittest.case.TestCase abc.ABC typing.Generic typing.Protocol typing.NamedTuple
    builtins.dict collections.OrderedDict collections.UserDict
    torch.utils.data.Dataset torch.utils.data.dataset.Dataset
    torch.utils.data.IterableDataset torch.utils.data.dataset.IterableDataset
    """.split()
)


def class_value(run: Run, node: ast.ClassDef) -> ClassValue:
    """Evaluates a `class` statement; returns the class."""
    bases: list[ClassValue] = []
    external: list[str] = []
    for one in node.bases:
        base = evaluate(run, one.value if isinstance(one, ast.Subscript) else one)
        if isinstance(base, ClassValue):
            bases.append(base)
        else:
            external.append(base.name if isinstance(base, ExternalReference) else "?")
    cls = ClassValue(node, run.frame.names, tuple(bases), tuple(external))
    names = Namespace(run.loaded, run.frame.names)
    with run.inside(Frame(names, node)):
        run_block(run, node.body)
    cls.origins = names.origins
    for name, value in names.fields.items():
        if isinstance(value, FunctionValue):
            # The scope of a class body is not visible in its methods.
            value.owner, value.closure = cls, run.frame.names
        run.journal.write(cls, name, value)
    return cls


def instantiate(
    run: Run, node: ast.AST | None, cls: ClassValue, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> Value:
    """Creates an instance of the class; Unknown if it has a base or decorator that is not modelled."""
    if is_enum(cls) and len(args) == 1:
        return member_with(cls, args[0])
    if is_typed_dict(cls):
        return dict_of(*args, **kwargs)
    if not all(name in _MODELLED_BASES or is_layer(name) for name in cls.outside()) or not _is_unchanged_by_decorators(
        run, cls
    ):
        havoc_escaped(run, (cls, *args, *kwargs.values()))
        return Unknown(f"{cls.node.name} has an unsupported base or decorator")
    if node is not None and is_module(cls):  # an entry point calls it without a node
        _record_overrides(run, cls, args, kwargs)
    since = next(allocation_ids)
    return run.session.memo.call(run, cls, (args, kwargs), since, lambda: _new_instance(run, node, cls, args, kwargs))


def _record_overrides(run: Run, cls: ClassValue, args: tuple[Value, ...], kwargs: dict[str, Value]) -> None:
    """Records which defaults of the constructor a call uses, and which it overrides."""
    try:
        constructor = cls.lookup("__init__")
    except KeyError:
        return
    if isinstance(constructor, FunctionValue):
        run.called.update(overriding_arguments(constructor, args, kwargs))


def _new_instance(
    run: Run, node: ast.AST | None, cls: ClassValue, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> Value:
    made = Instance(cls)
    run.origins.built(made, node or cls.node, args, kwargs, run.frame.scope)
    if is_mapping(cls):
        fill(run, made, (), {})
    try:
        constructor = cls.lookup("__init__")
    except KeyError:
        if is_mapping(cls):
            fill(run, made, args, kwargs)
            return made
        if base_layer(cls) is not None:
            make_layer(run, node, made, args, kwargs)
            return made
        return _init_record(run, node, made, args, kwargs)
    if not isinstance(constructor, FunctionValue):
        return made
    result = dispatch.run_function(run, node, constructor, (made, *args), kwargs)
    return NoReturn(f"{cls.node.name} whose constructor raises") if isinstance(result, NoReturn) else made


def _is_unchanged_by_decorators(run: Run, cls: ClassValue) -> bool:
    """Whether its decorators leave the class unchanged, except for `dataclass`."""
    return all(
        is_dataclass_decorator(decorator)
        or is_transparent_decorator(decorator)
        or returns_its_argument(run, one.closure, decorator)
        for one in cls.mro()
        for decorator in one.node.decorator_list
    )


def _init_record(
    run: Run, node: ast.AST | None, made: Instance, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> Value:
    """Initializes an instance of a dataclass or a NamedTuple: its annotated names are its fields."""
    fields = fields_of(made.cls)
    if len(args) > len(fields) or not kwargs.keys() <= set(fields):
        return Unknown("arguments that do not match the parameters") if args or kwargs else made
    given = dict(zip(fields, args, strict=False)) | kwargs
    values = {name: given[name] if name in given else _default(run, node, made.cls, name) for name in fields}
    for name, value in checked_fields(run, node, made.cls, values).items():
        run.journal.write(made, name, value)
    try:
        after = made.cls.lookup("__post_init__")
    except KeyError:
        return made
    if isinstance(after, FunctionValue):
        dispatch.run_function(run, None, after, (made,), {})
    return made


def _default(run: Run, node: ast.AST | None, cls: ClassValue, name: str) -> Value:
    try:
        found = cls.lookup(name)
    except KeyError:
        return Unknown(f"no default for {name}")
    return dispatch.call(run, node or cls.node, found.function, (), {}) if isinstance(found, DefaultFactory) else found


dispatch.instantiate = instantiate
