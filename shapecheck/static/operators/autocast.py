"""`torch.autocast`: in its context, operators cast their floating-point inputs."""

from __future__ import annotations

import ast
from contextlib import AbstractContextManager, nullcontext

from shapecheck.ops import ModuleSpec, Other, Trait, Unknown, names_with
from shapecheck.project.node_cache import cached_on_node
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives, members_of
from shapecheck.static.domain.callee_names import last_name, short_name
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.scopes import autocast

KIND = "autocast"
"""The `kind` of the `Other` that `ops` returns for the context manager."""


def entered(run: Run, node: ast.With, values: list[Value]) -> AbstractContextManager[None]:
    """The context in which to run the body of a `with` statement; `values` are its context managers."""
    enabled = run.autocasting
    for item, value in zip(node.items, values, strict=True):
        if _may_be_autocast(item.context_expr, value):
            enabled = not _is_disabled(item.context_expr)
    return autocast(run, enabled=enabled) if enabled is not run.autocasting else nullcontext()


def _may_be_autocast(node: ast.expr, value: Value) -> bool:
    """Whether a context manager is autocast, or is unknown and not created by a call of something else."""
    if isinstance(value, Unknown) and not isinstance(value, Alternatives):
        return not isinstance(node, ast.Call) or KIND in last_name(node.func)
    return any(isinstance(one, Other) and one.kind == KIND for one in members_of(value))


def _is_disabled(node: ast.expr) -> bool:
    """Whether a context manager is created with `enabled=False`."""
    keywords = node.keywords if isinstance(node, ast.Call) else []
    return any(
        one.arg == "enabled" and isinstance(one.value, ast.Constant) and one.value.value is False for one in keywords
    )


@cached_on_node
def is_decorated(function: ast.AST) -> bool:
    """Whether a function has autocast as a decorator."""
    calls = (one for one in getattr(function, "decorator_list", ()) if isinstance(one, ast.Call))
    return any(last_name(one.func) == KIND and not _is_disabled(one) for one in calls)


def without_floating_dtypes(value: object) -> object:
    """A tensor, or those in a tuple or list, with any floating-point dtype made unknown."""
    if isinstance(value, TensorSpec):
        return value.with_dtype(None) if value.dtype is not None and value.dtype.is_floating else value
    if type(value) is tuple:
        return tuple(map(without_floating_dtypes, value))
    return list(map(without_floating_dtypes, value)) if type(value) is list else value


def result_under_autocast(name: str | ModuleSpec, result: object) -> object:
    """The result of an operator, of unknown dtype if autocast chooses it."""
    return without_floating_dtypes(result) if short_name(name) in names_with(Trait.AUTOCAST) else result
