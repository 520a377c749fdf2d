"""Converts annotation objects to hints.

jaxtyping's classes are recognized by their attributes, so that only programs with annotations import jaxtyping.
"""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Mapping
from typing import Any

from shapecheck.runtime.constraints import Constraint, Layout, OnDevice
from shapecheck.runtime.containers import MAPPINGS, SEQUENCES, UNIONS
from shapecheck.runtime.dtypes import Dtypes
from shapecheck.runtime.hints import (
    AnythingHint,
    ArrayHint,
    ClassHint,
    Hint,
    MappingHint,
    RecordHint,
    SequenceHint,
    TupleHint,
    UnionHint,
    has_arrays,
)
from shapecheck.runtime.plain import beartyped, plain
from shapecheck.runtime.resolving import Resolver
from shapecheck.spec.annotation import Annotation
from shapecheck.spec.errors import AnnotationError

_THROUGH = (typing.Final, typing.ClassVar)
_MOST_NESTED = 20


def read(hint: Any, resolve: Resolver, seen: tuple[type, ...] = ()) -> Hint:
    """The hint of an annotation. Raises AnnotationError if it is wrong, NameError for an unknown name."""
    if len(seen) > _MOST_NESTED:
        return AnythingHint()
    if isinstance(hint, typing.ForwardRef):
        hint = hint.__forward_arg__
    if isinstance(hint, str):
        hint = resolve(hint)
    if _is_array(hint):
        return _array(hint)
    if _is_dtype(hint):
        raise AnnotationError(f'expected {hint.__name__}[Tensor, "..."], got {hint.__name__}')
    if isinstance(hint, typing.TypeVar):
        return _variable(hint, resolve, seen)
    if hasattr(hint, "__value__") and type(hint).__name__ == "TypeAliasType":
        return read(hint.__value__, resolve, seen)
    origin = typing.get_origin(hint)
    if origin is None:
        return _class(hint, resolve, seen)
    return _generic(hint, origin, resolve, seen)


def _is_array(hint: Any) -> bool:
    """Whether it is `Float[Tensor, "b"]`."""
    return isinstance(hint, type) and type(hint).__name__ == "_MetaAbstractArray" and hasattr(hint, "dim_str")


def _is_dtype(hint: Any) -> bool:
    """Whether it is `Float` alone."""
    return isinstance(hint, type) and type(hint).__name__ == "_MetaAbstractDtype"


def _array(hint: Any, promises: tuple[Constraint, ...] = ()) -> ArrayHint:
    kind = None if hint.array_type is Any else hint.array_type
    dtype_name = hint.dtype.__name__
    shown = "Any" if kind is None else kind.__name__
    axes = Annotation(None, dtype_name, hint.dim_str, shown)
    if axes.problems:
        raise AnnotationError(f"{axes}: {axes.problems[0]}", axes.problems[0].column)
    return ArrayHint(axes, kind, Dtypes(dtype_name, hint.dtypes), promises)


def _variable(hint: Any, resolve: Resolver, seen: tuple[type, ...]) -> Hint:
    if hint.__bound__ is not None:
        return read(hint.__bound__, resolve, seen)
    members = tuple(read(member, resolve, seen) for member in hint.__constraints__)
    return UnionHint(members) if members else AnythingHint()


def _class(hint: Any, resolve: Resolver, seen: tuple[type, ...]) -> Hint:
    if isinstance(hint, type) and hint not in seen:
        fields = record_fields(hint, resolve, seen)
        if fields:
            return RecordHint(hint, fields)
    return plain(hint)


def record_fields(
    kind: type, resolve: Resolver, seen: tuple[type, ...] = (), everything: bool = False
) -> tuple[tuple[str, Hint], ...]:
    """The fields of a NamedTuple or a dataclass that contain tensors, or all that can be read."""
    if dataclasses.is_dataclass(kind):
        names = [field.name for field in dataclasses.fields(kind)]
    elif issubclass(kind, tuple) and hasattr(kind, "_fields"):
        names = list(kind._fields)
    else:
        return ()
    found = []
    for name, hint in _annotations(kind, names).items():
        try:
            read_field = read(hint, resolve.within(kind), (*seen, kind))
        except Exception:  # an annotation can be any expression; the class may belong to a library
            continue
        if everything or has_arrays(read_field):
            found.append((name, read_field))
    return tuple(found)


def _annotations(kind: type, names: list[str]) -> Mapping[str, Any]:
    every: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        every.update(inspect.get_annotations(base))
    return {name: every[name] for name in names if name in every}


def _generic(hint: Any, origin: Any, resolve: Resolver, seen: tuple[type, ...]) -> Hint:
    arguments = typing.get_args(hint)
    if origin is typing.Annotated:
        return _promised(read(arguments[0], resolve, seen), hint.__metadata__, hint)
    if origin in _THROUGH:
        return read(arguments[0], resolve, seen)
    if origin in UNIONS:
        members = tuple(read(member, resolve, seen) for member in arguments)
        if any(isinstance(member, AnythingHint) for member in members):
            return AnythingHint()
        return UnionHint(members) if any(map(has_arrays, members)) else plain(resolve.inside(hint))
    if origin is typing.Literal or not _mentions_arrays(arguments, resolve, seen):
        return plain(hint if origin is typing.Literal else resolve.inside(hint))
    return _container(origin, arguments, resolve, seen)


def _mentions_arrays(arguments: tuple[Any, ...], resolve: Resolver, seen: tuple[type, ...]) -> bool:
    for argument in arguments:
        if isinstance(argument, list):
            if _mentions_arrays(tuple(argument), resolve, seen):
                return True
        elif argument is not Ellipsis and not isinstance(argument, (int, bytes)):
            try:
                if has_arrays(read(argument, resolve, seen)):
                    return True
            except (SyntaxError, NameError):
                continue
    return False


def _container(origin: Any, arguments: tuple[Any, ...], resolve: Resolver, seen: tuple[type, ...]) -> Hint:
    if origin is tuple:
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return SequenceHint(tuple, read(arguments[0], resolve, seen))
        return TupleHint(tuple(read(argument, resolve, seen) for argument in arguments))
    if origin in SEQUENCES:
        return SequenceHint(origin, read(arguments[0], resolve, seen))
    if origin in MAPPINGS:
        return MappingHint(origin, read(arguments[0], resolve, seen), read(arguments[1], resolve, seen))
    if isinstance(origin, type):
        fields = record_fields(origin, resolve, seen) if origin not in seen else ()
        return RecordHint(origin, fields) if fields else plain(origin)
    return AnythingHint()


def _promised(hint: Hint, metadata: tuple[Any, ...], whole: Any) -> Hint:
    promises = tuple(item for item in metadata if isinstance(item, (Layout, OnDevice)))
    if promises and isinstance(hint, ArrayHint):
        return dataclasses.replace(hint, promises=(*hint.promises, *promises))
    if promises and isinstance(hint, UnionHint):
        return UnionHint(tuple(_promised(member, promises, None) for member in hint.members))
    if promises and isinstance(hint, ClassHint) and isinstance(hint.hint, type) and _is_tensor(hint.hint):
        axes = Annotation(None, "Shaped", "...", hint.hint.__name__)
        return ArrayHint(axes, hint.hint, Dtypes("Shaped", None), promises)
    if isinstance(hint, ClassHint) and any(type(item).__module__.startswith("beartype") for item in metadata):
        return beartyped(whole)
    return hint


def _is_tensor(kind: type) -> bool:
    return any((base.__module__, base.__name__) == ("torch", "Tensor") for base in kind.__mro__)
