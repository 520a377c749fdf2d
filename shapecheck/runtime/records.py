"""Dataclasses and NamedTuples: their fields are checked together when an instance is created."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Mapping
from inspect import Parameter
from typing import Any

from shapecheck.runtime.build import build
from shapecheck.runtime.describe import ABSENT
from shapecheck.runtime.hints import AnythingHint, has_arrays
from shapecheck.runtime.reading import record_fields
from shapecheck.runtime.resolving import Resolver
from shapecheck.runtime.signature import FunctionContract, separate_records

_MARK = "__shapecheck_fields__"


def check_fields(kind: type, around: Mapping[str, Any], everything: bool) -> None:
    """Makes the constructor of a dataclass or a NamedTuple check the fields, once it has set them.

    Without `everything`, only if one of them is an array.
    """
    if _MARK in vars(kind):
        return
    check = _check(kind, around, everything)
    if check is None:
        return
    if issubclass(kind, tuple):
        _after_new(kind, check)
    elif "__init__" in vars(kind):
        _after_init(kind, check)
    setattr(kind, _MARK, True)


def _check(kind: type, around: Mapping[str, Any], everything: bool) -> Callable[[Any], None] | None:
    """The check of an instance, None for a class without fields to check."""
    if not dataclasses.is_dataclass(kind) and not (issubclass(kind, tuple) and hasattr(kind, "_fields")):
        return None
    fields = record_fields(kind, Resolver({}, around), everything=True)
    found = {name: hint for name, hint in fields if not isinstance(hint, AnythingHint) and name not in converted(kind)}
    if not found or not all(name.isidentifier() for name in found):
        return None
    if not everything and not any(map(has_arrays, found.values())):
        return None
    parameters = tuple(Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in found)
    contract = FunctionContract(_nothing, kind.__name__, parameters, separate_records(found), AnythingHint())
    check = build(contract, closed=False)  # torch.compile cannot follow a closure that a constructor calls
    names = tuple(found)

    def check_instance(made: Any) -> None:
        if not getattr(made, "__no_type_check__", False):
            check(*[getattr(made, name, ABSENT) for name in names])

    return check_instance


def converted(kind: type) -> set[str]:
    """The fields whose values are converted after the constructor, as in equinox: it takes the unconverted value."""
    fields = dataclasses.fields(kind) if dataclasses.is_dataclass(kind) else ()
    return {field.name for field in fields if "converter" in field.metadata}


def _nothing(*_: Any) -> None:
    """The function that a generated check of fields calls at the end."""


def _after_init(kind: Any, check: Callable[[Any], None]) -> None:
    init = kind.__init__

    @functools.wraps(init)
    def __init__(self: Any, /, *args: Any, **kwargs: Any) -> None:
        init(self, *args, **kwargs)
        # A subclass that calls this has not finished yet.
        if type(self).__init__ is __init__:
            check(self)

    __init__.__wrapped__ = inspect.unwrap(init)  # what was written, past other checks
    kind.__init__ = __init__


def _after_new(kind: Any, check: Callable[[Any], None]) -> None:
    new = kind.__new__

    @functools.wraps(new)
    def __new__(cls: Any, /, *args: Any, **kwargs: Any) -> Any:
        made = new(cls, *args, **kwargs)
        check(made)
        return made

    kind.__new__ = staticmethod(__new__)
