"""Makes the checking function of a contract: source, code, function."""

from __future__ import annotations

import contextlib
import functools
import inspect
import itertools
import linecache
import types
from collections.abc import Callable, Mapping
from inspect import Parameter
from typing import Any

from shapecheck.runtime.delegating import checked_async_items, checked_items
from shapecheck.runtime.explain import Explainer
from shapecheck.runtime.hints import Hint
from shapecheck.runtime.local_variables import WithLocals
from shapecheck.runtime.signature import Contract
from shapecheck.runtime.write import Written, write_function, write_local_check, write_pending
from shapecheck.spec.errors import ShapeError as SpecError
from shapecheck.spec.shape import Shape
from shapecheck.spec.symbolic import HoleValue
from shapecheck.spec.unify import Bindings

Function = Callable[..., Any]
Complete = Callable[[], None]
_numbers = itertools.count(1)

WRITTEN: dict[types.CodeType, Written] = {}
"""Of each generated function's code, what it was made from."""


def build(contract: Contract, found: WithLocals | None = None) -> types.FunctionType:
    """The checking function. `found` is what it calls instead of the function, where that has annotated locals."""
    written = write_function(contract)
    calls = _Calls(contract)
    hooks: dict[str, Any] = {
        "function": contract.function if found is None else found.function,
        "explain_arguments": calls.explain_arguments,
        "explain_result": calls.explain_result,
        "checked_items": checked_items,
        "checked_async_items": checked_async_items,
        "checks": tuple(_local_check(contract, name, hint) for name, hint in contract.locals),
    }
    made = _function(written, hooks, contract.function)
    _resemble(made, contract)
    calls.checking = made
    return made


def build_pending(contract: Contract, finished: Callable[[], types.FunctionType]) -> tuple[Function, Complete]:
    """A function that becomes what `finished` makes at its first call, and what makes it so at once."""

    def complete() -> None:
        if made.__code__ is first:
            whole = finished()
            made.__globals__.update(whole.__globals__)
            made.__code__ = whole.__code__

    made = _function(write_pending(contract), {"complete": complete}, contract.function)
    made.__globals__["again"] = made
    first = made.__code__
    _resemble(made, contract)
    return made, complete


