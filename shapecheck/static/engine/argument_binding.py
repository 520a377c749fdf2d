"""Argument binding: matches the arguments of a call to the parameters of a function."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple

from shapecheck.ops import Unknown
from shapecheck.project.node_cache import cached_on_node
from shapecheck.static.domain.abstract_values import ABSENT, Value
from shapecheck.static.domain.alternatives import MaybeAbsent
from shapecheck.static.domain.join import join
from shapecheck.static.domain.objects import IS_TOP, DictValue, FunctionValue
from shapecheck.static.domain.unknown_options import OF_OPTIONS, UnknownOption

UNKNOWN_KEYWORDS = "**"
"""The name of a keyword argument that represents any number of unknown ones."""
UNKNOWN_ARGUMENTS = "*"
"""The name of a keyword argument that represents any number of unknown positional ones."""
_UNKNOWN = frozenset((UNKNOWN_ARGUMENTS, UNKNOWN_KEYWORDS))


class Parameter(NamedTuple):
    """A parameter that takes one argument: neither `*args` nor `**kwargs`."""

    node: ast.arg
    default: ast.expr | None
    by_position: bool
    by_name: bool

    @property
    def name(self) -> str:
        """Its name."""
        return self.node.arg


def parameters_of(spec: ast.arguments) -> list[Parameter]:
    """The parameters that take one argument, those by position first."""
    positional = [*spec.posonlyargs, *spec.args]
    defaults = [*[None] * (len(positional) - len(spec.defaults)), *spec.defaults]
    by_position = zip(positional, defaults, strict=True)
    found = [Parameter(one, default, True, i >= len(spec.posonlyargs)) for i, (one, default) in enumerate(by_position)]
    by_name = zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
    return found + [Parameter(one, default, False, True) for one, default in by_name]


def positional_names(spec: ast.arguments) -> tuple[str, ...]:
    """The names of the parameters that take an argument by position."""
    return _names(spec)[0]


def written_default(spec: ast.arguments, name: str) -> Parameter | None:
    """The parameter of this name, if it has a default."""
    return next((one for one in parameters_of(spec) if one.name == name and one.default is not None), None)


@cached_on_node
def _names(spec: ast.arguments) -> tuple[tuple[str, ...], dict[str, None]]:
    """The names of the positional parameters, and of all that take one argument."""
    positional = tuple(one.arg for one in (*spec.posonlyargs, *spec.args))
    return positional, dict.fromkeys((*positional, *(one.arg for one in spec.kwonlyargs)))


def bind(function: FunctionValue, args: tuple[Value, ...], kwargs: dict[str, Value]) -> dict[str, Value] | None:
    """The arguments by parameter; None if they do not match the signature."""
    spec = function.node.args
    positional, named = _names(spec)
    bound: dict[str, Value] = dict(zip(positional, args, strict=False))
    extra = dict(kwargs)
    if len(args) > len(positional) and spec.vararg is None:
        return None
    if spec.vararg is not None:
        bound[spec.vararg.arg] = tuple(args[len(positional) :])
    given = [name for name in named if name in extra] if extra else []
    if not bound.keys().isdisjoint(given):
        return None
    bound |= {name: extra.pop(name) for name in given}
    if extra and not _UNKNOWN.isdisjoint(extra):
        _bind_unknown(spec, bound, positional if UNKNOWN_KEYWORDS not in extra else named, extra)
    for name, default in defaults_of(function).items():
        bound.setdefault(name, default)
    if kwargs:
        _join_defaults(function, bound)
    has_unknown = extra.pop(UNKNOWN_KEYWORDS, None) is not None
    if spec.kwarg is None and not all(isinstance(one, MaybeAbsent) for one in extra.values()):
        return None
    if spec.kwarg is not None:
        bound[spec.kwarg.arg] = _unknown_options() if has_unknown else DictValue(dict(extra))
    return bound if named.keys() <= bound.keys() else None


def _bind_unknown(spec: ast.arguments, bound: dict[str, Value], names: Iterable[str], extra: dict[str, Value]) -> None:
    """Binds the parameters that unknown arguments may set."""
    for name in names:
        bound.setdefault(name, UnknownOption(f"possibly unknown argument {name}"))
    if extra.pop(UNKNOWN_ARGUMENTS, None) is not None and spec.vararg is not None:
        bound[spec.vararg.arg] = Unknown(f"unknown arguments of *{spec.vararg.arg}")


def _join_defaults(function: FunctionValue, bound: dict[str, Value]) -> None:
    """Joins an argument that may be absent with the default."""
    for name, value in bound.items():
        if isinstance(value, MaybeAbsent):
            default = defaults_of(function).get(name, ABSENT)
            bound[name] = value.value if default is ABSENT else join(value.value, default)


def defaults_of(function: FunctionValue) -> dict[str, Value]:
    """The values of the defaults by parameter."""
    positional = positional_names(function.node.args)
    first = len(positional) - len(function.defaults)
    found = dict(zip(positional[first:], function.defaults, strict=True))
    named = zip(function.node.args.kwonlyargs, function.kw_defaults, strict=True)
    return found | {one.arg: value for one, value in named if value is not ABSENT}


def _unknown_options() -> DictValue:
    """The `**kwargs` of a function that receives unknown keyword arguments."""
    found = unknown_dict()
    found.fields[OF_OPTIONS] = True
    return found


def unknown_dict() -> DictValue:
    """A dict with unknown items."""
    found = DictValue()
    found.fields[IS_TOP] = True
    return found
