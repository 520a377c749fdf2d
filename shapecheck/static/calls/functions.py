"""Functions: definition, and running their bodies in a frame of their own."""

from __future__ import annotations

import ast
from contextlib import nullcontext

from shapecheck.ops import Unknown
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.own_scope import in_own_scope
from shapecheck.spec import unknown
from shapecheck.static.calls.argument_errors import argument_error
from shapecheck.static.calls.decorated import call_wrapper, runs_body, wrapper_of
from shapecheck.static.calls.decorators import FunctionNode, returns_its_argument, returns_wrapper
from shapecheck.static.calls.exchanged_arguments import report_exchanged
from shapecheck.static.calls.library_calls import across_boundary, is_at_boundary
from shapecheck.static.calls.library_decorators import is_wrapped, keeps_contract, reads_keyword
from shapecheck.static.calls.transparent_decorators import (
    has_transparent_decorators,
    is_registering,
    is_transparent_decorator,
)
from shapecheck.static.contracts import contract_of
from shapecheck.static.contracts.checked_call import CheckedCall, check_call
from shapecheck.static.contracts.contradictions import record_contradiction
from shapecheck.static.contracts.opaque_functions import is_abstract, is_stub, result_of_decorated, writes_objects
from shapecheck.static.contracts.overloads import choose_overload
from shapecheck.static.domain.abstract_values import ABSENT, Value
from shapecheck.static.domain.alternatives import Never, NoReturn
from shapecheck.static.domain.correlated_conditions import grouped_body
from shapecheck.static.domain.join import join
from shapecheck.static.domain.objects import ClassValue, FunctionValue, ListValue, Namespace, allocation_ids
from shapecheck.static.domain.placeholders import as_default, is_placeholder_method
from shapecheck.static.engine.active_calls import may_follow, recursion_key
from shapecheck.static.engine.argument_binding import bind
from shapecheck.static.engine.contradicted_claims import note_call
from shapecheck.static.engine.dispatch import dispatch, evaluate, run_block
from shapecheck.static.engine.dry_effects import havoc_changes
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.origins import CallOrigin
from shapecheck.static.engine.places import Place
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.scopes import autocast
from shapecheck.static.operators.autocast import is_decorated


def function_value(run: Run, node: FunctionNode, owner: ClassValue | None = None) -> FunctionValue:
    """Returns the function that a `def` or a lambda defines, its defaults evaluated."""
    defaults = tuple(as_default(evaluate(run, one)) for one in node.args.defaults)
    kw_defaults = tuple(ABSENT if one is None else as_default(evaluate(run, one)) for one in node.args.kw_defaults)
    return FunctionValue(node, run.frame.scope, defaults, kw_defaults, owner)


def run_function(
    run: Run,
    node: ast.AST | None,
    function: FunctionValue,
    args: tuple[Value, ...],
    kwargs: dict[str, Value],
) -> Value:
    """Runs the function's body on these arguments; Unknown if the arguments do not bind or the call is too deep."""
    if is_at_boundary(run, function):
        given = (*args, *kwargs.values())
        return across_boundary(run, function, given, lambda: run_function(run, node, function, args, kwargs))
    if kwargs and is_wrapped(function) and reads_keyword(run, function, kwargs):
        return Unknown("an argument that a decorator handles")
    wrapper = None if node is None or _is_transparent(run, function) else wrapper_of(run, function)
    if node is not None and wrapper is not None:
        result = call_wrapper(run, node, function, wrapper, (args, kwargs))
        bound = bind(function, args, kwargs) if type(result) is Unknown else None
        return result if bound is None else result_of_decorated(run, function, bound)
    since = next(allocation_ids)
    bound = bind(function, args, kwargs)
    if bound is None:
        known = not _not_followed(run, function, {}) and not is_wrapped(function)
        return (
            argument_error(run, node, function, args, kwargs)
            if known
            else Unknown("arguments that do not match the parameters")
        )
    report_exchanged(run, node, function, args)
    if function.node in run.session.claimed.values():
        note_call(run, function.node, bound)
    call = None
    if run.origins.noted:
        call = CallOrigin(node, run.frame.scope, function, len(args), bound, kwargs)

    def action() -> Value:
        if not function.overloads:
            return run_bound(run, node, function, bound, call)
        overloads = choose_overload(run, node, function, _bound_overloads(function, args, kwargs))
        if overloads.refusal is not None:
            return Unknown("no matching overload")
        return overloads.narrowed_result(run_bound(run, node, function, bound, call))

    return run.session.memo.call(run, function, bound, since, action, node=node)


def run_bound(
    run: Run,
    node: ast.AST | None,
    function: FunctionValue,
    bound: dict[str, Value],
    call: CallOrigin | None = None,
) -> Value:
    """Runs the function's body on arguments that are already bound to its parameters."""
    why = _not_followed(run, function, bound, isolated=node is None)
    if why == _DECORATED:
        if writes_objects(function.node):
            havoc_changes(run, lambda: _run_body(run, node, function, bound, None, call))
        return result_of_decorated(run, function, bound)
    if not why and function.owner is not None and is_placeholder_method(function.node):
        run.called.add(function.node)
        why = "a method that subclasses override"
    checked = check_call(run, node, function, bound)
    if checked is None:
        return Unknown(why) if why else _run_body(run, node, function, bound, None, call)
    if checked.is_void:
        record_contradiction(run)
        if not why:
            _run_body(run, node, function, bound, None, call)
        return Unknown("a result of a function that contradicts its annotations")
    if why or is_stub(function.node):
        return checked.narrowed_result(Unknown(why))
    # A violation inside the body that follows from a wrong argument is not a finding of its own.
    with nullcontext() if checked.holds else run.silenced():
        return checked.narrowed_result(_run_body(run, node, function, checked.arguments, checked, call))


