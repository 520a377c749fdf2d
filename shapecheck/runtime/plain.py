"""Checks for values that are not tensors: classes and containers, with beartype for other hints.

The common forms are checked by our own code, because torch.compile can trace it and cannot trace beartype. Of a
list or a dict without tensors only the first entry is checked, so that the cost does not grow with its length.
"""

from __future__ import annotations

import collections.abc
import typing
import warnings
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from shapecheck.runtime.containers import MAPPINGS, SEQUENCES, UNIONS
from shapecheck.runtime.hints import AnythingHint, ClassHint, Hint, MappingHint, SequenceHint, TupleHint, UnionHint

# As type checkers read them (PEP 484): an int is accepted as a float.
_TOWER: dict[type, tuple[type, ...]] = {float: (float, int), complex: (complex, float, int)}


def plain(hint: Any) -> Hint:
    """The hint for an annotation without tensors."""
    if hint is None or hint is type(None):
        return ClassHint(None, (type(None),), lambda value: value is None)
    if hint is Any or hint is object or isinstance(hint, (str, typing.TypeVar)):
        return AnythingHint()
    if hasattr(hint, "__supertype__"):
        return plain(hint.__supertype__)
    if typing.is_typeddict(hint):
        return _instance(hint, (dict,))
    origin = typing.get_origin(hint)
    if origin is not None:
        return _generic(hint, origin, typing.get_args(hint))
    if isinstance(hint, type) and not getattr(hint, "_is_protocol", False):
        return _instance(hint, _TOWER.get(hint, (hint,)))
    return beartyped(hint)


def _instance(hint: Any, classes: tuple[type, ...]) -> ClassHint:
    return ClassHint(hint, classes, lambda value: isinstance(value, classes))


def _generic(hint: Any, origin: Any, arguments: tuple[Any, ...]) -> Hint:
    if not hasattr(hint, "__args__"):  # `List` alone
        return _instance(hint, (origin,))
    if origin in UNIONS:
        return _union(hint, [plain(argument) for argument in arguments])
    if origin is typing.Literal:
        return ClassHint(hint, None, lambda value: value in arguments)
    if origin is collections.abc.Callable:
        return ClassHint(hint, None, callable)
    if origin is tuple and not (len(arguments) == 2 and arguments[1] is Ellipsis):
        return TupleHint(tuple(map(plain, arguments)))
    if origin is tuple or origin in SEQUENCES:
        return SequenceHint(origin, plain(arguments[0]), True)
    if origin in MAPPINGS and len(arguments) == 2:
        return MappingHint(origin, plain(arguments[0]), plain(arguments[1]), True)
    return _instance(hint, (origin,)) if isinstance(origin, type) else beartyped(hint)


def _union(hint: Any, members: list[Hint]) -> Hint:
    if any(isinstance(member, AnythingHint) for member in members):
        return AnythingHint()
    classes: list[type] = []
    for member in members:
        if not isinstance(member, ClassHint) or member.classes is None:
            break
        classes += member.classes
    else:
        return _instance(hint, tuple(dict.fromkeys(classes)))
    # `list[int] | list[str]` only requires a list.
    kinds = [_container(member) for member in members]
    loose = [kind for kind in kinds if kind is not None and _overlaps(kind, kinds)]
    flat = [_instance(kind, (kind,)) if kind in loose else member for kind, member in zip(kinds, members, strict=True)]
    return UnionHint(tuple(flat), hint)


def _container(hint: Hint) -> type | None:
    if isinstance(hint, (SequenceHint, MappingHint)):
        return hint.kind
    return tuple if isinstance(hint, TupleHint) else None


def _overlaps(kind: type, kinds: list[type | None]) -> bool:
    return sum(other is not None and (issubclass(kind, other) or issubclass(other, kind)) for other in kinds) > 1


def beartyped(hint: Any) -> Hint:
    """A hint that beartype checks; its test is built for the first value."""
    key = _Key(hint)
    return ClassHint(hint, None, lambda value: _test(key, value))


class _Key:
    """A hint as the key of a cache, though it may not be hashable."""

    def __init__(self, hint: Any) -> None:
        self.hint = hint

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.hint is self.hint

    def __hash__(self) -> int:
        return id(self.hint)


def _test(key: _Key, value: object) -> bool:
    return _tester(key)(value)


@lru_cache(maxsize=1024)
def _tester(key: _Key) -> Callable[[object], bool]:
    try:
        from beartype import BeartypeConf  # noqa: PLC0415 - only where something is checked that needs it
        from beartype.door import is_bearable  # noqa: PLC0415
    except ImportError:
        return lambda value: True
    conf = BeartypeConf(is_pep484_tower=True)

    def test(value: object) -> bool:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return is_bearable(value, key.hint, conf=conf)
        except Exception:  # a hint that beartype does not understand
            return True

    return test
