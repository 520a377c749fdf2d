"""The function mode of a guard, which sees each torch call that Python makes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from shapecheck.runtime.guards.call import OperatorCall
from shapecheck.runtime.guards.rules.table import Rule, rules_of

__tracebackhide__ = True  # pytest then ends the traceback of a GuardError at the line that called the operator

OnFinding = Callable[[str, str, Any], None]
"""Receives a code, a message and the frame that called the operator."""


class GuardMode(TorchFunctionMode):
    """Applies the rules to each finished call, and returns its result unchanged.

    Autograd's backward, other threads and the inside of operators are not observed. While torch traces a function, to
    compile or to export it, no rule is applied.
    """

    def __init__(self, codes: frozenset[str], found: OnFinding) -> None:
        super().__init__()
        self._rules, self._others = rules_of(codes)
        self._found = found

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Calls the operator; its exceptions propagate unchanged."""
        result = func(*args, **kwargs) if kwargs else func(*args)
        rules = self._rules.get(func, self._others)
        if rules and not torch.compiler.is_compiling():
            self._ask(rules, OperatorCall(args, kwargs or {}, result, func))
        return result

    def _ask(self, rules: tuple[Rule, ...], call: OperatorCall) -> None:
        for code, look in rules:
            message = _evaluate(look, call)
            if message is not None:
                self._found(code, message, sys._getframe(2))


def _evaluate(look: Callable[[OperatorCall], str | None], call: OperatorCall) -> str | None:
    """The message of the rule; None if it cannot look, as at a tensor whose sizes are not known yet."""
    try:
        return look(call)
    except Exception:
        return None
