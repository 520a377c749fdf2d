"""Text for values and sizes in messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from shapecheck.runtime.dtypes import dtype_text
from shapecheck.spec.bindings import Bindings
from shapecheck.spec.presentation import clipped, quoted

_PROXY = ("torch.fx.proxy", "Proxy")

ABSENT = object()
"""The value of a field that has not been set yet."""


def is_exempt(value: Any) -> bool:
    """Whether there is nothing to check: a proxy of torch.fx, or a field that has not been set."""
    return value is ABSENT or any((kind.__module__, kind.__name__) == _PROXY for kind in type(value).__mro__)


def described(value: Any) -> str:
    """`a Tensor of shape (2, 10, 32)`, `int 3`, `a list`."""
    name = type(value).__name__
    if value is None:
        return "None"
    try:
        return f"{_with_article(name)} of shape {shape_text(value.shape)}"
    except Exception:  # not a tensor, or one without a shape
        return _plain_text(name, value)


def details(value: Any) -> str:
    """` and has shape (2, 10, 32), dtype torch.float32`; "" for a value without them."""
    try:
        return f" and has shape {shape_text(value.shape)}, dtype {dtype_text(value.dtype)}"
    except Exception:
        return ""


def shape_text(shape: Iterable[Any]) -> str:
    """`(2, 10)`, `(2,)`, `()`."""
    sizes = list(map(str, shape))
    return f"({', '.join(sizes)}{',' if len(sizes) == 1 else ''})"


def kind_text(value: Any) -> str:
    """`numpy.ndarray` for an array of another library, otherwise as `described`."""
    kind = type(value)
    return f"{kind.__module__}.{kind.__qualname__}" if details(value) else described(value)


def plural(number: int, noun: str) -> str:
    """`1 dimension`, `2 dimensions`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def type_text(hint: Any) -> str:
    """The annotation of a value that is not a tensor: `int`, `tuple[int, float] | None`."""
    return clipped(hint.__name__ if isinstance(hint, type) else str(hint).replace("typing.", ""))


def _plain_text(name: str, value: Any) -> str:
    if isinstance(value, str):
        return f"{name} {clipped(quoted(value))}"
    if isinstance(value, (bool, int, float, complex, bytes)):
        return f"{name} {clipped(repr(value))}"
    return _with_article(name)


def _with_article(name: str) -> str:
    return f"{'an' if name[:1] in tuple('aeiouAEIOU') else 'a'} {name}"


def sizes_text(bindings: Bindings, origins: Mapping[str, str]) -> str:
    """`b=2 (q[0]), t=10 (q[1])`."""
    found = [f"{name}={size}" + _from(name, origins) for name, size in bindings.sizes.items()]
    found += [
        f"*{name}={shape_text(shape.head)}" + _from(f"*{name}", origins) for name, (_, shape) in bindings.runs.items()
    ]
    return ", ".join(found)


def _from(name: str, origins: Mapping[str, str]) -> str:
    return f" ({origins[name]})" if name in origins else ""
