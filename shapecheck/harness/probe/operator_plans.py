"""What the probe does for each operator, computed once per process and looked up at each call."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch

from shapecheck.harness.probe.flops import formula_of
from shapecheck.harness.probe.memory_traffic import traffic_of
from shapecheck.harness.probe.operator_observers import observers_of, public_operator_name


class OperatorPlan:
    """How an operator is run, counted and observed; None for what does not apply."""

    __slots__ = ("after", "before", "flops", "is_free", "moved", "name", "operator", "parts", "run")

    def __init__(self, operator: Any) -> None:
        schema = getattr(operator, "_schema", None)
        namespace, _, name = ("", "", str(operator)) if schema is None else schema.name.partition("::")
        known = name if namespace == "aten" else ""
        self.operator = operator  # kept, so that its id stays its own
        self.name = public_operator_name(name)
        self.run = operator._op if known else operator  # what calling the operator calls
        self.flops = formula_of(known, operator)
        self.moved = traffic_of(known, operator)
        self.before, self.after = observers_of(known, getattr(operator, "_overloadname", ""))
        self.parts = _parts(operator) if known else None
        """Calls the operators of a composite one, as torch in inference_mode does not do before a mode."""
        self.is_free = not (self.flops or self.moved or self.before or self.after or self.parts)


def _parts(operator: Any) -> Callable[..., Any] | None:
    """The kernel of an operator that only calls others; None for one with its own kernels."""
    key = torch._C.DispatchKey.CompositeImplicitAutograd
    if not torch._C._dispatch_has_kernel_for_dispatch_key(operator.name(), key):
        return None
    return partial(operator._op_dk, key)


PLANS: dict[int, OperatorPlan] = {}
"""By the identity of the operator: hashing one takes a call of Python."""


def plan_of(operator: Any) -> OperatorPlan:
    """The plan of an operator that is not in the table yet."""
    plan = PLANS[id(operator)] = OperatorPlan(operator)
    return plan