def build_bound(contract: Contract) -> Function:
    """The checking function of a wrapper: the arguments are bound to the parameters of what it wraps."""
    calls = _Calls(contract)
    function = contract.function
    signature = inspect.Signature(contract.parameters)

    @functools.wraps(function)
    def checking(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError:  # the wrapper takes others than what it wraps
            return function(*args, **kwargs)
        bound.apply_defaults()
        calls.explain_arguments(bound.arguments)
        result = function(*args, **kwargs)
        calls.explain_result(result, bound.arguments)
        return result

    calls.checking = checking
    return checking


def _resemble(made: types.FunctionType, contract: Contract) -> None:
    given = [parameter for parameter in contract.parameters if parameter.default is not Parameter.empty]
    made.__defaults__ = tuple(parameter.default for parameter in given if parameter.kind is not Parameter.KEYWORD_ONLY)
    made.__kwdefaults__ = {
        parameter.name: parameter.default for parameter in given if parameter.kind is Parameter.KEYWORD_ONLY
    }
    functools.update_wrapper(made, contract.function)


def _local_check(contract: Contract, name: str, hint: Hint) -> Function:
    """The check of one annotated local variable."""
    calls = _Calls(contract)

    def explain_local(value: Any, sizes: dict[str, Any]) -> None:
        calls.explain_local(name, hint, value, sizes)

    return _function(
        write_local_check(name, hint, contract.broadcasting), {"explain_local": explain_local}, contract.function
    )


def source(function: Any) -> str:
    """The generated source of a checked function, "" where nothing is checked."""
    written = WRITTEN.get(getattr(function, "__code__", None))  # type: ignore[arg-type]  # None is no key
    return "" if written is None else written.source


def _function(written: Written, hooks: Mapping[str, Any], original: Function) -> types.FunctionType:
    file = f"<shapecheck {getattr(original, '__qualname__', written.name)} {next(_numbers)}>"
    # No __name__ among the globals: torch.compile would look for them in the module of that name.
    space: dict[str, Any] = {**written.constants, **hooks}
    exec(compile(written.source, file, "exec"), space)
    lines = written.source.splitlines(keepends=True)
    linecache.cache[file] = (len(written.source), None, lines, file)
    made: types.FunctionType = space.pop(written.name)
    WRITTEN[made.__code__] = written
    return made


class _Calls:
    """What the generated code of one function asks for when something does not fit."""

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        self.checking: Any = None

    def explain_arguments(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Raises ShapeError where an argument does not fit, else gives the sizes."""
        __tracebackhide__ = True
        if self._exempt():
            return {}
        explainer = self._explainer(arguments)
        try:
            self._check_arguments(explainer)
        except SpecError as wrong:
            raise wrong.with_traceback(None) from None
        return sizes_of(explainer.bindings, self.contract.broadcasting)

    def explain_result(self, result: Any, arguments: dict[str, Any]) -> None:
        """Raises ShapeError where the result does not fit."""
        __tracebackhide__ = True
        if self._exempt():
            return
        explainer = self._explainer(arguments)
        with contextlib.suppress(SpecError):  # the function can have changed its arguments since it was called
            self._check_arguments(explainer)
        try:
            explainer.check(self.contract.result, result, "return")
            explainer.finish()
        except SpecError as wrong:
            raise wrong.with_traceback(None) from None

    def explain_local(self, name: str, hint: Hint, value: Any, sizes: dict[str, Any]) -> None:
        """Raises ShapeError where a local variable does not fit."""
        __tracebackhide__ = True
        if self._exempt():
            return
        bindings = bindings_of(sizes, self.contract.broadcasting)
        origins = dict.fromkeys((*bindings.sizes, *(f"*{run}" for run in bindings.runs)), "an earlier annotation")
        explainer = Explainer(self.contract.name, {}, bindings, origins)
        try:
            explainer.check(hint, value, name)
            explainer.finish()
        except SpecError as wrong:
            raise wrong.with_traceback(None) from None
        sizes.update(sizes_of(explainer.bindings, self.contract.broadcasting))

    def _check_arguments(self, explainer: Explainer) -> None:
        for parameter in self.contract.parameters:
            explainer.check(
                self.contract.arguments[parameter.name], explainer.arguments[parameter.name], parameter.name
            )
        explainer.finish()

    def _explainer(self, arguments: dict[str, Any]) -> Explainer:
        sizes: dict[str, Any] = {}
        origins: dict[str, str] = {}
        for name in self.contract.sizes:
            owner = self.contract.parameters[0].name if self.contract.parameters else ""
            size = getattr(arguments.get(owner), name, None)
            if isinstance(size, int):
                sizes[name], origins[name] = size, f"{owner}.{name}"
        return Explainer(self.contract.name, arguments, Bindings(sizes), origins)

    def _exempt(self) -> bool:
        return bool(getattr(self.checking, "__no_type_check__", False))


def sizes_of(bindings: Bindings, broadcasting: frozenset[str]) -> dict[str, Any]:
    """By axis as generated code keeps them: `b` a number, `*batch` a tuple, and Joined where it broadcasts."""
    sizes: dict[str, Any] = {**bindings.sizes, **{f"{{{hole}}}": value for hole, value in bindings.holes.items()}}
    for name, (free, shape) in bindings.runs.items():
        sizes[f"*{name}"] = (free, shape.head) if f"*{name}" in broadcasting else shape.head
    return sizes


def bindings_of(sizes: Mapping[str, Any], broadcasting: frozenset[str]) -> Bindings:
    """The bindings that such a dict stands for."""
    named: dict[str, Any] = {}
    runs: dict[str, tuple[bool, Shape]] = {}
    holes: dict[str, HoleValue] = {}
    for axis, size in sizes.items():
        if size is None:
            continue
        if axis.startswith("{"):
            holes[axis[1:-1]] = size if isinstance(size, int) else str(size)
        elif not axis.startswith("*"):
            named[axis] = size
        else:
            free, axes = size if axis in broadcasting else (False, size)
            runs[axis[1:]] = (free, Shape(tuple(axes)))
    return Bindings(named, runs, holes)
