"""Methods that copy a tensor to the host: on a CPU they call no operator, so a dispatch mode does not see them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from threading import get_ident
from types import FrameType
from typing import Any

from torch import Tensor

_NAMES = ("cpu", "numpy", "tolist")
_Told = Callable[[str, Tensor, FrameType], None]
"""Receives the method, the tensor and the frame that calls it."""


class Transfers:
    """Wraps these methods while it observes one thread; the methods themselves are called unchanged."""

    def __init__(self, told: _Told) -> None:
        self._told = told
        self._before: dict[str, Any] = {}

    def watch(self) -> None:
        """Installs the wrappers, from whichever class `Tensor` inherits the methods."""
        thread = get_ident()
        for name in _NAMES:
            self._before[name] = vars(Tensor).get(name)
            setattr(Tensor, name, _before(getattr(Tensor, name), name, thread, self._told))

    def leave(self) -> None:
        """Restores `Tensor`."""
        for name, method in self._before.items():
            if method is None:
                delattr(Tensor, name)
            else:
                setattr(Tensor, name, method)
        self._before.clear()


def _before(method: Callable[..., Any], name: str, thread: int, told: _Told) -> Callable[..., Any]:
    @wraps(method)
    def told_first(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        if get_ident() == thread:
            told(name, self, sys._getframe(1))
        return method(self, *args, **kwargs)

    return told_first
