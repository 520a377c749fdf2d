"""Runs each function of a file with what its body requires, to see which arguments it takes and what it returns.

A function that takes optional arguments runs with all of them, with none, and with unknown ones. Where an operator
requires a dtype of an argument, a run with each of the dtypes shows that.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain

from shapecheck.diagnostics import REVEALED
from shapecheck.project.tree_walk import walk
from shapecheck.static.calls.functions import run_bound
from shapecheck.static.calls.transparent_decorators import has_transparent_decorators
from shapecheck.static.contracts.contract import contract_of, is_record, scope_of
from shapecheck.static.contracts.foreign_types import excludes_tensors
from shapecheck.static.contracts.overloads import is_overload
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.class_facts import is_module
from shapecheck.static.domain.library_bases import is_probable_module
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance
from shapecheck.static.engine.argument_binding import defaults_of, parameters_of
from shapecheck.static.engine.budget import Budget, OutOfSteps
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.entry_defaults import EntryDefaults
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.loading import SourceModule
from shapecheck.static.engine.optional_arguments import Optionals
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.scopes import learning, unwatched, within_steps
from shapecheck.static.engine.session import Session
from shapecheck.static.engine.size_names import SizeNames
from shapecheck.static.engine.symbolic_inputs import SymbolicInputs, is_symbolic, until_settled
from shapecheck.static.entry.claimed_runs import ClaimedRun
from shapecheck.static.entry.claims import claims_about
from shapecheck.static.entry.entry_runs import Found, run_once
from shapecheck.static.entry.general_instances import Generality, general_instance
from shapecheck.static.entry.generalities import generalities
from shapecheck.static.entry.isolation import arguments_of, is_forward_of_module, nullable_arguments
from shapecheck.static.entry.later_state import havoc_placeholders
from shapecheck.static.entry.receivers import decorators_of, first_argument
from shapecheck.static.entry.required_dtypes import RequiredDtypes
from shapecheck.static.entry.structural_fingerprint import structural_fingerprint
from shapecheck.static.entry.variants import constructor_of
from shapecheck.static.observing.call_observer import BUILT, CallObserver, CallPlace, entry_key
from shapecheck.static.observing.joining_facts import join_values
from shapecheck.static.observing.shared_keys import SharedKeys
from shapecheck.static.observing.signature_facts import UNKNOWN, CallFacts, Kind, ValueFacts

_MOST_STRUCTURES = 3
_FACTOR = 10
"""How many times as many steps as for an entry point all methods of a class may take."""


def observe_signatures(session: Session, loaded: SourceModule, watch: CallObserver) -> None:
    """Runs the body of a module, and its functions and the methods of its classes."""
    names = dispatch.run_module(session, loaded)
    opened = _opened(loaded.tree)
    values = [*names.fields.values(), *session.conditional.get(names, ())]
    kinds = (ClassValue, FunctionValue)
    defined = dict.fromkeys(one for one in values if isinstance(one, kinds) and one.closure is names)
    built = [
        (one, partial(_build, cls=one, watch=watch))
        for one in defined
        if isinstance(one, ClassValue) and _is_model(one)
    ]
    repeated = set(_repeated(defined))
    observed = ((one, entry) for one in defined if one not in repeated for entry in _entries(one, watch))
    for one, entry in chain(built, observed):
        with session.origins.resting():
            budget = Budget(_FACTOR * Budget().most)
            run_once(session, loaded, one.node, entry, Found(), budget, EntryDefaults(opened=opened))


def _build(run: Run, cls: ClassValue, watch: CallObserver) -> None:
    """Builds an object of a class for the observer, which sees what its constructor passes to others."""
    constructor = constructor_of(cls)
    watch.entry = None if constructor is None else constructor.node
    try:
        general_instance(run, cls, Generality())
    finally:
        watch.entry = None


def _repeated(defined: Iterable[ClassValue | FunctionValue]) -> Iterator[FunctionValue]:
    """The functions under a decorator of the project that do what others before them do: a registry has hundreds."""
    fingerprints: set[Hashable] = set()
    for one in defined:
        if isinstance(one, FunctionValue) and not has_transparent_decorators(one.node):
            fingerprint = structural_fingerprint(one.node)
            if fingerprint in fingerprints or len(fingerprints) >= _MOST_STRUCTURES:
                yield one
            fingerprints.add(fingerprint)


def _opened(tree: ast.Module) -> frozenset[ast.AST]:
    """The parameters of functions with a default other than None: a caller may pass something else."""
    functions = [one for one in walk(tree) if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]
    parameters = [one for node in functions if node.name != "__init__" for one in parameters_of(node.args)]
    return frozenset(one.node for one in parameters if one.default is not None and not _is_none(one.default))


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _entries(one: ClassValue | FunctionValue, watch: CallObserver) -> Iterator[partial[None]]:
    if isinstance(one, FunctionValue):
        yield partial(_observe, function=one, receiver=(), watch=watch)
    elif _is_model(one) or not is_record(one):
        constructor = constructor_of(one)
        for variant in generalities(one, {} if constructor is None else watch.types_passed_to(constructor)):
            yield partial(_observe_class, cls=one, variant=variant, watch=watch)


def _is_model(cls: ClassValue) -> bool:
    return is_module(cls) or is_probable_module(cls)


def _observe_class(run: Run, cls: ClassValue, variant: Generality, watch: CallObserver) -> None:
    with unwatched(run):
        made = general_instance(run, cls, variant)
    if not isinstance(made, Instance):
        return
    if _is_model(cls):
        havoc_placeholders(run, made, cls.closure.loaded)
    for method in _methods(cls):
        receiver = first_argument(method, cls, made)
        run.journal.apart(partial(_observe, run, method, receiver, watch))


def _methods(cls: ClassValue) -> list[FunctionValue]:
    """The methods of a class, and the forward that it inherits, except special ones."""
    own = [one for one in cls.fields.values() if isinstance(one, FunctionValue)]
    holder = cls.holder("forward")
    if isinstance(holder, ClassValue) and holder is not cls and isinstance(holder.fields["forward"], FunctionValue):
        own.append(holder.fields["forward"])
    return [
        one
        for one in own
        if (not one.name.startswith("__") or one.name == "__call__")
        and not is_overload(one)
        and decorators_of(one).isdisjoint(("classmethod", "property", "cached_property"))
    ]


def _observe(run: Run, function: FunctionValue, receiver: tuple[Value, ...], watch: CallObserver) -> None:
    """Runs a function with unknown optional arguments and, if it has any, with all and with none of them."""
    try:
        with within_steps(run, Budget().most):
            facts = _facts(run, function, receiver, watch)
    except (OutOfSteps, RecursionError):
        return
    if facts is not None:
        watch.require(function, facts)


def _facts(run: Run, function: FunctionValue, receiver: tuple[Value, ...], watch: CallObserver) -> CallFacts | None:
    dtypes = RequiredDtypes(_of_any_dtype(function, watch))
    usual = _run(run, function, receiver, watch, Optionals.UNKNOWN, dtypes)
    optional = {name for name, value in defaults_of(function).items() if value is None}
    optional |= nullable_arguments(run, function, Optionals.ABSENT).keys()
    if usual is None or not optional:
        return usual
    every = _run(run, function, receiver, watch, Optionals.PRESENT, dtypes)
    without = _run(run, function, receiver, watch, Optionals.ABSENT, dtypes)
    arguments = {name: one for name, one in usual.arguments.items() if name not in optional}
    keys = SharedKeys(usual.arguments, {} if every is None else every.arguments)
    for name in optional & every.arguments.keys() if every is not None else ():
        assert every is not None
        arguments[name] = replace(keys.of_value(every.arguments[name]), is_optional=True)
    result = usual.result
    if result.has_unknown or len(optional) == 1:
        known = [keys.of_value(every.result), without.result] if every is not None and without is not None else []
        if len(known) == 2 and not any(one.has_unknown for one in known):
            result = join_values(*known)
    return CallFacts(arguments, result)


def _run(
    run: Run,
    function: FunctionValue,
    receiver: tuple[Value, ...],
    watch: CallObserver,
    optionals: Optionals,
    dtypes: RequiredDtypes,
) -> CallFacts | None:
    """What a call with the arguments that the body requires shows."""
    run.begin_analysis(function.node, with_axis_names=contract_of(run, function) is not None)
    with run.inside(Frame(function.closure)):
        bound = arguments_of(run, function, receiver, optionals) | nullable_arguments(run, function, optionals)

        def action(learnt: Mapping[str, Value]) -> Value:
            return run_bound(run, None, function, {**bound, **learnt})

        values = {name: value for name, value in bound.items() if is_symbolic(value)}
        inputs = SymbolicInputs(
            batched=True,
            tensors=is_forward_of_module(function, receiver),
            eager=optionals.is_eager,
            names=SizeNames(claims_about(run, function).parameters),
        )
        with unwatched(run):
            until_settled(run, inputs, values, action)
            claims = ClaimedRun(run, function, claims_about(run, function), bound, action, inputs.tensors)
            settled = {**inputs.values, **(claims.settled(inputs.values) or {})}
            settled = dtypes.given_to(settled, partial(_findings, run, action))
        before, watch.entry, watch.last = watch.entry, function.node, None
        watch.entry_key, watch.options = entry_key(function), optionals.name
        try:
            with learning(run, None):
                run.journal.apart(partial(_call, run, action, settled, watch))
        finally:
            watch.entry, watch.entry_key, watch.options = before, "", ""
        if watch.last is None:
            return None
        first = [one.name for one in parameters_of(function.node.args)][len(receiver) :][: inputs.tensors]
        facts = _without_numbers(function, watch.last, inputs.combined.difference(first))
        return _without_tensors(run, function, facts)


def _of_any_dtype(function: FunctionValue, watch: CallObserver) -> set[str]:
    """The arguments of which another object of the class requires no dtype."""
    observed = None if isinstance(function.node, ast.Lambda) else watch.found.get(function.node)
    known = {} if observed is None or observed.required is None else observed.required.arguments
    return {name for name, one in known.items() if one.kind is Kind.TENSOR and one.dtype is None}


def _findings(run: Run, action: Callable[[Mapping[str, Value]], Value], values: Mapping[str, Value]) -> set[object]:
    """What is found in a call."""
    with learning(run, None) as found:
        run.journal.apart(partial(action, values))
    return {key for key, one in found.findings.items() if one.diagnostic.code not in REVEALED}


def _without_tensors(run: Run, function: FunctionValue, facts: CallFacts) -> CallFacts:
    """The facts with another kind for unknown arguments whose annotation excludes tensors, such as a dict."""
    scope = scope_of(run, function)
    unknown = [one.node for one in parameters_of(function.node.args) if facts.arguments.get(one.name) == UNKNOWN]
    other = [one.arg for one in unknown if one.annotation and excludes_tensors(scope, one.annotation)]
    return replace(facts, arguments={**facts.arguments, **dict.fromkeys(other, ValueFacts(Kind.OTHER))})


def _without_numbers(function: FunctionValue, facts: CallFacts, names: Iterable[str]) -> CallFacts:
    """The facts without tensors of any shape that may be numbers: only arithmetic with tensors shows that they are."""
    read = {ast.unparse(one.value) for one in walk(function.node) if isinstance(one, (ast.Attribute, ast.Subscript))}
    unsure = {
        name: UNKNOWN
        for name in names
        if name not in read and (shape := facts.arguments.get(name, UNKNOWN).shape) is not None and shape.says_nothing
    }
    return replace(facts, arguments={**facts.arguments, **unsure})


def _call(
    run: Run, action: Callable[[Mapping[str, Value]], Value], values: Mapping[str, Value], watch: CallObserver
) -> None:
    """Calls a function; if it builds a module, what its `forward` requires counts as a call of it."""
    made = action(values)
    forward = made.cls.holder("forward") if isinstance(made, Instance) and _is_model(made.cls) else None
    method = forward.fields.get("forward") if isinstance(forward, ClassValue) else None
    if not isinstance(made, Instance) or not isinstance(method, FunctionValue) or not watch.knows_little(method):
        return
    last, key = watch.last, watch.entry_key
    facts = _run(run, method, (made,), watch, Optionals.UNKNOWN, RequiredDtypes(()))
    if facts is not None:
        watch.add_call(method, CallPlace(key, (key,), BUILT), facts)
    watch.last = last


__all__ = ["observe_signatures"]
