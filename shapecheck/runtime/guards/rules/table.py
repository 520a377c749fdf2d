"""Maps observed functions of torch to rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, NamedTuple

import torch
import torch.nn.functional

from shapecheck.runtime.guards.call import OperatorCall

RuleFunction = Callable[[OperatorCall], "str | None"]


class Rule(NamedTuple):
    """A function that looks at a call and returns the message of a violation."""

    code: str
    look: RuleFunction


_RULES_BY_FUNCTION: dict[Any, list[Rule]] = {}
_OTHERS: list[Rule] = []


def rule(code: str, functions: Iterable[str] | None) -> Callable[[RuleFunction], RuleFunction]:
    """Registers a rule for torch's functions and methods of these names; None means all."""

    def enter(look: RuleFunction) -> RuleFunction:
        for function in _named(functions or ()):
            _RULES_BY_FUNCTION.setdefault(function, []).append(Rule(code, look))
        if functions is None:
            _OTHERS.append(Rule(code, look))
        return look

    return enter


def _named(names: Iterable[str]) -> set[Any]:
    """The functions and methods of torch with these names: an operator can have both."""
    homes = (torch, torch.Tensor, torch.nn.functional, torch.special)
    return {getattr(home, name) for name in names for home in homes if hasattr(home, name)}


@cache
def rules_of(codes: frozenset[str]) -> tuple[dict[Any, tuple[Rule, ...]], tuple[Rule, ...]]:
    """The rules with these codes for each function, and those for all other functions."""
    import shapecheck.runtime.guards.rules as folder  # noqa: PLC0415 - it is this package

    for file in iter_modules(folder.__path__):
        import_module(f"{folder.__name__}.{file.name}")
    others = tuple(one for one in _OTHERS if one.code in codes)
    chosen = {
        function: tuple(one for one in rules if one.code in codes) + others
        for function, rules in _RULES_BY_FUNCTION.items()
    }
    return chosen, others
