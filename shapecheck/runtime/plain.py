"""Values that are no tensors: `isinstance` where a class says it all, beartype for the rest."""

from __future__ import annotations

import typing
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from shapecheck.runtime.hints import Anything, Hint, Plain

# As type checkers read them (PEP 484): an int is welcome where a float is asked for.
_TOWER: dict[type, tuple[type, ...]] = {float: (float, int), complex: (complex, float, int)}


def plain(hint: Any) -> Hint:
    """The demand of a hint in which there is no tensor."""
    if hint is None or hint is type(None):
        return Plain(None, (type(None),), lambda value: value is None)
    if hint is Any or hint is object or isinstance(hint, str):
        return Anything()
    if _is_simple_class(hint):
        classes = _TOWER.get(hint, (hint,))
        return Plain(hint, classes, lambda value: isinstance(value, classes))
    test = _tester()(hint)
    return Anything() if test is None else Plain(hint, None, test)


def _is_simple_class(hint: Any) -> bool:
    # Metaclasses with an answer of their own (Protocol, ABCs that hooks extend, PyTree) are asked by isinstance too;
    # what has arguments, or stands for something else (NewType, TypedDict, a protocol), is not.
    if not isinstance(hint, type) or typing.get_origin(hint) is not None:
        return False
    return not getattr(hint, "_is_protocol", False) and not typing.is_typeddict(hint)


@lru_cache(maxsize=1)
def _tester() -> Callable[[Any], Callable[[object], bool] | None]:
    """beartype's maker of tests. Without beartype nothing but classes is checked."""
    try:
        from beartype import BeartypeConf  # noqa: PLC0415 - only where something is checked that needs it
        from beartype.door import is_bearable  # noqa: PLC0415
        from beartype.roar import BeartypeException  # noqa: PLC0415
    except ImportError:
        return lambda hint: None
    conf = BeartypeConf(is_pep484_tower=True)

    def make(hint: Any) -> Callable[[object], bool] | None:
        try:
            is_bearable(None, hint, conf=conf)
        except (BeartypeException, NameError, AttributeError, TypeError, ValueError, RecursionError):
            return None  # no hint that beartype understands

        def test(value: object) -> bool:
            try:
                return is_bearable(value, hint, conf=conf)
            except BeartypeException:  # it reads parts of a hint only when it meets them
                return True

        return test

    return make
