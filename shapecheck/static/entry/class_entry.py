"""A class as an entry point: it is built with its defaults, then its methods are analyzed on the object."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

from shapecheck.ops import Unknown
from shapecheck.static.contracts import contract_of
from shapecheck.static.contracts.contract import is_record
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Never
from shapecheck.static.domain.class_facts import base_layer, is_module
from shapecheck.static.domain.library_bases import is_probable_module
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.domain.unset_argument import UnsetArgument
from shapecheck.static.engine.argument_binding import (
    UNKNOWN_ARGUMENTS,
    UNKNOWN_KEYWORDS,
    Parameter,
    defaults_of,
    parameters_of,
    positional_names,
)
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.entry_defaults import EntryDefaults
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.optional_arguments import Optionals
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.scopes import dry_run
from shapecheck.static.engine.symbolic_inputs import run_with_symbolic_inputs
from shapecheck.static.entry.isolation import symbolic_argument
from shapecheck.static.entry.later_state import havoc_placeholders
from shapecheck.static.entry.observed_uses import observe_uses, steps_of_uses
from shapecheck.static.entry.receivers import analyze_annotated_methods, annotated_methods
from shapecheck.static.entry.uncalled_methods import analyze_uncalled_methods
from shapecheck.static.entry.usual_parts import takes_parts, usual_parts
from shapecheck.static.observing.observer import Precision
from shapecheck.static.observing.tensor_expressions import expressions_of

_NOTHING: Mapping[str, Value] = MappingProxyType({})


def run_class(run: Run, cls: ClassValue, given: Mapping[str, Value] = _NOTHING) -> bool:
    """Instantiates a class with its defaults, or the `given` arguments, and analyzes its methods.

    If the constructor refuses its own defaults, no such object exists: then all of them are unknown. If it refuses
    those of a variant, there is nothing to analyze, and the result is false.
    """
    if not is_module(cls) and is_record(cls):
        _analyze_methods(run, cls, None)
        return True
    made = instance_of(run, cls, given)
    if isinstance(made, Never):
        if run.defaults.is_variant:
            return False
        made = instance_of(run, cls, given, opens=True)
    if run.watch is None or not _is_model(cls):
        _analyze_methods(run, cls, made)
    else:
        _analyze_observed(run, cls, made)
    return True


def _analyze_observed(run: Run, cls: ClassValue, made: Value) -> None:
    """Analyzes the methods of a module and, for the observer, runs them again on the object as it was built."""
    shows_more = _shows_more_with_defaults(run, cls, made)
    run.journal.apart(partial(_analyze_methods, run, cls, made))
    if shows_more and not _is_well_known(run, cls):
        _observe_defaults(run, cls, made)
    observe_uses(run, made, cls)


def _analyze_methods(run: Run, cls: ClassValue, made: Value) -> None:
    if _is_model(cls):
        havoc_placeholders(run, made, cls.closure.loaded)
    forward = cls.fields.get("forward", _forward_of_mixin(cls))
    if not _is_model(cls) or not isinstance(made, Instance) or not isinstance(forward, FunctionValue):
        forward = None
    if forward is not None and (is_pending(run, forward) or forward is not cls.fields.get("forward")):
        result = dispatch.analyze_isolated(run, forward, (made,))
        if isinstance(result, Unknown):
            _note_skipped(run, cls, result.reason)
    if _is_model(cls) or annotated_methods(run, cls):
        analyze_annotated_methods(run, cls, made)
    analyze_uncalled_methods(run, cls, made)
    _analyze_inherited_forward(run, cls, made)


def _analyze_inherited_forward(run: Run, cls: ClassValue, made: Value) -> None:
    """Runs the `forward` of a module last on what the constructor of a subclass builds.

    The methods that it calls have been analyzed with what their annotations say.
    """
    holder = cls.holder("forward")
    if not isinstance(made, Instance) or not isinstance(holder, ClassValue) or holder is cls or not _is_model(holder):
        return
    forward = holder.fields["forward"]
    if "__init__" in cls.fields and isinstance(forward, FunctionValue):
        dispatch.analyze_isolated(run, forward, (made,))


def _forward_of_mixin(cls: ClassValue) -> Value:
    """The `forward` that a module inherits from a class that is not a module; None if there is none."""
    holder = cls.holder("forward")
    return holder.fields["forward"] if isinstance(holder, ClassValue) and not _is_model(holder) else None


def _is_model(cls: ClassValue) -> bool:
    """Whether it is a module, certainly or very likely."""
    return is_module(cls) or is_probable_module(cls)


def is_pending(run: Run, function: FunctionValue) -> bool:
    """Whether a function was not called, or has an annotation contract, which its body must fulfil for all sizes."""
    return function.node not in run.called or contract_of(run, function) is not None


def _shows_more_with_defaults(run: Run, cls: ClassValue, made: Value) -> bool:
    """Whether a module that is built with all defaults differs from `made` when its `forward` is analyzed."""
    forward = cls.fields.get("forward")
    if isinstance(forward, FunctionValue) and (not is_pending(run, forward) or None in defaults_of(forward).values()):
        return True
    if _replaces_none(run, cls) or takes_parts(run, cls):
        return True
    _, changes = run.journal.apart(partial(havoc_placeholders, run, made, cls.closure.loaded))
    return bool(changes)


def _replaces_none(run: Run, cls: ClassValue) -> bool:
    """Whether an instance is not built with all defaults of its constructor, because some are None."""
    plain, kept = (constructor_arguments(run, cls, keeps_none=keeps_none, opens=False) for keeps_none in (False, True))
    return plain is not None and kept is not None and plain.keys() != kept.keys()


def _is_well_known(run: Run, cls: ClassValue) -> bool:
    """Whether every expression in the `forward` of a class was seen, and as a tensor only with all sizes."""
    forward = cls.fields.get("forward")
    node = forward.node if isinstance(forward, FunctionValue) else None
    if run.watch is None or not isinstance(node, ast.FunctionDef):
        return False
    values = run.watch.values
    levels = (values[one][0] if one in values else None for one in expressions_of(node))
    return all(one in (Precision.NO_TENSOR, Precision.SIZES) for one in levels)


def _observe_defaults(run: Run, cls: ClassValue, made: Value) -> None:
    """For an observer, runs a module built with all defaults, None included, without findings."""

    def body() -> None:
        parts = usual_parts(run, cls, build)
        built = build(cls, parts) if parts or _replaces_none(run, cls) else made
        forward = cls.fields.get("forward")
        if isinstance(built, Instance) and isinstance(forward, FunctionValue):
            dispatch.analyze_isolated(run, forward, (built,), optionals=Optionals.ABSENT)
            if parts:
                observe_uses(run, built, cls, most)

    most = steps_of_uses(run)

    def build(one: ClassValue, parts: dict[str, Value]) -> Value:
        return instance_of(run, one, parts, keeps_none=True)

    with dry_run(run):
        run.journal.apart(body)


def instance_of(
    run: Run, cls: ClassValue, given: Mapping[str, Value] = _NOTHING, *, keeps_none: bool = False, opens: bool = False
) -> Value:
    """An instance built with the defaults of its constructor and symbolic arguments; None if that is impossible.

    A default of None is kept if `keeps_none`, else unknown. All defaults are unknown if `opens`.
    """
    arguments = constructor_arguments(run, cls, keeps_none=keeps_none, opens=opens)
    if arguments is None:
        _note_skipped(run, cls, "constructor inherited from a torch layer")
        return None
    arguments |= given

    def build(learnt: Mapping[str, Value]) -> Value:
        return dispatch.instantiate(run, None, cls, (), {**arguments, **learnt})

    with run.inside(Frame(cls.closure)):
        made = run_with_symbolic_inputs(
            run, {name: one for name, one in arguments.items() if isinstance(one, SymbolicArgument)}, build
        )
    if isinstance(made, Unknown):
        _note_skipped(run, cls, made.reason)
    return made


def _note_skipped(run: Run, cls: ClassValue, why: str) -> None:
    if run.watch is not None:
        run.watch.classes[cls.node] = why


def _required(run: Run, constructor: FunctionValue, parameter: Parameter) -> Value:
    """The value of an argument without a default."""
    value = symbolic_argument(run, constructor, parameter.node)
    if isinstance(value, SymbolicArgument):
        value.own_size = run.defaults.known_size(parameter.name, value.own_size)
    return run.defaults.size(parameter.name, value)


def constructor_arguments(run: Run, cls: ClassValue, *, keeps_none: bool, opens: bool) -> dict[str, Value] | None:
    """A symbolic value for each argument that the constructor requires, None if it is that of a layer of torch.

    For a layer no sensible values can be chosen.
    """
    try:
        constructor = cls.lookup("__init__")
    except KeyError:
        return {} if base_layer(cls) is None else None
    if not isinstance(constructor, FunctionValue):
        return {}
    spec = constructor.node.args
    receiver = positional_names(spec)[:1]
    parameters = [one for one in parameters_of(spec) if one.name not in receiver]
    found = {one.name: _required(run, constructor, one) for one in parameters if one.default is None}
    defaults = {name: value for name, value in defaults_of(constructor).items() if name not in receiver}
    if found and not keeps_none:  # it is never built with defaults alone, so that a default of None may be overridden
        unset = [one.name for one in parameters if one.by_position and defaults.get(one.name, ...) is None]
        found |= {name: UnsetArgument(name) for name in unset}
    has_extras = spec.vararg is not None or spec.kwarg is not None
    chosen = EntryDefaults(frozenset(one.node for one in parameters)) if opens else run.defaults
    for one in parameters:
        if one.name in defaults and one.name not in found:
            value = chosen.argument(constructor, one, defaults[one.name])
            if value is not defaults[one.name] or has_extras:
                found[one.name] = value
    if spec.vararg is not None:
        found[UNKNOWN_ARGUMENTS] = Unknown(f"unknown arguments of *{spec.vararg.arg}")
    if spec.kwarg is not None:
        found[UNKNOWN_KEYWORDS] = Unknown(f"unknown keyword arguments of **{spec.kwarg.arg}")
    return found | run.defaults.replacing(parameters)
