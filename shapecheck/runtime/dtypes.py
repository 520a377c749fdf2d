"""Which dtypes an annotation allows, for torch's dtypes and for those of other libraries."""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from typing import Any

_KINDS = {
    "Bool": "a boolean",
    "UInt": "an unsigned integer",
    "Int": "a signed integer",
    "Integer": "an integer",
    "Float": "a floating-point",
    "Complex": "a complex",
    "Inexact": "a floating-point or complex",
    "Real": "a real",
    "Num": "a numeric",
    "Key": "a PRNG key",
}


class Dtypes:
    """The dtypes of a jaxtyping class: names and patterns, matched as jaxtyping matches them.

    name: the class, for messages. everything: whether it is `Shaped`, which matches any dtype.
    """

    __slots__ = ("_names", "_patterns", "everything", "name")

    def __init__(self, name: str, allowed: Any) -> None:
        self.name = name
        self.everything = not isinstance(allowed, (tuple, list))
        items = () if self.everything else tuple(allowed)
        self._names = frozenset(item for item in items if isinstance(item, str))
        self._patterns = tuple(item for item in items if isinstance(item, re.Pattern))

    def allow(self, dtype: object) -> bool:
        """Whether a tensor of this dtype matches."""
        return self.everything or _matches(dtype_name(dtype), self._names, self._patterns)

    @property
    def description(self) -> str:
        """`a floating-point dtype (Float)`, `dtype float16 (Float16)`."""
        kind = _KINDS.get(self.name)
        if kind is not None:
            return f"{kind} dtype ({self.name})"
        if len(self._names) == 1 and not self._patterns:
            return f"dtype {next(iter(self._names))} ({self.name})"
        return f"a dtype of {self.name}"

    def of_torch(self) -> frozenset[object] | None:
        """torch's dtypes that match, None for all."""
        return None if self.everything else _of_torch(self._names, self._patterns)

    def __repr__(self) -> str:
        return self.name


_Patterns = tuple[re.Pattern[str], ...]


def _matches(name: str, names: frozenset[str], patterns: _Patterns) -> bool:
    return name in names or any(pattern.match(name) for pattern in patterns)


@lru_cache(maxsize=64)
def _of_torch(names: frozenset[str], patterns: _Patterns) -> frozenset[object]:
    torch = sys.modules["torch"]
    every = {value for value in vars(torch).values() if isinstance(value, torch.dtype)}
    return frozenset(dtype for dtype in every if _matches(dtype_name(dtype), names, patterns))


def dtype_text(dtype: Any) -> str:
    """As the library that defines it prints it: `torch.float32`, or `float32` for numpy."""
    text = repr(dtype)
    return text if text.startswith("torch.") else dtype_name(dtype)


def dtype_name(dtype: Any) -> str:
    """The name by which jaxtyping matches a dtype: torch, numpy, JAX, TensorFlow, or a string."""
    kind = getattr(getattr(dtype, "type", None), "__name__", None)
    if kind is not None:
        # A structured dtype of numpy is identified by its fields, which its string lists.
        return str(dtype) if kind == "void" and getattr(dtype, "names", None) else str(kind)
    if hasattr(dtype, "as_numpy_dtype"):
        return str(dtype.as_numpy_dtype.__name__)
    return dtype if isinstance(dtype, str) else repr(dtype).rsplit(".", 1)[-1]
