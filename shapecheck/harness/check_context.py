"""The context of every check: a case with its reference run."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import torch
from torch import Tensor, nn

from shapecheck.diagnostics import Diagnostic, Severity
from shapecheck.harness.faults import diagnose, diagnostic_at, is_out_of_memory, with_return_location
from shapecheck.harness.inputs.plan import InputPlan
from shapecheck.harness.inputs.values import positional_arguments
from shapecheck.harness.noise import tolerance_by_float64
from shapecheck.harness.results import ShardRecord
from shapecheck.harness.run_options import RunOptions
from shapecheck.harness.search.attempt import DATA_DEPENDENT_ERRORS, Attempt, attempt
from shapecheck.harness.search.size_constraints import SizeConstraints
from shapecheck.harness.subject import Subject
from shapecheck.harness.tensors import flat
from shapecheck.runtime.guards.call import shown
from shapecheck.runtime.guards.places import SourceLocation

EXACT = (1e-6, 1e-7)
"""The relative and absolute tolerance for the same sums."""


@dataclass
class CheckContext:
    """A model, the sizes it accepts, and its results in the reference run."""

    subject: Subject
    constraints: SizeConstraints
    options: RunOptions
    notes: list[str] = field(default_factory=list)
    """Remarks of the running check, in addition to its diagnostics."""
    reported_codes: set[str] = field(default_factory=set)
    """The codes that earlier checks have reported."""
    shards: list[ShardRecord] = field(default_factory=list)
    """What several processes have of each tensor."""
    accepted: list[InputPlan] = field(default_factory=list)
    """Plans under which earlier checks have called the model without an error, in eval mode."""

    @property
    def model(self) -> nn.Module:
        """The model, in eval mode."""
        return self.subject.model

    @property
    def plan(self) -> InputPlan:
        """Sizes of the reference run."""
        return self.constraints.plan

    @property
    def reference(self) -> Attempt:
        """The reference run."""
        return self.constraints.last

    @property
    def is_fake(self) -> bool:
        """Whether tensors have no data."""
        return self.subject.fake is not None

    def outputs(self) -> list[Tensor]:
        """The tensors that the reference run returned, in order."""
        return flat(self.reference.output)

    def run(self, plan: InputPlan) -> Attempt:
        """A call under another plan."""
        return attempt(self.subject, plan)

    def plans_without_optional(self) -> list[InputPlan]:
        """The reference run without each optional tensor, and without all of them; none if it has no annotations."""
        if self.subject.declared.inputs is not None or self.subject.known is not None:
            return []
        names = [name for name in self.subject.specification.optional() if name not in self.plan.absent]
        choices = [frozenset((name,)) for name in names] + ([frozenset(names)] if len(names) > 1 else [])
        return [replace(self.plan, absent=self.plan.absent | absent) for absent in choices]

    def call(self, named: dict[str, Any]) -> Any:
        """A call with these arguments, by parameter."""
        return self.subject.call(positional_arguments(self.subject.specification, named))

    def fault(self, error: Exception, also: str = "", again: Any = None) -> Diagnostic:
        """The diagnostic for an exception of a call. again: calls once more, to find the line of a wrong result.

        Raises the exception again if it is not about the program: no memory is left, or a fake tensor has no values.
        """
        if is_out_of_memory(error) or isinstance(error, DATA_DEPENDENT_ERRORS):
            raise error
        if again is not None:
            with_return_location(self.subject, error, again)
        return diagnose(self.subject, error, self.module_of(error), also, self.forward_place())

    def failed(self, tried: Attempt, also: str = "") -> Diagnostic:
        """The diagnostic for an attempt that failed."""
        assert tried.error is not None
        return self.fault(tried.error, also, lambda: self.subject.call(tried.given))

    def finding(
        self,
        code: str,
        message: str,
        place: SourceLocation | None = None,
        severity: Severity | None = None,
        module: str = "",
    ) -> Diagnostic:
        """A diagnostic at a line, by default that of forward."""
        case = self.subject.case
        found = diagnostic_at(place or self.forward_place(), code, message, severity)
        return replace(found, case=case.name, module=module)

    def forward_place(self, module: nn.Module | None = None) -> SourceLocation:
        """Where the forward of a module of the model is defined."""
        forward = inspect.unwrap(type(module or self.model).forward)
        code = getattr(forward, "__code__", None)
        if code is None:
            return SourceLocation(str(self.subject.case.file), self.subject.case.line)
        return SourceLocation(code.co_filename, code.co_firstlineno)

    @cached_property
    def repeats(self) -> bool:
        """Whether a second call with the same inputs and seed returns the same result in eval mode."""
        again = flat(self.subject.call(self.subject.arguments(self.plan)))
        return self.is_fake or not differ(self.outputs(), again, *EXACT)

    @cached_property
    def is_random(self) -> bool:
        """Whether the result depends on random numbers in eval mode, as that of a sampler, or differs at each call."""
        subject = self.subject
        if not self.repeats:
            return True
        seed = subject.seed
        try:
            subject.seed = seed + 1
            other = flat(subject.call(subject.arguments(self.plan)))
        finally:
            subject.seed = seed
        return bool(differ(self.outputs(), other, *EXACT))

    @cached_property
    def rounding(self) -> tuple[float, float]:
        """The relative and absolute tolerance for the same sums in another order, from a run in float64."""
        given = self.subject.arguments(self.plan)
        return tolerance_by_float64(self.subject, given, self.outputs()) or tolerance(self.subject.dtype)

    def differ(self, one: list[Tensor], other: list[Tensor]) -> str:
        """How two lists of tensors differ by more than rounding errors, as text; empty if they do not."""
        return differ(one, other, *EXACT) and differ(one, other, *self.rounding)

    @cached_property
    def paths(self) -> dict[int, str]:
        """The path of each module of the model, by identity."""
        return {id(module): path for path, module in self.model.named_modules()}

    def module_of(self, error: BaseException) -> str:
        """The path of the innermost module whose code was running when it was raised."""
        found, trace = "", error.__traceback__
        while trace is not None:
            owner = trace.tb_frame.f_locals.get("self")
            if isinstance(owner, nn.Module) and id(owner) in self.paths:
                found = self.paths[id(owner)]
            trace = trace.tb_next
        return found


def differ(one: list[Tensor], other: list[Tensor], relative: float, absolute: float) -> str:
    """How two lists of tensors differ beyond the tolerance, as text; empty if they do not."""
    if len(one) != len(other):
        return f"{len(one)} and {len(other)} tensors"
    for index, (left, right) in enumerate(zip(one, other, strict=True)):
        words = _differ(left.detach(), right.detach(), relative, absolute)
        if words:
            return words if len(one) == 1 else f"result {index}: {words}"
    return ""


def _differ(left: Tensor, right: Tensor, relative: float, absolute: float) -> str:
    if left.shape != right.shape or left.dtype != right.dtype:
        return f"{shown(left)} and {shown(right)}"
    left, right = left.cpu(), right.cpu()
    if not left.dtype.is_floating_point and not left.dtype.is_complex:
        wrong = int((left != right).sum())
        return _count(wrong, left) if wrong else ""
    wide = torch.complex128 if left.dtype.is_complex else torch.float64
    left, right = left.to(wide), right.to(wide)
    close = torch.isclose(left, right, rtol=relative, atol=absolute, equal_nan=True)
    if bool(close.all()):
        return ""
    worst = float((left - right).abs()[~close].max())
    return f"{_count(int((~close).sum()), left)}, by up to {worst:.2g}"


def _count(wrong: int, tensor: Tensor) -> str:
    return f"{wrong} of {tensor.numel()} values {'differs' if wrong == 1 else 'differ'}"


def tolerance(dtype: torch.dtype) -> tuple[float, float]:
    """The relative and absolute tolerance for reordered sums of that precision."""
    return {torch.float16: (1e-2, 1e-2), torch.bfloat16: (3e-2, 3e-2), torch.float64: (1e-9, 1e-9)}.get(
        dtype, (1e-3, 1e-4)
    )
