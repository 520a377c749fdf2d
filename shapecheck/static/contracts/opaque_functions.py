"""Functions whose bodies tell nothing: stubs, and those under a decorator that is not modelled."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.static.contracts.checked_call import CheckedCall
from shapecheck.static.contracts.contract import contract_of
from shapecheck.static.contracts.name_resolution import AnnotationScope, resolve_name
from shapecheck.static.domain.values import ExternalName, FunctionValue, Value
from shapecheck.static.engine.run import Run

_CHANGING = frozenset(
    """
    vmap pmap grad grad_and_value value_and_grad jacrev jacfwd hessian jvp vjp linearize contextmanager
    asynccontextmanager partial singledispatch fixture parametrize vectorize
    """.split()
)


def is_stub(node: ast.AST) -> bool:
    """Whether a function has no body to speak of: `...`, `pass` or a docstring alone."""
    body = getattr(node, "body", None)
    return isinstance(body, list) and all(
        isinstance(one, ast.Pass) or (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)) for one in body
    )


def result_of_decorated(run: Run, function: FunctionValue, arguments: dict[str, Value]) -> Value:
    """What a function gives whose decorator comes from a library: what its annotation says, if the arguments fit."""
    contract = contract_of(run, function)
    decorators = getattr(function.node, "decorator_list", [])
    if contract is None or not all(_keeps_signature(run, function, one) for one in decorators):
        return Unknown("a decorator that is not modelled")
    agreement = CheckedCall(run, function, contract, dict(arguments))
    agreement.bind_arguments(None)
    return agreement.narrowed_result(Unknown("a decorated function")) if agreement.holds else Unknown("it is decorated")


def _keeps_signature(run: Run, function: FunctionValue, node: ast.expr) -> bool:
    target = node.func if isinstance(node, ast.Call) else node
    value = resolve_name(AnnotationScope(run, function.closure, function.owner), target)
    return isinstance(value, ExternalName) and value.name.rpartition(".")[2] not in _CHANGING
