"""`@overload` signatures: which of them a call may mean."""

from __future__ import annotations

import ast

from shapecheck.spec import ShapeError
from shapecheck.static.contracts.checked_call import CheckedCall
from shapecheck.static.contracts.contract import Contract, contract_of
from shapecheck.static.contracts.matching import accepts, matched
from shapecheck.static.contracts.violations import report_violation
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.values import FunctionValue, Value
from shapecheck.static.engine.run import Run


def overloads_before(previous: Value) -> tuple[FunctionValue, ...]:
    """The overloads that a function implements, `previous` being what its name was bound to before."""
    if not isinstance(previous, FunctionValue):
        return ()
    return (*previous.overloads, previous) if is_overload(previous) else ()


def is_overload(function: FunctionValue) -> bool:
    """Whether it is a signature alone."""
    decorators = getattr(function.node, "decorator_list", [])
    return any(last_name(one) == "overload" for one in decorators)


class Overloads:
    """The overloads of a function that a call may mean; `refusal` says why where it can mean none."""

    def __init__(self, run: Run, bound: list[tuple[FunctionValue, dict[str, Value]]]) -> None:
        self.possible: list[CheckedCall] = []
        self.refusal: ShapeError | None = None
        judged = True
        for function, arguments in bound:
            contract = contract_of(run, function)
            if contract is None:
                judged = False
            elif not any(accepts(kind, arguments[name]) is False for name, kind in contract.parameters.items()):
                self._judge(CheckedCall(run, function, contract, dict(arguments)), contract)
        if self.possible or not judged:
            self.refusal = None

    def _judge(self, agreement: CheckedCall, contract: Contract) -> None:
        try:
            for name, kind in contract.parameters.items():
                agreement.bindings = matched(kind, agreement.arguments[name], agreement.bindings)
            self.possible.append(agreement)
        except ShapeError as refusal:
            self.refusal = refusal

    def narrowed_result(self, value: Value) -> Value:
        """The result with what the overload says of it, where only one can be meant."""
        return self.possible[0].narrowed_result(value) if len(self.possible) == 1 else value


def choose_overload(
    run: Run, node: ast.AST | None, function: FunctionValue, bound: list[tuple[FunctionValue, dict[str, Value]]]
) -> Overloads:
    """What a call may mean; where every overload refuses it, a finding."""
    found = Overloads(run, bound)
    if found.refusal is not None and node is not None:
        report_violation(run, node, f"no overload of {function.name} takes this", found.refusal)
    return found
