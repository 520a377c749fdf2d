"""The dispatch table: operations of the interpreter that every package may use, whichever implements them.

A module that implements an operation registers it, `dispatch.call = call`. So a model of a library can call a
function of the program although calls are built on the models, and no import points upwards.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Protocol

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Namespace
from shapecheck.static.engine.loading import SourceModule
from shapecheck.static.engine.optional_arguments import Optionals
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.session import Session

Arguments = tuple[Value, ...]
Keywords = dict[str, Value]


class RunFunction(Protocol):
    """Calls a function of the program by running its body."""

    def __call__(
        self, run: Run, node: ast.AST | None, function: FunctionValue, args: Arguments, kwargs: Keywords, /
    ) -> Value:
        """`node` is the call; None if there is none in the source."""


class AnalyzeIsolated(Protocol):
    """Analyzes a function in isolation, with arguments made from its annotations."""

    def __call__(
        self, run: Run, function: FunctionValue, args: Arguments = (), /, *, optionals: Optionals = Optionals.UNKNOWN
    ) -> Value:
        """`args` are the first arguments, such as the receiver; `optionals` is what a default of None represents."""


class DispatchTable:
    """One slot for each operation; the module that implements it fills the slot when it is imported."""

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
    """The same for a layer, a container or an instance of a project class."""
    run_function: RunFunction
    analyze_isolated: AnalyzeIsolated
    run_module: Callable[[Session, SourceModule], Namespace]
    """The namespace of a module, whose body runs the first time."""
    instantiate: Callable[[Run, ast.AST | None, ClassValue, Arguments, Keywords], Value]
    """The instance that a call of a project class creates."""
    torch_call: Callable[[Run, ast.AST, str | ModuleSpec, Arguments, Keywords], Value]
    """The result of an operator, a layer class or a layer of torch; an error becomes a finding."""
    attribute: Callable[[Run, ast.AST, Value, str], Value]
    """The value of `value.name`."""
    set_attribute: Callable[[Run, ast.AST, str, Value, Value], None]
    """Sets an attribute: the name, the value, then the object."""
    assign: Callable[[Run, ast.expr, Value], None]
    """Binds a target, such as the left side of `=`, to a value."""
    binary: Callable[[Run, ast.AST, ast.operator, Value, Value], Value]
    """The result of a binary operator."""


dispatch = DispatchTable()

EXPRESSIONS: dict[type[ast.expr], Callable[..., Value]] = {}
"""Evaluates an expression, by the type of its node, the second argument."""
STATEMENTS: dict[type[ast.stmt], Callable[..., bool]] = {}
"""Executes a statement, by the type of its node, the second argument; returns whether execution continues after it."""


def evaluate(run: Run, node: ast.expr) -> Value:
    """The value of an expression."""
    run.budget.steps += 1
    rule = EXPRESSIONS.get(type(node))
    value = rule(run, node) if rule is not None else Unknown(f"unsupported syntax {type(node).__name__}")
    if type(value) is TensorSpec and value.shape.rank is not None:
        run.effects.is_warm = True
    if run.watch is not None:
        run.watch.saw(run, node, value)
    return value


def run_block(run: Run, body: Sequence[ast.stmt]) -> bool:
    """Executes statements in order; returns False if a return, raise, break or continue ends them."""
    for node in body:
        run.step()
        rule = STATEMENTS.get(type(node))
        if rule is not None and not rule(run, node):
            return False
    return True
