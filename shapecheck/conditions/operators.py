"""Python's signs for torch's operators: a sign and its function are the same operator."""

from __future__ import annotations

from typing import Final

_SIGNS: Final = {
    "add": "+",
    "sub": "-",
    "subtract": "-",
    "mul": "*",
    "multiply": "*",
    "pow": "**",
    **dict.fromkeys(("div", "divide", "true_divide"), "/"),
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
}


def sign_of(name: str) -> str:
    """The sign of an operator, or its own name if it has none."""
    return _SIGNS.get(name, name)
