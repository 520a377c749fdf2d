"""argparse: the arguments of a program that is started without any, so that each has its default."""

from __future__ import annotations

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import AttributeNamespace, Collection, ListValue, Object
from shapecheck.static.domain.values import ExternalReference
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.engine.run import Run

_CONVERTED = {"builtins.int": int, "builtins.float": float, "builtins.str": str}
_FLAGS = {"store_true": False, "store_false": True}


class Parser(Object):
    """An ArgumentParser, whose fields are the defaults of its arguments."""

    __slots__ = ()


def parser(*_: Value, parents: Value = None, **__: Value) -> Value:
    """The result of `argparse.ArgumentParser`."""
    return Parser() if parents is None else Unknown("a parser with parent parsers")


def of_parser(run: Run, receiver: Parser, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """The result of a method of a parser, or of an argument group."""
    if name == "add_argument":
        _add(run, receiver, args, kwargs)
    elif name in ("add_argument_group", "add_mutually_exclusive_group"):
        return receiver
    elif name == "set_defaults":
        for dest, value in kwargs.items():
            run.journal.write(receiver, dest, value)
    elif name == "parse_args" and _has_no_arguments(args, kwargs):
        return AttributeNamespace(dict(receiver.fields))
    elif name == "parse_known_args" and _has_no_arguments(args, kwargs):
        return (AttributeNamespace(dict(receiver.fields)), Unknown("further arguments"))
    return Unknown(f"unsupported {name} of a parser")


def _has_no_arguments(args: tuple[Value, ...], kwargs: dict[str, Value]) -> bool:
    """Whether the call itself passes no arguments to parse."""
    arguments = args[0] if args else kwargs.get("args")
    is_empty = isinstance(arguments, ListValue) and not arguments.items
    return (
        (arguments is None or isinstance(arguments, Unknown) or is_empty)
        and len(args) < 2
        and "namespace" not in kwargs
    )


def _add(run: Run, receiver: Parser, names: tuple[Value, ...], kwargs: dict[str, Value]) -> None:
    dest = kwargs.get("dest") or _dest(names)
    if isinstance(dest, str):
        run.journal.write(receiver, dest, _default(names, kwargs))


def _dest(names: tuple[Value, ...]) -> str | None:
    """The attribute that holds an argument with these names: the first long name, or else the first one."""
    texts = [one for one in names if isinstance(one, str)]
    named = next((one for one in texts if one.startswith("--")), next(iter(texts), None))
    return None if named is None else named.lstrip("-").replace("-", "_")


def _default(names: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """The default of an argument; unknown if the argument is required, or None, 0 or without items by default."""
    action, kind = kwargs.get("action", "store"), kwargs.get("type")
    default = kwargs.get("default")
    if kwargs.get("required", False) is not False or not all(isinstance(one, str) for one in names):
        return Unknown("a required argument")
    if default is None:
        return (
            _FLAGS[action] if isinstance(action, str) and action in _FLAGS else Unknown("an argument that may be None")
        )
    if _is_empty(default):
        return Unknown("an argument that is empty by default")
    if kind is None or not isinstance(default, str):
        return default
    convert = _CONVERTED.get(kind.name) if isinstance(kind, ExternalReference) else None
    try:
        return Unknown("an argument of an unsupported type") if convert is None else convert(default)
    except ValueError:
        return Unknown("a default that cannot be converted")


def _is_empty(default: Value) -> bool:
    """Whether a default is a count of 0 or has no items: users of the program pass more."""
    if isinstance(default, Collection):
        return default.lost or not items_of(default)
    return default == () or (type(default) is int and default == 0)


FUNCTIONS = {"argparse.ArgumentParser": parser}
