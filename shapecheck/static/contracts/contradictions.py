"""Whether the body of a function contradicts its own annotations, so that calls must not be checked against them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import partial

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.observed_code import ObservingFact, observe_fact
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import FunctionValue
from shapecheck.static.engine.argument_binding import positional_names
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.scopes import unwatched

_CONTRADICTION = "a result that contradicts its annotation"
"""Among the called functions of a run: one of them returned such a result."""


def record_contradiction(run: Run) -> None:
    """Records that the running code, or a function that it calls, contradicts its annotations.

    If the code passes its own parameters on to such a function, its annotations are as wrong.
    """
    run.called.add(_CONTRADICTION)


def contradicts_itself(run: Run, function: FunctionValue) -> bool:
    """Whether a function of a module violates its annotations when it runs on arguments that match them."""
    if function.owner is not None or function.closure.parent is not None:
        return False
    known = run.session.contradictions
    if function.node not in known:
        known[function.node] = False  # for calls of the function in its own body
        with ObservingFact(function.node, "contradictions"):
            known[function.node] = _violates(run, function, ())
    observe_fact(function.node, "contradictions")
    return known[function.node]


def contradicts_receiver(run: Run, function: FunctionValue, arguments: Mapping[str, Value]) -> bool:
    """The same for a method with the receiver of a call, or for a nested function."""
    known = run.session.contradictions
    if function.node in known:
        observe_fact(function.node, "contradictions")
        return known[function.node]
    names = positional_names(function.node.args)[:1]
    known[function.node] = False
    found = _violates(run, function, tuple(arguments[name] for name in names if function.owner is not None))
    del known[function.node]  # the result may differ for another receiver
    return found


def _violates(run: Run, function: FunctionValue, receiver: tuple[Value, ...]) -> bool:
    """Whether the isolated analysis finds a wrong result or assert.

    It is a run of its own, so that it does not depend on the caller. Other errors are independent of the calls.
    """
    alone = Run(run.session)
    with run.session.origins.resting(), unwatched(alone):
        analysis = partial(dispatch.analyze_isolated, alone, function, receiver)
        alone.journal.apart(lambda: alone.safely(function.closure.loaded, function.node, analysis))
    asserts = any(one.diagnostic.code == "false-assert" for one in alone.findings.values())
    return asserts or _CONTRADICTION in alone.called


def states_shapes_of(function: FunctionValue, *parameters: str) -> bool:
    """Whether an assert of the function is about the shapes of all these parameters.

    It is more precise than an axis name that they share.
    """
    return any(names.issuperset(parameters) for names in _names_in_asserts(function.node))


@cached_on_node
def _names_in_asserts(node: ast.AST) -> tuple[frozenset[str], ...]:
    body = node.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else ()
    tests = [one.test for one in body if isinstance(one, ast.Assert)]
    return tuple(frozenset(_names_of_shapes(test)) for test in tests)


def _names_of_shapes(test: ast.expr) -> Iterator[str]:
    """The names `x` of all `x.shape`, `x.size(...)` and `len(x)` in an expression."""
    for one in walk(test):
        if isinstance(one, ast.Attribute) and one.attr in ("shape", "size") and isinstance(one.value, ast.Name):
            yield one.value.id
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "len":
            yield from (argument.id for argument in one.args if isinstance(argument, ast.Name))
