"""argparse: the arguments of a program that is started without any, so that each has its default."""

from __future__ import annotations

import ast
from typing import NamedTuple

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import AttributeNamespace, ListValue, Object
from shapecheck.static.domain.placeholders import is_placeholder
from shapecheck.static.domain.values import ExternalReference
from shapecheck.static.engine.places import Place
from shapecheck.static.engine.run import Run

_CONVERTED = {"builtins.int": int, "builtins.float": float, "builtins.str": str}
_FLAGS = {"store_true": False, "store_false": True}


class Parser(Object):
    """An ArgumentParser, whose fields are the defaults of its arguments; `options` says where those are added."""

    __slots__ = ("options",)

    def __init__(self) -> None:
        super().__init__()
        self.options: dict[str, _Option] = {}


class _Option(NamedTuple):
    place: Place
    name: str
    default: ast.expr | None
    is_none: bool
    """Whether the argument is None in a program that is certain to be started without it."""


def parser(*_: Value, parents: Value = None, **__: Value) -> Value:
    """The result of `argparse.ArgumentParser`."""
    return Parser() if parents is None else Unknown("a parser with parent parsers")


def of_parser(
    run: Run, node: ast.AST, receiver: Parser, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> Value:
    """The result of a method of a parser, or of an argument group."""
    if name == "add_argument":
        _add(run, node, receiver, args, kwargs)
    elif name in ("add_argument_group", "add_mutually_exclusive_group"):
        return receiver
    elif name == "set_defaults":
        for dest, value in kwargs.items():
            run.journal.write(receiver, dest, value)
    elif name in ("parse_args", "parse_known_args"):
        found = _parsed(run, receiver, args, kwargs)
        return found if name == "parse_args" else (found, Unknown("further arguments"))
    return Unknown(f"unsupported {name} of a parser")


def _parsed(run: Run, receiver: Parser, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """The namespace of a program that is started without arguments, or with an empty list of them."""
    arguments = args[0] if args else kwargs.get("args")
    is_empty = isinstance(arguments, ListValue) and not arguments.items
    if len(args) > 1 or "namespace" in kwargs or not (is_empty or arguments is None or isinstance(arguments, Unknown)):
        return Unknown("parsed arguments")
    fields = dict(receiver.fields)
    for dest, one in receiver.options.items():
        value = fields.get(dest)
        if is_empty and one.is_none and isinstance(value, Unknown):
            fields[dest] = None
        elif not is_empty and dest in fields and not isinstance(value, Unknown):
            fields[dest] = run.defaults.option(one.place, one.name, one.default, value)
    return AttributeNamespace(fields)


def _add(run: Run, node: ast.AST, receiver: Parser, names: tuple[Value, ...], kwargs: dict[str, Value]) -> None:
    dest = kwargs.get("dest") or _dest(names)
    if isinstance(dest, str):
        run.journal.write(receiver, dest, _default(names, kwargs))
        default = _written_default(node, kwargs.get("action"))
        name = next((one for one in names if isinstance(one, str)), dest)
        receiver.options[dest] = _Option(Place(run.loaded, node), name, default, _is_none(names, kwargs))


def _written_default(node: ast.AST, action: Value) -> ast.expr | None:
    """The default of an argument in the source, or that of a flag."""
    keywords = node.keywords if isinstance(node, ast.Call) else []
    implied = ast.Constant(_FLAGS[action]) if isinstance(action, str) and action in _FLAGS else None
    return next((one.value for one in keywords if one.arg == "default"), implied)


def _dest(names: tuple[Value, ...]) -> str | None:
    """The attribute that holds an argument with these names: the first long name, or else the first one."""
    texts = [one for one in names if isinstance(one, str)]
    named = next((one for one in texts if one.startswith("--")), next(iter(texts), None))
    return None if named is None else named.lstrip("-").replace("-", "_")


def _default(names: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """The value of an argument; unknown if it is required, or if its default is None or a placeholder."""
    action, kind = kwargs.get("action", "store"), kwargs.get("type")
    default = kwargs.get("default")
    if kwargs.get("required", False) is not False or not all(isinstance(one, str) for one in names):
        return Unknown("a required argument")
    if default is None:
        return (
            _FLAGS[action] if isinstance(action, str) and action in _FLAGS else Unknown("an argument that may be None")
        )
    if kind is not None and isinstance(default, str):
        default = _converted(kind, default)
    return Unknown("an argument without a useful default") if is_placeholder(default) else default


def _is_none(names: tuple[Value, ...], kwargs: dict[str, Value]) -> bool:
    """Whether the default of an optional argument is None, which is also that of an option without one."""
    is_option = all(isinstance(one, str) and one.startswith("-") for one in names) and bool(names)
    is_stored = kwargs.get("action", "store") in ("store", "append", "extend", "store_const")
    return is_option and is_stored and kwargs.get("default") is None and kwargs.get("required", False) is False


def _converted(kind: Value, default: str) -> Value:
    convert = _CONVERTED.get(kind.name) if isinstance(kind, ExternalReference) else None
    try:
        return Unknown("an argument of an unsupported type") if convert is None else convert(default)
    except ValueError:
        return Unknown("a default that cannot be converted")


FUNCTIONS = {"argparse.ArgumentParser": parser}
