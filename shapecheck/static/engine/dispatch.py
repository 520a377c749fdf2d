"""The dispatch table: operations of the interpreter that every package may ask for, whichever implements them.

A module that implements an operation registers it, `dispatch.call = call`. So a model of a library can call a
function of the program although calls are built on the models, and no import points upwards.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Protocol

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.static.domain.values import ClassValue, FunctionValue, Namespace, Value
from shapecheck.static.engine.loading import SourceModule
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.session import Session

Arguments = tuple[Value, ...]
Keywords = dict[str, Value]


class RunFunction(Protocol):
    """The result of a function of the program, whose body is run."""

    def __call__(
        self, run: Run, node: ast.AST | None, function: FunctionValue, args: Arguments, kwargs: Keywords, /
    ) -> Value:
        """`node` is the call, None where there is none in the source."""


class AnalyzeIsolated(Protocol):
    """The result of a function that is analyzed in isolation: its parameters are what their annotations promise."""

    def __call__(
        self, run: Run, function: FunctionValue, args: Arguments = (), /, *, keeps_none: bool = False
    ) -> Value:
        """`args` are the first arguments, such as the object; `keeps_none` keeps defaults of None."""


class DispatchTable:
    """One slot an operation; the module that implements it fills the slot when it is imported."""

    __slots__ = (
        "analyze_isolated",
        "assign",
        "attribute",
        "binary",
        "call",
        "call_object",
        "instantiate",
        "run_function",
        "run_module",
        "set_attribute",
        "torch_call",
    )

    call: Callable[[Run, ast.AST, Value, Arguments, Keywords], Value]
    """The value of `function(*args, **kwargs)`, whatever kind of value the function is."""
    call_object: Callable[[Run, ast.AST, Value, Arguments, Keywords], Value]
    """The same for a layer, a container or an object of the program."""
    run_function: RunFunction
    analyze_isolated: AnalyzeIsolated
    run_module: Callable[[Session, SourceModule], Namespace]
    """The names of a module, whose body is run when it is first asked for."""
    instantiate: Callable[[Run, ast.AST | None, ClassValue, Arguments, Keywords], Value]
    """The object that a call of a class of the program makes."""
    torch_call: Callable[[Run, ast.AST, str | ModuleSpec, Arguments, Keywords], Value]
    """What an operator, a layer class or a layer of torch gives; a refusal is a finding."""
    attribute: Callable[[Run, ast.AST, Value, str], Value]
    """The value of `value.name`."""
    set_attribute: Callable[[Run, ast.AST, str, Value, Value], None]
    """Sets an attribute, by name, to a value; the object comes last."""
    assign: Callable[[Run, ast.expr, Value], None]
    """Binds a target, such as the left side of `=`, to a value."""
    binary: Callable[[Run, ast.AST, ast.operator, Value, Value], Value]
    """What a binary operator gives for two values."""


dispatch = DispatchTable()

EXPRESSIONS: dict[type[ast.expr], Callable[..., Value]] = {}
"""What an expression gives, by the kind of its node."""
STATEMENTS: dict[type[ast.stmt], Callable[..., bool]] = {}
"""What a statement does, by the kind of its node; each says whether the run goes on after it."""


def evaluate(run: Run, node: ast.expr) -> Value:
    """The value of an expression."""
    run.budget.steps += 1
    rule = EXPRESSIONS.get(type(node))
    value = rule(run, node) if rule is not None else Unknown(f"{type(node).__name__} is not modelled")
    if run.watch is not None:
        run.watch.saw(run, node, value)
    return value


def run_block(run: Run, body: Sequence[ast.stmt]) -> bool:
    """Runs statements in order; False where a return, raise, break or continue ends them."""
    for node in body:
        run.step()
        rule = STATEMENTS.get(type(node))
        if rule is not None and not rule(run, node):
            return False
    return True
