"""Generates the source of the function that replaces a checked one."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import Parameter
from typing import Any

from shapecheck.runtime.emit import Lines, check_lines, finish, indented
from shapecheck.runtime.errors import Mismatch
from shapecheck.runtime.hints import AnythingHint, Hint, patterns
from shapecheck.runtime.local_variables import CHECKS, SIZES
from shapecheck.runtime.scope import BindingState, Names, SizeScope, Unsupported
from shapecheck.runtime.signature import FunctionContract, LocalVariable, axes_of, holes_of
from shapecheck.runtime.symbols import axis_names
from shapecheck.spec.annotation import Symbolic


@dataclass(frozen=True)
class GeneratedSource:
    """Source of one function, the objects in its globals, and the variable of each size."""

    source: str
    name: str
    constants: dict[str, Any]
    variables: dict[str, str]
    """By axis: `b`, or `*batch`."""
    hooks: dict[str, str]
    """The names of the functions that it calls and that are not generated."""


LEARNT = "{}"
"""The key, among the variables of the sizes, of the dict that annotated local variables share."""

_SAME = {"explain_local": "explain_local"}
_HOOKS = ("function", "explain_arguments", "explain_result", "checked_items", "checked_async_items", "checks")


def write_function(contract: FunctionContract) -> GeneratedSource:
    """The source of the checking function of a contract."""
    return _Function(contract).write()


def write_pending(contract: FunctionContract) -> GeneratedSource:
    """The source of a function that reads its annotations at the first call, and then calls its final version."""
    names = Names(parameter.name for parameter in contract.parameters)
    hooks = {hook: names.fresh(hook) for hook in ("complete", "again")}
    name = names.fresh(contract.function.__name__)
    call = f"{hooks['again']}({_passed(contract.parameters)})"
    if contract.is_async_generator:
        lines = [f"{hooks['complete']}()", f"async for item in {call}:", "    yield item"]
    elif contract.is_generator:
        lines = [f"{hooks['complete']}()", f"return (yield from {call})"]
    else:
        lines = [f"{hooks['complete']}()", f"return {'await ' if contract.is_coroutine else ''}{call}"]
    return GeneratedSource(_definition(contract, name, lines), name, {}, {}, hooks)


def _definition(contract: FunctionContract, name: str, lines: Lines) -> str:
    kind = "async def" if contract.is_coroutine or contract.is_async_generator else "def"
    return "\n".join([f"{kind} {name}({_parameters(contract.parameters)}):", *indented(lines), ""])


def write_local_check(local: LocalVariable, broadcasting: frozenset[str]) -> GeneratedSource:
    """The source of `def check(value, sizes)`, for a local variable; it puts what it binds into `sizes`.

    For an `isinstance` it returns the answer.
    """
    hint = local.hint
    names = Names(("sizes", "explain_local", "Mismatch"))
    value = names.fresh(local.name)
    function = names.fresh(f"{'is' if local.is_question else 'check'}_{local.name}")
    scope = SizeScope(names, broadcasting=broadcasting)
    scope.holes = {hole: f"sizes[{f'{{{hole}}}'!r}]" for hole in holes_of([hint])}
    start: Lines = []
    axes = list(dict.fromkeys((*axes_of([hint]), *_symbolic(hint))))
    for axis in axes:
        scope.known[axis] = BindingState.MAYBE
        start.append(f"{scope.variable(axis)} = sizes.get({axis!r})")
    explain = f"return explain_local({value}, sizes)"
    try:
        checks = [*check_lines(hint, value, scope), *finish(scope)]
    except Unsupported:
        body = [explain]
    else:
        stores = [f"sizes[{axis!r}] = {scope.variable(axis)}" for axis in axes]
        # An `isinstance` that is false needs no explanation.
        no = ["except Mismatch:", "    return False"] if local.is_question else []
        inside = indented([*start, *checks, *stores, "return True"])
        body = ["try:", *inside, *no, "except Exception:", f"    {explain}"]
    lines = [f"def {function}({value}, sizes):", *indented(body)]
    return GeneratedSource("\n".join(lines) + "\n", function, {**names.constants, "Mismatch": Mismatch}, {}, _SAME)


class _Function:
    def __init__(self, contract: FunctionContract) -> None:
        self.contract = contract
        self.names = Names((*(parameter.name for parameter in contract.parameters), "Mismatch"))
        self.hooks = {hook: self.names.fresh(hook) for hook in _HOOKS}
        self.scope = SizeScope(self.names, broadcasting=contract.broadcasting)
        self.compiled = True
        self.given = "{" + ", ".join(f"{p.name!r}: {p.name}" for p in contract.parameters) + "}"
        self.sizes = self.names.fresh("sizes") if contract.locals else ""

    def write(self) -> GeneratedSource:
        contract = self.contract
        name = self.names.fresh(contract.function.__name__)
        before = self._arguments()
        lines = [*before, *self._call()]
        constants = {**self.names.constants, "Mismatch": Mismatch}
        return GeneratedSource(
            _definition(contract, name, lines),
            name,
            constants,
            {**self.scope.variables, LEARNT: self.sizes},
            self.hooks,
        )

    def _arguments(self) -> Lines:
        contract, scope = self.contract, self.scope
        explain = f"{self.hooks['explain_arguments']}({self.given})"
        checks: Lines = []
        try:
            self._attributes()
            for parameter in contract.parameters:
                checks += check_lines(contract.arguments[parameter.name], parameter.name, scope)
            checks += finish(scope)
        except Unsupported:
            self.compiled = False
            return [f"{self.sizes} = {explain}" if self.sizes else explain]
        lines = [*scope.start, *checks]
        scope.start = []
        kept = {axis: name for axis, name in scope.variables.items() if scope.state(axis) is not BindingState.UNBOUND}
        if self.sizes:
            kept.update({f"{{{hole}}}": hole for hole in holes_of(local.hint for local in contract.locals)})
            inside = ", ".join(f"{axis!r}: {variable}" for axis, variable in kept.items())
            lines.append(f"{self.sizes} = {{{inside}}}")
            explain = f"{self.sizes} = {explain}"
        return ["try:", *indented(lines), "except Exception:", f"    {explain}"] if lines else []

    def _attributes(self) -> None:
        used = axes_of([*self.contract.arguments.values(), self.contract.result])
        used += [name for hint in (*self.contract.arguments.values(), self.contract.result) for name in _symbolic(hint)]
        for name in self.contract.sizes:
            if name in used and self.contract.parameters:
                self.scope.known[name] = BindingState.MAYBE
                owner = self.contract.parameters[0].name
                self.scope.start.append(f"{self.scope.variable(name)} = getattr({owner}, {name!r}, None)")

    def _call(self) -> Lines:
        contract = self.contract
        passed = _passed(contract.parameters)
        if self.sizes:
            passed = f"{passed}, {SIZES}={self.sizes}, {CHECKS}={self.hooks['checks']}"
        call = f"{self.hooks['function']}({passed})"
        checked = not isinstance(contract.result, AnythingHint)
        if contract.is_async_generator:
            made = f"{self.hooks['checked_async_items']}({call}, {self._item()})" if checked else call
            return [f"async for item in {made}:", "    yield item"]
        if contract.is_generator:
            made = f"{self.hooks['checked_items']}({call}, {self._item()})" if checked else call
            return [f"return (yield from {made})"]
        if contract.is_coroutine:
            call = f"await {call}"
        return self._result(call) if checked else [f"return {call}"]

    def _item(self) -> str:
        return f"lambda item: {self.hooks['explain_result']}(item, {self.given})"

    def _result(self, call: str) -> Lines:
        result = self.names.fresh("result")
        explain = f"{self.hooks['explain_result']}({result}, {self.given})"
        lines = [f"{result} = {call}"]
        try:
            if not self.compiled:
                raise Unsupported
            checks = self._after_locals() + check_lines(self.contract.result, result, self.scope)
            checks += finish(self.scope)
        except Unsupported:
            return [*lines, explain, f"return {result}"]
        checks = [*self.scope.start, *checks]
        return [*lines, "try:", *indented(checks), "except Exception:", f"    {explain}", f"return {result}"]

    def _after_locals(self) -> Lines:
        """What local variables have bound since the call began."""
        lines = []
        for axis in axes_of(local.hint for local in self.contract.locals):
            if self.scope.state(axis) is not BindingState.BOUND:
                self.scope.known[axis] = BindingState.MAYBE
                lines.append(f"{self.scope.variable(axis)} = {self.sizes}.get({axis!r})")
        return lines


def _symbolic(hint: Hint) -> list[str]:
    found: list[str] = []
    for pattern in patterns(hint):
        if isinstance(pattern, Symbolic):
            found += axis_names(pattern.expression)
    return found


_STARS: dict[Any, str] = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}


def _parameters(parameters: tuple[Parameter, ...]) -> str:
    """The parameter list; defaults are put in as objects afterwards."""
    parts: list[str] = []
    last: Any = None
    for parameter in parameters:
        if last is Parameter.POSITIONAL_ONLY and parameter.kind is not last:
            parts.append("/")
        if parameter.kind is Parameter.KEYWORD_ONLY and last not in (Parameter.KEYWORD_ONLY, Parameter.VAR_POSITIONAL):
            parts.append("*")
        default = "" if parameter.default is Parameter.empty else "=..."
        parts.append(f"{_STARS.get(parameter.kind, '')}{parameter.name}{default}")
        last = parameter.kind
    if last is Parameter.POSITIONAL_ONLY:
        parts.append("/")
    return ", ".join(parts)


def _passed(parameters: tuple[Parameter, ...]) -> str:
    """The same parameters as arguments of a call."""
    parts = []
    for parameter in parameters:
        prefix = f"{parameter.name}=" if parameter.kind is Parameter.KEYWORD_ONLY else _STARS.get(parameter.kind, "")
        parts.append(f"{prefix}{parameter.name}")
    return ", ".join(parts)
