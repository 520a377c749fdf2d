"""Reads the contract of a function from its annotations, and warns about those that cannot be read."""

from __future__ import annotations

import inspect
import re
import types
import typing
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from inspect import Parameter
from typing import Any

from shapecheck.runtime.errors import AnnotationWarning
from shapecheck.runtime.explain import Explainer
from shapecheck.runtime.hints import AnythingHint, ClassHint, Hint, UnionHint
from shapecheck.runtime.reading import read
from shapecheck.runtime.resolving import resolver
from shapecheck.runtime.signature import FunctionContract, parameter_hint, separate_records
from shapecheck.spec.annotation import DTYPE_CLASSES
from shapecheck.spec.bindings import Bindings
from shapecheck.spec.errors import AnnotationError, ShapeError

_RESULT = "return"
_MENTIONS_ARRAY = re.compile(rf"\b(?:{'|'.join(DTYPE_CLASSES)})\s*\[")
_SKIPPED_RESULTS = ("Generator", "Iterator", "Iterable", "AsyncGenerator", "AsyncIterator", "AsyncIterable")


@dataclass(frozen=True)
class Reading:
    """A contract. pending: whether it has names that cannot be resolved yet; mentions_arrays: whether it has arrays."""

    contract: FunctionContract
    pending: bool
    mentions_arrays: bool


def read_contract(
    function: types.FunctionType, around: Mapping[str, Any], sizes: tuple[str, ...], final: bool = False
) -> Reading:
    """The contract of a function. `around` contains names that its annotations may use in addition to its own.

    With `final`, a name that is still unknown makes its annotation unchecked.
    """
    return _Reader(function, around, sizes, final).read()


def is_foreign(function: types.FunctionType) -> bool:
    """Whether it wraps the function that the annotations belong to: `@torch.no_grad()` returns such a wrapper."""
    own = inspect.signature(function, follow_wrapped=False).parameters
    named = [name for name in function.__annotations__ if name != _RESULT]
    return hasattr(function, "__wrapped__") and bool(named) and not any(name in own for name in named)


def read_foreign(
    function: types.FunctionType, around: Mapping[str, Any], sizes: tuple[str, ...]
) -> FunctionContract | None:
    """The contract of such a wrapper with the parameters of the wrapped function, None if that cannot be found."""
    inner = inspect.unwrap(function)
    plain = isinstance(inner, types.FunctionType) and not any(
        test(one)
        for one in (function, inner)
        for test in (inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction)
    )
    return replace(read_contract(inner, around, sizes, final=True).contract, function=function) if plain else None


class _Reader:
    def __init__(
        self, function: types.FunctionType, around: Mapping[str, Any], sizes: tuple[str, ...], final: bool
    ) -> None:
        self.function = function
        self.resolve = resolver(function, around)
        self.sizes = sizes
        self.final = final
        self.pending = False
        self.mentions_arrays = False

    def read(self) -> Reading:
        parameters = tuple(inspect.signature(self.function, follow_wrapped=False).parameters.values())
        written = self.function.__annotations__
        hints: dict[str, Hint] = {}
        for parameter in parameters:
            hint = self._hint(parameter.name, written.get(parameter.name, Parameter.empty))
            hints[parameter.name] = _with_default(parameter_hint(parameter, hint), parameter.default)
        hints[_RESULT] = self._result(written.get(_RESULT, Parameter.empty))
        hints = separate_records(hints)
        result = hints.pop(_RESULT)
        name = self.function.__qualname__.rpartition("<locals>.")[2]
        return Reading(
            FunctionContract(self.function, name, parameters, hints, result, self.sizes),
            self.pending,
            self.mentions_arrays,
        )

    def _result(self, written: Any) -> Hint:
        if inspect.isgeneratorfunction(self.function) or inspect.isasyncgenfunction(self.function):
            return self._yielded(written)
        return self._hint(_RESULT, written)

    def _yielded(self, written: Any) -> Hint:
        """The hint for each value that a generator yields."""
        hint = self._resolved(_RESULT, written)
        arguments = typing.get_args(hint)
        origin = getattr(typing.get_origin(hint), "__name__", "")
        return self._hint(_RESULT, arguments[0]) if arguments and origin in _SKIPPED_RESULTS else AnythingHint()

    def _resolved(self, name: str, written: Any) -> Any:
        if not isinstance(written, str):
            return written
        try:
            return self.resolve(written)
        except NameError:
            self.pending = True
        except Exception as wrong:
            self._warn(name, written, wrong)
        return Parameter.empty

    def _hint(self, name: str, written: Any) -> Hint:
        if written is Parameter.empty:
            return AnythingHint()
        try:
            return read(written, self.resolve)
        except NameError as unknown:
            if self.final and _MENTIONS_ARRAY.search(str(written)):
                self._warn(name, written, unknown)
            self.pending = True
            self.mentions_arrays |= bool(_MENTIONS_ARRAY.search(str(written)))
        except Exception as wrong:  # an annotation can be any expression, and fail in any way
            self._warn(name, written, wrong)
        return AnythingHint()

    def _warn(self, name: str, written: Any, wrong: Exception) -> None:
        if not isinstance(wrong, AnnotationError) and not _MENTIONS_ARRAY.search(str(written)):
            return  # the annotation is not about a tensor
        code = self.function.__code__
        text = " ".join(str(wrong).split()) or type(wrong).__name__
        warnings.warn_explicit(
            f"{self.function.__qualname__}({name}) is not checked: {text}",
            AnnotationWarning,
            code.co_filename,
            code.co_firstlineno,
        )


def _with_default(hint: Hint, default: Any) -> Hint:
    """The hint, or the default if that does not match it: `mask: Float[Tensor, "b"] = None`."""
    if default is Parameter.empty or isinstance(hint, AnythingHint):
        return hint
    try:
        Explainer("", {}, Bindings()).check(hint, default, "")
    except ShapeError:
        kept = ClassHint(default, (type(None),) if default is None else None, lambda value: value is default)
        return UnionHint((kept, hint))
    return hint
