"""`checked`: the decorator of functions, methods and classes."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any, TypeVar, overload

from shapecheck.runtime.build import WRITTEN, build, build_bound, build_pending
from shapecheck.runtime.contracts import is_foreign, read_contract, read_foreign
from shapecheck.runtime.hints import Anything
from shapecheck.runtime.local_variables import with_locals
from shapecheck.runtime.records import check_fields, converted
from shapecheck.runtime.signature import Contract
from shapecheck.runtime.switch import enabled

_T = TypeVar("_T")
_Pending = Callable[[], None]

_pending: dict[str, list[_Pending]] = {}
"""By module, functions with names in their annotations that were not there yet."""


@overload
def checked(target: _T, /) -> _T: ...


@overload
def checked(*, sizes: str = "") -> Callable[[_T], _T]: ...


def checked(target: Any = None, /, *, sizes: str = "") -> Any:
    """Checks the annotated shapes, dtypes and types of a function, or of a class's methods and fields, at every call.

    `target` is a function, a method in any of its forms, or a class; what has nothing to check comes back as it is.
    sizes: names of axes, separated by spaces, that are attributes of the instance: with `@checked(sizes="dim")` on a
    class, `dim` in the annotations of its methods means `self.dim`.
    """
    around = sys._getframe(1).f_locals
    names = tuple(sizes.split())
    if target is None:
        return partial(_checked_object, around=dict(around), sizes=names)
    return _checked_object(target, around, names)


def checked_function(function: Any) -> Any:
    """`checked` for what the import hook finds: a `def`, whatever its other decorators will make of it."""
    return _checked_object(function, {}, ())


def checked_record(kind: Any) -> Any:
    """`checked` for the fields of a class that the import hook finds; its methods are found apart."""
    if isinstance(kind, type) and enabled() and not getattr(kind, "__no_type_check__", False):
        _check_record(kind, {kind.__name__: kind})
    return kind


def complete_pending(module: str) -> None:
    """Reads the annotations that were waiting for names of this module, which is loaded now."""
    for complete in _pending.pop(module, ()):
        complete()


def _checked_object(target: Any, around: Mapping[str, Any], sizes: tuple[str, ...]) -> Any:
    if not enabled() or getattr(target, "__no_type_check__", False):
        return target
    if isinstance(target, type):
        return _checked_class(target, around, sizes)
    inner = partial(_checked_object, around=around, sizes=sizes)
    if isinstance(target, (classmethod, staticmethod)):
        function = inner(target.__func__)
        return target if function is target.__func__ else type(target)(function)
    if isinstance(target, property):
        parts = (target.fget, target.fset, target.fdel)
        fget, fset, fdel = (part if part is None else inner(part) for part in parts)
        return target if (fget, fset, fdel) == parts else type(target)(fget, fset, fdel, target.__doc__)
    return _checked_function(target, around, sizes) if isinstance(target, types.FunctionType) else target


def _checked_class(kind: type, around: Mapping[str, Any], sizes: tuple[str, ...]) -> type:
    around = {**around, kind.__name__: kind}
    for name, member in list(vars(kind).items()):
        if _is_generated(member):
            continue
        if isinstance(member, cached_property):
            made = _checked_object(member.func, around, sizes)
            if made is not member.func:
                member.func = made
        elif isinstance(member, (types.FunctionType, classmethod, staticmethod, property)):
            made = _checked_object(member, around, sizes)
            if made is not member:
                setattr(kind, name, made)
    _check_record(kind, around)
    return kind


def _check_record(kind: Any, around: Mapping[str, Any]) -> None:
    if converted(kind) and "__init__" in vars(kind):
        kind.__init__ = _checked_object(kind.__init__, around, ())
    check_fields(kind, around)


def _is_generated(member: Any) -> bool:
    """Whether `dataclass` or `NamedTuple` wrote it: then the fields are checked, after whatever sets them."""
    code = getattr(member, "__code__", None)
    return code is not None and code.co_filename.startswith(("<string>", "<attrs", "<collections"))


def _checked_function(function: types.FunctionType, around: Mapping[str, Any], sizes: tuple[str, ...]) -> Any:
    if not function.__annotations__ or function.__code__ in WRITTEN:
        return function
    if is_foreign(function):
        foreign = read_foreign(function, around, sizes)
        return function if foreign is None else build_bound(foreign)
    reading = read_contract(function, around, sizes)
    if not reading.pending:
        return _made(reading.contract, around)
    # A method names its class before that exists: the annotations are read once more when the module is loaded, or
    # at the first call.
    known = dict(around)

    def finished() -> Any:
        return _made(read_contract(function, known, sizes, final=True).contract, known, always=True)

    made, complete = build_pending(reading.contract, finished)
    _pending.setdefault(function.__module__, []).append(complete)
    return made


def _made(contract: Contract, around: Mapping[str, Any], always: bool = False) -> Any:
    found = with_locals(contract, around)
    contract = contract if found is None else found.contract
    if not always and found is None and all(isinstance(hint, Anything) for hint in contract.hints):
        return contract.function
    return build(contract, found)
