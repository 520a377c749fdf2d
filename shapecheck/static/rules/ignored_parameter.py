"""`nn.Conv2d(3, width, 7)` where `in_chans=3` is not used: it works only for the default, which is in its place.

The literal equals the default of the parameter, and is passed under its name, `ConvLayer(in_channels=3)`, or as the
input size of a convolution that nothing else uses the parameter for. Code that does not run together with the call may
use the parameter: another branch is for another configuration.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.ops.traits import Trait
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.parents import parents_in
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.hooks import AbstractCall, Built, assigned, before
from shapecheck.static.engine.run import Run
from shapecheck.static.rules._apart import parts_apart
from shapecheck.static.rules._owners import owner

_CODE: Final = "off-default"
_CONVOLUTIONS: Final = frozenset("Conv1d Conv2d Conv3d".split())
_CHANNELS: Final = lazy_pattern(r"(?:in|input|image|img)_(?:chans?|channels?|ch|planes)")
_OPAQUE: Final = frozenset(("locals", "vars"))
"""Functions that read all variables."""


class _Ignored(NamedTuple):
    """A call that gets the default of a parameter in the place of the parameter."""

    call: ast.Call
    parameter: str
    default: int


@before(_CODE, "cat", "stack", "softmax", "log_softmax", "argmax", "cumsum", "sum", "mean", "norm")
def of_operator(call: AbstractCall) -> None:
    """Reports an operator."""
    _report(call.run, [call.node])


@before(_CODE, Built(Trait.HAS_WEIGHTS))
def of_layer(call: AbstractCall) -> None:
    """Reports a layer that is built."""
    _report(call.run, [call.node])


@assigned(_CODE, "=")
def of_part(run: Run, node: ast.AST, _value: Value) -> None:
    """Reports a part that the constructor of a module builds."""
    if run.frame.name == "__init__" and owner(run.frame) is not None:
        _report(run, walk(node))


def _report(run: Run, nodes: Iterable[ast.AST]) -> None:
    function = run.frame.function
    if not isinstance(function, ast.FunctionDef) or run.loaded.is_library or not _ignored(function):
        return
    found = {one.call: one for one in _ignored(function)}
    for node in nodes:
        one = found.get(node) if isinstance(node, ast.Call) else None
        if one is not None and _is_unused_with(run, function, one):
            message = f"{last_name(one.call.func)}: got {one.default} in place of {one.parameter}"
            run.report(_CODE, one.call, f"{message} (works only for {one.parameter}={one.default})")


@cached_on_node
def _ignored(function: ast.FunctionDef) -> tuple[_Ignored, ...]:
    """The calls in a function that may ignore one of its parameters."""
    return tuple(_literals(function))


def _literals(function: ast.FunctionDef) -> Iterator[_Ignored]:
    written = {one.name: one.default for one in parameters_of(function.args)}
    defaults = {name: node.value for name, node in written.items() if isinstance(node, ast.Constant)}
    sizes = {name: value for name, value in defaults.items() if type(value) is int}
    for one in (one for one in walk(function) if isinstance(one, ast.Call)) if sizes else ():
        for name, node in _given(one, sizes):
            if isinstance(node, ast.Constant) and type(node.value) is int and node.value == sizes[name]:
                yield _Ignored(one, name, node.value)


def _given(call: ast.Call, names: dict[str, int]) -> Iterator[tuple[str, ast.expr]]:
    """The arguments that a parameter of the same name is for."""
    yield from ((one.arg, one.value) for one in call.keywords if one.arg is not None and one.arg in names)
    if call.args and isinstance(call.func, ast.Attribute) and call.func.attr in _CONVOLUTIONS:
        yield from ((name, call.args[0]) for name in names if _CHANNELS.fullmatch(name))


def _is_unused_with(run: Run, function: ast.FunctionDef, ignored: _Ignored) -> bool:
    """Whether nothing that runs together with the call reads the parameter."""
    before = _with_argument(function, ignored.parameter)
    names = [one for part in before for one in walk(part) if isinstance(one, ast.Name)]
    reads = [one for one in names if isinstance(one.ctx, ast.Load)]
    if any(one.id in _OPAQUE for one in reads):
        return False
    apart = {part for one in parts_apart(parents_in(run.loaded.tree), function, ignored.call) for part in walk(one)}
    return all(one in apart for one in reads if one.id == ignored.parameter)


def _with_argument(function: ast.FunctionDef, name: str) -> list[ast.stmt]:
    """The statements in which a parameter has its argument: up to that which gives it another value."""
    for place, one in enumerate(function.body):
        targets = one.targets if isinstance(one, ast.Assign) else ()
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return function.body[: place + 1]
    return function.body