_DECORATED = "an unsupported decorator"


def _not_followed(run: Run, function: FunctionValue, bound: dict[str, Value], *, isolated: bool = False) -> str:
    """Returns why the body is not run; empty if it is.

    A wrapper that may change the arguments of a call makes no difference to a function that is analyzed in isolation.
    """
    if not may_follow(run, function.node, bound):
        return "a call nested too deeply"
    if _is_transparent(run, function) or (run.watch is not None and run.watch.assumes):
        return ""
    if isolated and _leads_to_body(run, function):
        return ""
    if run.watch is not None:
        run.mark_uncacheable()
    return _DECORATED


def _is_transparent(run: Run, function: FunctionValue) -> bool:
    """Whether a call of the function runs its body with the same arguments."""
    if has_transparent_decorators(function.node):
        return True
    if keeps_contract(run, function):
        return True
    decorators: list[ast.expr] = getattr(function.node, "decorator_list", [])
    return all(
        is_transparent_decorator(one) or returns_its_argument(run, function.closure, one, function.owner)
        for one in decorators
    )


def _leads_to_body(run: Run, function: FunctionValue) -> bool:
    """Whether a call of the function runs its body, possibly with other arguments."""
    decorators: list[ast.expr] = getattr(function.node, "decorator_list", [])
    if all(
        is_transparent_decorator(one)
        or is_registering(one)
        or returns_wrapper(run, function.closure, one, function.owner)
        for one in decorators
    ):
        return True
    wrapper = wrapper_of(run, function)
    return wrapper is not None and runs_body(function, wrapper)


def _bound_overloads(
    function: FunctionValue, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> list[tuple[FunctionValue, dict[str, Value]]]:
    bound = [(one, bind(one, args, kwargs)) for one in function.overloads]
    return [(one, arguments) for one, arguments in bound if arguments is not None]


def _run_body(
    run: Run,
    node: ast.AST | None,
    function: FunctionValue,
    bound: dict[str, Value],
    checked: CheckedCall | None,
    call: CallOrigin | None,
) -> Value:
    if is_decorated(function.node):
        with autocast(run, enabled=True):
            return _run_statements(run, node, function, bound, checked, call)
    return _run_statements(run, node, function, bound, checked, call)


def _run_statements(
    run: Run,
    node: ast.AST | None,
    function: FunctionValue,
    bound: dict[str, Value],
    checked: CheckedCall | None,
    call: CallOrigin | None,
) -> Value:
    run.called.add(function.node)
    names = Namespace(function.closure.loaded, function.closure)
    names.fields.update(bound)
    names.fields["__class__"] = function.owner
    if call is not None:
        call.bound = bound
    names.call = call
    frame = Frame(names, function.node, None if node is None else Place(run.loaded, node))
    generates = _is_generator(function)
    frame.agreement = None if generates else checked
    frame.recursion_key = recursion_key(run, function.node, bound)
    frame.started = run.journal.mark()
    with run.inside(frame):
        if isinstance(function.node, ast.Lambda):
            return evaluate(run, function.node.body)
        if run_block(run, grouped_body(function.node)):
            leave_function(run, None)
        _analyze_nested(run, names)
        if frame.exits:
            run.journal.undo(frame.started)
            run.journal.merge(frame.exits)
        run.journal.rejoin(frame.started)
        result = _yielded(frame) if generates else _returned(frame, function.node)
        if run.watch is not None:
            run.watch.left(run, function, names, bound, result)
        return result


def _analyze_nested(run: Run, names: Namespace) -> None:
    """Analyzes nested functions with a contract in isolation, once each."""
    inner = [one for one in names.fields.values() if isinstance(one, FunctionValue) and one.closure is names]
    for one in inner:
        if contract_of(run, one) is not None and not run.is_quiet and not run.is_analyzed(one.node):
            dispatch.analyze_isolated(run, one)


def leave_function(run: Run, value: Value) -> None:
    """Records a return from the current function, with the returned value and the changes so far."""
    frame = run.frame
    frame.returned.append(value)
    if frame.open_branches or frame.exits:
        frame.exits.append(run.journal.since(frame.started))


def _yielded(frame: Frame) -> Value:
    return Unknown("a generator with branches") if frame.branched else ListValue(tuple(frame.yielded))


def _returned(frame: Frame, node: FunctionNode | ast.Lambda) -> Value:
    if not frame.returned:
        return (Never if is_abstract(node) else NoReturn)("a function that never returns")
    result = frame.returned[0]
    for value in frame.returned[1:]:
        result = join(result, value)
    if type(result) is Unknown and result.as_size is None and _is_int(getattr(node, "returns", None)):
        return Unknown(result.reason, unknown())
    return result


def _is_int(annotation: ast.expr | None) -> bool:
    return isinstance(annotation, ast.Name) and annotation.id == "int"


def _is_generator(function: FunctionValue) -> bool:
    return function.closure.loaded.yields and _yields(function.node)


@cached_on_node
def _yields(node: ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the body contains a `yield` that is not in the body of another function or class."""
    return any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in in_own_scope(node))


dispatch.run_function = run_function
