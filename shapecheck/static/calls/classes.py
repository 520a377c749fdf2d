"""Classes: definition and instantiation."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from shapecheck.ops import Unknown
from shapecheck.static.calls.construction import (
    around,
    changes_argument,
    has_opaque_metaclass,
    read_hooks,
    runs_constructor,
)
from shapecheck.static.calls.decorated import keeps_class
from shapecheck.static.calls.decorators import decorator_function, returns_its_argument
from shapecheck.static.calls.library_calls import across_boundary, is_at_boundary
from shapecheck.static.calls.library_decorators import keeps_library_class
from shapecheck.static.calls.overridden_defaults import overriding_arguments
from shapecheck.static.calls.records import init_record
from shapecheck.static.calls.transparent_decorators import is_registering, keeps_methods
from shapecheck.static.contracts.contract import generating_class, is_dataclass_decorator, is_typed_dict
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import NoReturn
from shapecheck.static.domain.class_facts import UNNAMED, is_module
from shapecheck.static.domain.enums import is_enum, member_with
from shapecheck.static.domain.external_bases import ExternalBase, external_base, is_layer
from shapecheck.static.domain.library_bases import (
    has_unmodelled_base,
    is_modelled_base,
    is_module_base,
    is_probable_module,
)
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance, Namespace, allocation_ids
from shapecheck.static.domain.placeholders import as_default
from shapecheck.static.domain.values import ExternalReference, OpaqueInstance
from shapecheck.static.engine.argument_binding import (
    UNKNOWN_ARGUMENTS,
    UNKNOWN_KEYWORDS,
    bind,
    parameters_of,
    positional_names,
)
from shapecheck.static.engine.dispatch import dispatch, evaluate, run_block
from shapecheck.static.engine.escape import havoc_escaped
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.run import Run
from shapecheck.static.models.nn.layers import calls_next_constructor, initialize_base
from shapecheck.static.models.python.dict_subclasses import fill, is_mapping
from shapecheck.static.models.python.dicts import dict_of

_UNKNOWN_NUMBER = frozenset((UNKNOWN_ARGUMENTS, UNKNOWN_KEYWORDS))


def class_value(run: Run, node: ast.ClassDef) -> ClassValue:
    """Evaluates a `class` statement; returns the class."""
    cls = ClassValue(node, run.frame.names, tuple(_base(run, one) for one in node.bases))
    names = Namespace(run.loaded, run.frame.names)
    with run.inside(Frame(names, node)):
        run_block(run, node.body)
    cls.origins = names.origins
    for name, value in names.fields.items():
        if isinstance(value, FunctionValue):
            # The scope of a class body is not visible in its methods.
            value.owner, value.closure = cls, run.frame.names
        run.journal.write(cls, name, as_default(value))
    read_hooks(run, cls)
    return cls


def _base(run: Run, node: ast.expr) -> ClassValue | ExternalBase:
    base = evaluate(run, node.value if isinstance(node, ast.Subscript) else node)
    if isinstance(base, ClassValue):
        return base
    return external_base(base.name if isinstance(base, ExternalReference) else "?")


def instantiate(
    run: Run, node: ast.AST | None, cls: ClassValue, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> Value:
    """Creates an instance of the class; Unknown if it has a base or decorator that is not modelled."""
    if is_at_boundary(run, cls):
        given = (*args, *kwargs.values())
        return across_boundary(run, cls, given, lambda: instantiate(run, node, cls, args, kwargs))
    if is_enum(cls) and len(args) == 1:
        return member_with(cls, args[0])
    if is_typed_dict(cls):
        return dict_of(*args, **kwargs)
    known = all(map(_is_followed, cls.outside())) or (node is None and is_probable_module(cls))
    accepted = known and runs_constructor(cls) and not (node is not None and _may_get_others(cls, args, kwargs))
    if not accepted or not _is_unchanged_by_decorators(run, cls):
        havoc_escaped(run, (cls, *args, *kwargs.values()))
        return OpaqueInstance(cls)
    if node is not None and is_module(cls):  # an entry point calls it without a node
        _record_overrides(run, cls, args, kwargs)
        if run.defaults.nested:
            kwargs = _with_variant(run, cls, args, kwargs)
    since, given = next(allocation_ids), (args, kwargs)

    def build() -> Value:
        return _new_instance(run, node, cls, args, kwargs)

    return run.session.memo.call(run, cls, given, since, build, node=node)


def _may_get_others(cls: ClassValue, args: tuple[Value, ...], kwargs: dict[str, Value]) -> bool:
    """Whether the constructor refuses the arguments of a call that a metaclass of a library may replace."""
    constructor = _constructor(cls) if has_opaque_metaclass(cls) else None
    return constructor is not None and bind(constructor, (None, *args), kwargs) is None


def _is_followed(base: str) -> bool:
    """Whether a class with this base from outside the project is built by its own constructor."""
    return is_modelled_base(base) or is_module_base(base)


def _record_overrides(run: Run, cls: ClassValue, args: tuple[Value, ...], kwargs: dict[str, Value]) -> None:
    """Records which defaults of the constructor a call uses, and which it overrides."""
    constructor = _constructor(cls)
    if constructor is not None:
        run.called.update(overriding_arguments(constructor, args, kwargs))


def _constructor(cls: ClassValue) -> FunctionValue | None:
    """The `__init__` of a class, if the project defines it."""
    try:
        found = cls.lookup("__init__")
    except KeyError:
        return None
    return found if isinstance(found, FunctionValue) else None


def _with_variant(run: Run, cls: ClassValue, args: tuple[Value, ...], kwargs: dict[str, Value]) -> dict[str, Value]:
    """The keyword arguments of a call, and those of the variant that runs, for parameters that the call leaves out."""
    constructor = _constructor(cls)
    if constructor is None or not _UNKNOWN_NUMBER.isdisjoint(kwargs):
        return kwargs
    passed = positional_names(constructor.node.args)[1 : len(args) + 1]
    others = [one for one in parameters_of(constructor.node.args) if one.name not in passed]
    return {**run.defaults.completing(others), **kwargs}


def _new_instance(
    run: Run, node: ast.AST | None, cls: ClassValue, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> Value:
    made = Instance(cls)
    if has_unmodelled_base(cls) or has_opaque_metaclass(cls):
        run.journal.write(made, UNNAMED, True)
    run.origins.built(made, node or cls.node, args, kwargs, run.frame.scope)
    if is_mapping(cls):
        fill(run, made, (), {})
    holder = cls.holder("__init__")
    is_generated = isinstance(holder, ClassValue) and generating_class(cls) is not None
    if not isinstance(holder, ClassValue) or is_generated:
        if is_mapping(cls) and not is_generated:
            fill(run, made, args, kwargs)
            return made
        return _init_from_outside(run, node, made, args, kwargs)
    constructor = holder.fields["__init__"]
    if not isinstance(constructor, FunctionValue):
        return made
    hooks = around(cls)
    _run_hooks(run, made, () if hooks is None else hooks.before)
    result = dispatch.run_function(run, node, constructor, (made, *args), kwargs)
    _run_hooks(run, made, () if hooks is None else hooks.after)
    return NoReturn(f"{cls.node.name} whose constructor raises") if isinstance(result, NoReturn) else made


def _run_hooks(run: Run, made: Instance, names: Iterable[str]) -> None:
    """Runs the methods that a metaclass calls on a new object."""
    for name in names:
        holder = made.cls.holder(name)
        hook = holder.fields[name] if isinstance(holder, ClassValue) else None
        if isinstance(hook, FunctionValue):
            with run.silenced():
                others = Unknown("the arguments of the constructor")
                extras: dict[str, Value] = {UNKNOWN_ARGUMENTS: others, UNKNOWN_KEYWORDS: others}
                needs = len(positional_names(hook.node.args)) > 1 or hook.node.args.vararg is not None
                dispatch.run_function(run, None, hook, (made,), extras if needs else {})


def _init_from_outside(
    run: Run, node: ast.AST | None, made: Instance, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> Value:
    """Initializes an instance whose constructor is generated, or that of a base class from outside the project."""
    holder = made.cls.holder("__init__")
    if isinstance(holder, ExternalBase) and (is_layer(holder.name) or calls_next_constructor(made.cls)):
        initialize_base(run, node, made, holder, args, kwargs)
        return made
    if has_unmodelled_base(made.cls):
        return made
    return init_record(run, node, made, generating_class(made.cls) or made.cls, args, kwargs)


def _is_unchanged_by_decorators(run: Run, cls: ClassValue) -> bool:
    """Whether its decorators leave the class unchanged, except for `dataclass`."""
    return all(
        is_dataclass_decorator(decorator)
        or keeps_methods(decorator)
        or keeps_library_class(run, one, decorator)
        or _keeps(run, one, decorator)
        for one in cls.mro()
        for decorator in one.node.decorator_list
    )


def _keeps(run: Run, cls: ClassValue, decorator: ast.expr) -> bool:
    """Whether a decorator returns the class unchanged."""
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    if decorator_function(run, cls.closure, target) is None:
        return is_registering(decorator)
    if returns_its_argument(run, cls.closure, decorator):
        return not _is_changed_by(run, cls, decorator)
    return keeps_class(run, cls, decorator)


def _is_changed_by(run: Run, cls: ClassValue, decorator: ast.expr) -> bool:
    """Whether a decorator of another file, which is not run, sets attributes of the class."""
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    function = decorator_function(run, cls.closure, target)
    return (
        function is not None and function.closure.loaded is not cls.closure.loaded and changes_argument(function.node)
    )


dispatch.instantiate = instantiate
