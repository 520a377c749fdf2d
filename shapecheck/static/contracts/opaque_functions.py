"""Functions whose bodies are not run: stubs, and those with a decorator that is not modelled."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.contracts.checked_call import CheckedCall
from shapecheck.static.contracts.contract import contract_of, scope_of
from shapecheck.static.contracts.name_resolution import resolve_name
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.callee_names import name_of_callee
from shapecheck.static.domain.objects import FunctionValue
from shapecheck.static.domain.values import ExternalReference
from shapecheck.static.engine.run import Run

_SIGNATURE_CHANGING = frozenset(
    """
    vmap pmap grad grad_and_value value_and_grad jacrev jacfwd hessian jvp vjp linearize contextmanager
    asynccontextmanager partial singledispatch fixture parametrize vectorize
    """.split()
)

_CHANGING = frozenset("setattr add_module register_module set_submodule append insert extend".split())


def is_stub(node: ast.AST) -> bool:
    """Whether the body of a function is only `...`, `pass` or a docstring."""
    body = getattr(node, "body", None)
    return isinstance(body, list) and all(
        isinstance(one, ast.Pass) or (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)) for one in body
    )


@cached_on_node
def is_abstract(node: ast.AST) -> bool:
    """Whether a function only raises NotImplementedError, so that a subclass has to override it."""
    body = getattr(node, "body", None)
    raised = [one.exc for one in body if isinstance(one, ast.Raise)] if isinstance(body, list) else []
    return len(raised) == 1 and name_of_callee(raised[0]) == "NotImplementedError"


def result_of_decorated(run: Run, function: FunctionValue, arguments: dict[str, Value]) -> Value:
    """The result of a function with a decorator of a library: from its annotation, if the arguments match."""
    contract = contract_of(run, function)
    decorators = getattr(function.node, "decorator_list", [])
    if contract is None or not all(_keeps_signature(run, function, one) for one in decorators):
        return Unknown("an unsupported decorator")
    checked = CheckedCall(run, function, contract, dict(arguments))
    checked.bind_arguments(None)
    return (
        checked.narrowed_result(Unknown("a decorated function"))
        if checked.holds
        else Unknown("an unsupported decorator")
    )


def _keeps_signature(run: Run, function: FunctionValue, node: ast.expr) -> bool:
    target = node.func if isinstance(node, ast.Call) else node
    value = resolve_name(scope_of(run, function), target)
    return isinstance(value, ExternalReference) and value.name.rpartition(".")[2] not in _SIGNATURE_CHANGING


@cached_on_node
def writes_objects(node: ast.AST) -> bool:
    """Whether a function may change objects that it receives or reaches: by an attribute, an item, or a hook."""
    return any(
        (isinstance(one, (ast.Attribute, ast.Subscript)) and isinstance(one.ctx, ast.Store))
        or isinstance(one, (ast.Global, ast.Nonlocal))
        or (isinstance(one, ast.Call) and _changes_receiver(name_of_callee(one)))
        for one in walk(node)
    )


def _changes_receiver(name: str) -> bool:
    return name in _CHANGING or name.endswith("_hook")
