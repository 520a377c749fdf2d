"""Text for values and sizes in messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from shapecheck.runtime.dtypes import dtype_text
from shapecheck.spec.bindings import Bindings

_LONGEST = 60
_PROXY = ("torch.fx.proxy", "Proxy")

ABSENT = object()
"""Stands for a field that has no value yet."""


def is_exempt(value: Any) -> bool:
    """Whether there is nothing to check: a stand-in of torch.fx, or a field without value."""
    return value is ABSENT or any((kind.__module__, kind.__name__) == _PROXY for kind in type(value).__mro__)


def described(value: Any) -> str:
    """`torch.float32 (2, 10, 32)`, `int 3`, `a list`."""
    try:
        return f"{dtype_text(value.dtype)} {shape_text(value.shape)}"
    except Exception:  # no tensor, or none that tells
        return _shown(value)


def shape_text(shape: Iterable[int]) -> str:
    """`(2, 10)`, `(2,)`, `()`."""
    sizes = list(map(str, shape))
    return f"({', '.join(sizes)}{',' if len(sizes) == 1 else ''})"


def with_kind(value: Any) -> str:
    """`numpy.ndarray float32 (2, 10)`, for what has a shape and is of another class than was asked for."""
    text, kind = described(value), type(value)
    return text if text == _shown(value) else f"{kind.__module__}.{kind.__qualname__} {text}"


def _shown(value: Any) -> str:
    name = type(value).__name__
    if value is None:
        return "None"
    if not isinstance(value, (bool, int, float, complex, str, bytes)):
        return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"
    text = repr(value)
    return f"{name} {text if len(text) <= _LONGEST else text[:_LONGEST] + '...'}"


def sizes_text(bindings: Bindings, origins: Mapping[str, str]) -> str:
    """`b=2 (q[0]), t=10 (q[1])`."""
    found = [f"{name}={size}" + _from(name, origins) for name, size in bindings.sizes.items()]
    found += [
        f"*{name}={'(' + ', '.join(map(str, shape.head)) + ')'}" + _from(f"*{name}", origins)
        for name, (_, shape) in bindings.runs.items()
    ]
    return ", ".join(found)


def _from(name: str, origins: Mapping[str, str]) -> str:
    return f" ({origins[name]})" if name in origins else ""
