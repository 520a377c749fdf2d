"""The result type of a function that declares none, where its source shows it.

Checkers infer it from the body in an inlined package, and a stub has no bodies: what is not said here would be
lost. Only what can be read off is answered; the rest stays open (None), which every checker takes for Any.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Function = ast.FunctionDef | ast.AsyncFunctionDef
_BY_NAME = {"__repr__": "str", "__str__": "str", "__dir__": "list[str]", "__len__": "int", "__setstate__": "None"}

_CONVERSIONS = frozenset({"bool", "float", "int", "str"})


@dataclass(slots=True)
class StubScope:
    """What a function's body may name: the module's classes and annotated variables, and its own class's methods."""

    classes: frozenset[str]
    variables: dict[str, str]
    methods: Mapping[str, Function] = field(default_factory=dict)
    open: set[str] = field(default_factory=set)
    """Functions being asked about, so that mutual recursion ends."""


def result_of(function: Function, scope: StubScope) -> str | None:
    """The annotation that fits what `function` returns or yields, or None where that takes more than reading it off."""
    if function.returns is not None:
        return ast.unparse(function.returns)
    if function.name in _BY_NAME:
        return _BY_NAME[function.name]
    if function.name in scope.open or isinstance(function, ast.AsyncFunctionDef):
        return None
    scope.open.add(function.name)
    try:
        return _from_body(function, scope)
    finally:
        scope.open.discard(function.name)


def type_in(function: Function, value: ast.expr, scope: StubScope) -> str | None:
    """The type of an expression inside `function`, or None."""
    return _Reader(function, scope).of(value)


def _from_body(function: Function, scope: StubScope) -> str | None:
    nodes = list(_own_nodes(function))
    reader = _Reader(function, scope)
    yields = [node for node in nodes if isinstance(node, ast.Yield | ast.YieldFrom)]
    if yields:
        return reader.generator(yields)
    values = [node.value for node in nodes if isinstance(node, ast.Return) and node.value is not None]
    if not values:
        return None if isinstance(function.body[-1], ast.Raise) else "None"
    return reader.union(values)


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """Every node of the function's body that is not inside a nested scope."""
    for child in ast.iter_child_nodes(function):
        yield child
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            yield from _own_nodes(child)


class _Reader:
    """Reads the type off an expression of one function."""

    def __init__(self, function: Function, scope: StubScope) -> None:
        self.scope = scope
        self.locals = _local_types(function)
        self.values = _local_values(function)

    def union(self, values: list[ast.expr]) -> str | None:
        """The union of the values' types; None as soon as one is not known."""
        found = dict.fromkeys(self.of(value) for value in values)
        return None if None in found else " | ".join(str(kind) for kind in found)

    def generator(self, yields: list[ast.Yield | ast.YieldFrom]) -> str | None:
        """The generator's type. What it delegates to itself is open, as it is for pyright."""
        items = dict.fromkeys(self.item(node) for node in yields)
        return f"Generator[{' | '.join(items)}, Any, None]"

    def item(self, node: ast.Yield | ast.YieldFrom) -> str:
        if isinstance(node, ast.YieldFrom):
            return "Any"
        if node.value is None:
            return "None"
        if isinstance(node.value, ast.Tuple):
            return f"tuple[{', '.join(self.of(part) or 'Any' for part in node.value.elts)}]"
        return self.of(node.value) or "Any"

    def of(self, value: ast.expr) -> str | None:
        """The type of an expression, as the text of an annotation."""
        match value:
            case ast.Constant(None):
                return "None"
            case ast.Constant(constant) if isinstance(constant, bool | int | float | str):
                return type(constant).__name__
            case ast.JoinedStr() | ast.Attribute(attr="__name__"):
                return "str"
            case ast.Name(name):
                return self.name(name)
            case ast.Tuple(elts=parts) if parts:
                kinds = [self.of(part) for part in parts]
                return None if None in kinds else f"tuple[{', '.join(str(kind) for kind in kinds)}]"
            case ast.BoolOp(values=values):
                return self.union(values)
            case ast.Call():
                return self.call(value)
        return None

    def name(self, name: str) -> str | None:
        """The type of a variable: `self`, a declared one, or a local that is bound once."""
        if name in self.locals:
            return self.locals[name]
        if name in self.values:
            bound = self.values.pop(name)  # asked for once: `a = b; b = a` must end
            return self.of(bound) if bound is not None else None
        return self.scope.variables.get(name)

    def call(self, call: ast.Call) -> str | None:
        """The type of a call: of a class, of a method on self, or one of the two ways to copy an object."""
        match call.func:
            case ast.Name(name) if name in self.scope.classes or name in _CONVERSIONS:
                return name
            case ast.Attribute(ast.Name("self"), "__new__"):
                return "Self"
            case ast.Attribute(ast.Attribute(ast.Name("self"), "__dict__"), "copy"):
                return "dict[str, Any]"
            case ast.Attribute(ast.Name("self"), name) if name in self.scope.methods:
                return result_of(self.scope.methods[name], self.scope)
        return None


def _local_types(function: Function) -> dict[str, str]:
    """What the function declares: `self`, annotated or defaulted parameters, annotated variables."""
    arguments = function.args
    parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    types = {p.arg: ast.unparse(p.annotation) for p in parameters if p.annotation is not None}
    positional = [*arguments.posonlyargs, *arguments.args]
    for parameter, default in zip(reversed(positional), reversed(arguments.defaults), strict=False):
        match default:
            case ast.Constant(value) if isinstance(value, bool | int | float | str):
                types.setdefault(parameter.arg, type(value).__name__)
    if parameters and parameters[0].arg == "self":
        types.setdefault("self", "Self")
    for node in _own_nodes(function):
        match node:
            case ast.AnnAssign(target=ast.Name(name), annotation=annotation):
                types[name] = ast.unparse(annotation)
    return types


def _local_values(function: Function) -> dict[str, ast.expr | None]:
    """The value of each local bound once; None for a local whose value is not one expression."""
    values: dict[str, ast.expr | None] = {}
    arguments = function.args
    for parameter in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
        values[parameter.arg] = None
    stores = [n.id for n in _own_nodes(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    for node in _own_nodes(function):
        match node:
            case ast.Assign(targets=[ast.Name(name)], value=value):
                values[name] = value if stores.count(name) == 1 else None
            case ast.Name(name, ast.Store()):
                values.setdefault(name, None)
    return values
