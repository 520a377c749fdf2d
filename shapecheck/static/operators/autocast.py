"""`torch.autocast`: inside of it, operators choose what their floating inputs are cast to."""

from __future__ import annotations

import ast
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from shapecheck.ops import ModuleSpec, Other, Trait, Unknown, names_with
from shapecheck.project.node_cache import cached_on_node
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.alternatives import Alternatives, members_of
from shapecheck.static.domain.callee_names import last_name, short_name
from shapecheck.static.domain.values import Value
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.scopes import autocast

KIND = "autocast"
"""What `ops` calls the context manager."""


def entered(run: Run, node: ast.With, values: list[Value]) -> AbstractContextManager[None]:
    """Runs the body of a `with` statement whose context managers are these."""
    enabled = run.autocasting
    for item, value in zip(node.items, values, strict=True):
        if _may_be(item.context_expr, value):
            enabled = not _is_off(item.context_expr)
    return autocast(run, enabled=enabled) if enabled is not run.autocasting else nullcontext()


def _may_be(node: ast.expr, value: Value) -> bool:
    """Whether a context manager is autocast, or one that was made elsewhere and has not another name."""
    if isinstance(value, Unknown) and not isinstance(value, Alternatives):
        return not isinstance(node, ast.Call) or KIND in last_name(node.func)
    return any(isinstance(one, Other) and one.kind == KIND for one in members_of(value))


def _is_off(node: ast.expr) -> bool:
    keywords = node.keywords if isinstance(node, ast.Call) else []
    return any(
        one.arg == "enabled" and isinstance(one.value, ast.Constant) and one.value.value is False for one in keywords
    )


@cached_on_node
def is_decorated(function: ast.AST) -> bool:
    """Whether it stands above a function."""
    calls = (one for one in getattr(function, "decorator_list", ()) if isinstance(one, ast.Call))
    return any(last_name(one.func) == KIND and not _is_off(one) for one in calls)


def forgotten(value: Any) -> Any:
    """A value without the kinds of floating numbers in it, which are cast as needed."""
    if isinstance(value, TensorSpec):
        return value.with_dtype(None) if value.dtype is not None and value.dtype.is_floating else value
    if type(value) in (tuple, list):
        return type(value)(map(forgotten, value))
    return value


def cast(name: str | ModuleSpec, answer: Any) -> Any:
    """What an operator gives, of a kind that is not known where autocast chooses it."""
    return forgotten(answer) if short_name(name) in names_with(Trait.AUTOCAST) else answer
