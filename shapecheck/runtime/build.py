"""Builds the checking function of a contract: source, code object, function."""

from __future__ import annotations

import ast
import functools
import inspect
import itertools
import linecache
import types
import weakref
from collections.abc import Callable, Mapping
from inspect import Parameter
from typing import Any

from shapecheck.runtime.calls import Calls
from shapecheck.runtime.checked_generators import checked_async_items, checked_items
from shapecheck.runtime.local_variables import WithLocals
from shapecheck.runtime.signature import FunctionContract, LocalVariable
from shapecheck.runtime.write import GeneratedSource, write_function, write_local_check, write_pending

Function = Callable[..., Any]
Complete = Callable[[], None]
_numbers = itertools.count(1)
_MAKE = "_shapecheck_make"

WRITTEN: weakref.WeakKeyDictionary[types.CodeType, GeneratedSource] = weakref.WeakKeyDictionary()
"""What each generated function was made from, by its code object."""


def build(contract: FunctionContract, found: WithLocals | None = None, closed: bool = True) -> types.FunctionType:
    """The checking function. `found` is what it calls instead of the function, where that has annotated locals."""
    written = write_function(contract)
    calls = Calls(contract)
    hooks: dict[str, Any] = {
        "function": contract.function if found is None else found.function,
        "explain_arguments": calls.explain_arguments,
        "explain_result": calls.explain_result,
        "checked_items": checked_items,
        "checked_async_items": checked_async_items,
        "checks": tuple(_local_check(contract, local) for local in contract.locals),
    }
    made = _function(written, hooks, contract.function, closed)
    _resemble(made, contract)
    calls.checking = weakref.ref(made)
    return made


def build_pending(contract: FunctionContract, finished: Callable[[], types.FunctionType]) -> tuple[Function, Complete]:
    """A function that becomes the result of `finished` at its first call, and a function that completes it immediately.

    The result of `finished` has no closure: only the code of a function can be replaced, not its closure.
    """

    def complete() -> None:
        if made.__code__ is first:
            whole = finished()
            made.__globals__.update(whole.__globals__)
            made.__code__ = whole.__code__

    made = _function(write_pending(contract), {"complete": complete}, contract.function, False)
    made.__globals__[WRITTEN[made.__code__].hooks["again"]] = made
    first = made.__code__
    _resemble(made, contract)
    return made, complete


def build_bound(contract: FunctionContract) -> Function:
    """The checking function of a wrapper: the arguments are bound to the parameters of what it wraps."""
    calls = Calls(contract)
    function = contract.function
    signature = inspect.Signature(contract.parameters)

    @functools.wraps(function)
    def checking(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError:  # the wrapper's parameters differ from those of the function that it wraps
            return function(*args, **kwargs)
        bound.apply_defaults()
        calls.explain_arguments(bound.arguments)
        result = function(*args, **kwargs)
        calls.explain_result(result, bound.arguments)
        return result

    calls.checking = weakref.ref(checking)
    return checking


def _resemble(made: types.FunctionType, contract: FunctionContract) -> None:
    given = [parameter for parameter in contract.parameters if parameter.default is not Parameter.empty]
    made.__defaults__ = tuple(parameter.default for parameter in given if parameter.kind is not Parameter.KEYWORD_ONLY)
    made.__kwdefaults__ = {
        parameter.name: parameter.default for parameter in given if parameter.kind is Parameter.KEYWORD_ONLY
    }
    functools.update_wrapper(made, contract.function)


def _local_check(contract: FunctionContract, local: LocalVariable) -> Function:
    """The check of one annotated local variable, or the answer to one question."""
    calls = Calls(contract)

    def explain_local(value: Any, sizes: dict[str, Any]) -> bool:
        return calls.explain_local(local, value, sizes)

    written = write_local_check(local, contract.broadcasting)
    return _function(written, {"explain_local": explain_local}, contract.function)


def source(function: Any) -> str:
    """The generated source of a checked function, "" where nothing is checked."""
    code = getattr(function, "__code__", None)
    written = None if code is None else WRITTEN.get(code)
    return "" if written is None else written.source


def _function(
    written: GeneratedSource, hooks: Mapping[str, Any], original: Function, closed: bool = True
) -> types.FunctionType:
    """The function of the source. `closed`: its constants are in its closure, which is faster than globals in a
    model, where little stays in the processor's cache.
    """
    file = f"<shapecheck {getattr(original, '__qualname__', written.name)} {next(_numbers)}>"
    constants = {**written.constants, **{written.hooks[hook]: held for hook, held in hooks.items()}}
    tree = ast.parse(written.source)
    if closed:
        tree = _within_function(tree, list(constants), written.name)
    # No __name__ among the globals: torch.compile would look for them in the module of that name.
    # pytest then ends the traceback at the call, not in the code that checks it.
    space: dict[str, Any] = {"__tracebackhide__": True} | ({} if closed else constants)
    exec(compile(tree, file, "exec"), space)
    made: types.FunctionType = space.pop(_MAKE)(**constants) if closed else space.pop(written.name)
    lines = written.source.splitlines(keepends=True)
    linecache.cache[file] = (len(written.source), None, lines, file)
    WRITTEN[made.__code__] = written
    weakref.finalize(made.__code__, linecache.cache.pop, file, None).atexit = False
    return made


def _within_function(tree: ast.Module, parameters: list[str], name: str) -> ast.Module:
    """The definition inside of `def make(...): ...; return name`, on its own lines."""
    made = ast.parse(f"def {_MAKE}({', '.join(parameters)}):\n    return {name}")
    maker: Any = made.body[0]
    maker.body.insert(0, tree.body[0])
    return made
