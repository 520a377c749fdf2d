"""`@overload` signatures, and which of them match a call."""

from __future__ import annotations

import ast

from shapecheck.spec import ShapeError
from shapecheck.static.contracts.checked_call import CheckedCall
from shapecheck.static.contracts.contract import Contract, contract_of
from shapecheck.static.contracts.matching import accepts, matched
from shapecheck.static.contracts.violations import report_violation
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.objects import FunctionValue
from shapecheck.static.engine.run import Run


def overloads_before(previous: Value) -> tuple[FunctionValue, ...]:
    """The overloads that a function implements; `previous` is the earlier value of its name."""
    if not isinstance(previous, FunctionValue):
        return ()
    return (*previous.overloads, previous) if is_overload(previous) else ()


def is_overload(function: FunctionValue) -> bool:
    """Whether the function is decorated with `@overload`."""
    decorators = getattr(function.node, "decorator_list", [])
    return any(last_name(one) == "overload" for one in decorators)


class Overloads:
    """The overloads of a function that may match a call; `refusal` is the last violation if none does."""

    def __init__(self, run: Run, bound: list[tuple[FunctionValue, dict[str, Value]]]) -> None:
        self.possible: list[CheckedCall] = []
        self.refusal: ShapeError | None = None
        all_have_contracts = True
        for function, arguments in bound:
            contract = contract_of(run, function)
            if contract is None:
                all_have_contracts = False
            elif not any(accepts(kind, arguments[name]) is False for name, kind in contract.parameters.items()):
                self._match(CheckedCall(run, function, contract, dict(arguments)), contract)
        if self.possible or not all_have_contracts:
            self.refusal = None

    def _match(self, checked: CheckedCall, contract: Contract) -> None:
        try:
            for name, kind in contract.parameters.items():
                checked.bindings = matched(kind, checked.arguments[name], checked.bindings)
            self.possible.append(checked)
        except ShapeError as refusal:
            self.refusal = refusal

    def narrowed_result(self, value: Value) -> Value:
        """The result, narrowed by the overload if exactly one matches."""
        return self.possible[0].narrowed_result(value) if len(self.possible) == 1 else value


def choose_overload(
    run: Run, node: ast.AST | None, function: FunctionValue, bound: list[tuple[FunctionValue, dict[str, Value]]]
) -> Overloads:
    """Returns the overloads that match a call; reports a finding if none does."""
    found = Overloads(run, bound)
    if found.refusal is not None and node is not None:
        report_violation(run, node, f"no overload of {function.name} matches", found.refusal)
    return found
