"""Programs that assign to functions, classes or methods of torch: `nn.Linear.forward = ...`, `F.relu = ...`.

Which code has run before a call is not followed: a file that replaces an operator anywhere may use the replacement.
"""

from __future__ import annotations

import re

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.ops.names import SYMBOLS

_ROOTS = r"(?:torch|nn|F|functional|Tensor|Module)"
_ASSIGNED = lazy_pattern(rf"^[ \t]*({_ROOTS}(?:\.\w+)+)[ \t]*=(?!=)", re.MULTILINE)
_SET = lazy_pattern(rf"\bsetattr\([ \t]*({_ROOTS}(?:\.\w+)*)[ \t]*,[ \t]*[\"'](\w+)[\"']")
_CALLS = frozenset(("forward", "__call__", "_call_impl", "_wrapped_call_impl"))
ALL_CALLS = "Module"
"""Replaced if the calls of all modules may do something else."""


def patched_names(text: str) -> frozenset[str]:
    """The names of the operators, layers and methods of tensors that the text of a file replaces."""
    if "torch" not in text:
        return frozenset()
    assigned = _ASSIGNED.findall(text)
    named = [".".join(one) for one in _SET.findall(text)] if "setattr(" in text else []
    return frozenset(name for one in (*assigned, *named) for name in _names_of(one.split(".")))


def _names_of(parts: list[str]) -> tuple[str, ...]:
    """How rules call what an assignment to a dotted name replaces."""
    owner, name = parts[-2:]
    if name in _CALLS:
        return (owner, f"{owner}()")
    if name[:1].isupper():
        return (name, f"{name}()")
    plain = name.strip("_")
    return (plain, *[symbol for symbol, operator in SYMBOLS.items() if operator == plain])
