"""`checked`: the decorator of functions, methods and classes."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, TypeVar, overload

from shapecheck.runtime.build import WRITTEN, build, build_bound, build_pending
from shapecheck.runtime.contracts import is_foreign, read_contract, read_foreign
from shapecheck.runtime.hints import AnythingHint, has_arrays
from shapecheck.runtime.local_variables import with_locals
from shapecheck.runtime.records import check_fields, converted
from shapecheck.runtime.signature import FunctionContract
from shapecheck.runtime.switch import enabled

_T = TypeVar("_T")
_Pending = Callable[[], None]

_pending: dict[str, list[_Pending]] = {}
"""Functions whose annotations contain names that are not defined yet, by the module that is being loaded."""


@overload
def checked(target: _T, /) -> _T: ...


@overload
def checked(*, sizes: str = "") -> Callable[[_T], _T]: ...


def checked(target: Any = None, /, *, sizes: str = "") -> Any:
    """Checks the annotated shapes, dtypes and types of a function, or of a class's methods and fields, at every call.

    `target` is a function, a method in any of its forms, or a class; it is returned unchanged if it has no annotations.
    sizes: names of axes, separated by spaces, that are attributes of the instance: with `@checked(sizes="dim")` on a
    class, `dim` in the annotations of its methods means `self.dim`.
    """
    options = CheckOptions(sys._getframe(1).f_locals, tuple(sizes.split()))
    if target is None:
        return partial(_checked_object, options=replace(options, around=dict(options.around)))
    return _checked_object(target, options)


@dataclass(frozen=True)
class CheckOptions:
    """How to check. around: names that annotations in strings may use. sizes: axes that are attributes.

    everything: also functions and records in whose annotations there is no array.
    """

    around: Mapping[str, Any] = field(default_factory=dict)
    sizes: tuple[str, ...] = ()
    everything: bool = True


def checked_function(function: Any, options: CheckOptions) -> Any:
    """`checked` for a `def` that the import hook finds, before its other decorators are applied."""
    return _checked_object(function, options)


def checked_record(kind: Any, options: CheckOptions) -> Any:
    """`checked` for the fields of a class that the import hook finds; its methods are found separately."""
    if isinstance(kind, type) and enabled() and not getattr(kind, "__no_type_check__", False):
        _check_record(kind, replace(options, around={kind.__name__: kind}))
    return kind


@contextmanager
def loading(module: str) -> Iterator[None]:
    """A context in which a module is loaded; at its end, annotations that used later names of the module are read."""
    pending = _pending[module] = []
    try:
        yield
        for complete in pending:
            complete()
    finally:
        _pending.pop(module, None)


def _checked_object(target: Any, options: CheckOptions) -> Any:
    if not enabled() or getattr(target, "__no_type_check__", False):
        return target
    if isinstance(target, type):
        return _checked_class(target, options)
    inner = partial(_checked_object, options=options)
    if isinstance(target, (classmethod, staticmethod)):
        function = inner(target.__func__)
        return target if function is target.__func__ else type(target)(function)
    if isinstance(target, property):
        parts = (target.fget, target.fset, target.fdel)
        fget, fset, fdel = (part if part is None else inner(part) for part in parts)
        return target if (fget, fset, fdel) == parts else type(target)(fget, fset, fdel, target.__doc__)
    return _checked_function(target, options) if isinstance(target, types.FunctionType) else target


def _checked_class(kind: type, options: CheckOptions) -> type:
    options = replace(options, around={**options.around, kind.__name__: kind})
    for name, member in list(vars(kind).items()):
        if _is_generated(member):
            continue
        if isinstance(member, cached_property):
            made = _checked_object(member.func, options)
            if made is not member.func:
                member.func = made
        elif isinstance(member, (types.FunctionType, classmethod, staticmethod, property)):
            made = _checked_object(member, options)
            if made is not member:
                setattr(kind, name, made)
    _check_record(kind, options)
    return kind


def _check_record(kind: Any, options: CheckOptions) -> None:
    if converted(kind) and "__init__" in vars(kind):
        kind.__init__ = _checked_object(kind.__init__, options)
    check_fields(kind, options.around, options.everything)


def _is_generated(member: Any) -> bool:
    """Whether `dataclass` or `NamedTuple` generated it: then the fields are checked after they have been set."""
    code = getattr(member, "__code__", None)
    return code is not None and code.co_filename.startswith(("<string>", "<attrs", "<collections"))


def _checked_function(function: types.FunctionType, options: CheckOptions) -> Any:
    if not function.__annotations__ or function.__code__ in WRITTEN:
        return function
    if is_foreign(function):
        foreign = read_foreign(function, options.around, options.sizes)
        return function if foreign is None or not _is_wanted(foreign, options) else build_bound(foreign)
    reading = read_contract(function, options.around, options.sizes)
    if not reading.pending:
        return _made(reading.contract, options)
    if not (_is_wanted(reading.contract, options) or reading.mentions_arrays):
        return function
    # A method names its class before that exists: the annotations are read once more when the module is loaded, or
    # at the first call.
    known = replace(options, around=dict(options.around))

    def finished() -> Any:
        return _made(read_contract(function, known.around, known.sizes, final=True).contract, known, always=True)

    made, complete = build_pending(reading.contract, finished)
    if function.__module__ in _pending:
        _pending[function.__module__].append(complete)
    return made


def _made(contract: FunctionContract, options: CheckOptions, always: bool = False) -> Any:
    found = with_locals(contract, options.around)
    contract = contract if found is None else found.contract
    return build(contract, found, not always) if always or _is_wanted(contract, options) else contract.function


def _is_wanted(contract: FunctionContract, options: CheckOptions) -> bool:
    if options.everything:
        return any(not isinstance(hint, AnythingHint) for hint in contract.hints)
    return any(map(has_arrays, contract.hints))
