"""Chooses among the inputs that are known for a model without annotations."""

from __future__ import annotations

from shapecheck.harness.cases.model import NO_SHAPES, CaseError, KnownInputs
from shapecheck.harness.faults import is_out_of_memory
from shapecheck.harness.formatting import with_type_name
from shapecheck.harness.inputs.plan import InputPlan
from shapecheck.harness.inputs.well_known import known_inputs
from shapecheck.harness.search.attempt import DATA_DEPENDENT_ERRORS, Attempt
from shapecheck.harness.search.search import attempt_with_values
from shapecheck.harness.search.size_constraints import SizeConstraints
from shapecheck.harness.subject import Subject

_BATCH = {"batch": 2}


def search_known(subject: Subject) -> SizeConstraints:
    """The first known inputs that the model accepts. Raises CaseError if there are none."""
    failed: tuple[KnownInputs, Attempt] | None = None
    for known in known_inputs(subject.model, subject.case.inputs):
        subject.assume(known)
        names = subject.specification.names()
        declared = {name: size for name, size in subject.declared.dims.items() if name in names}
        fixed = {**known.sizes, **declared}
        ranges = {**known.ranges, **subject.declared.ranges}
        tried = attempt_with_values(subject, InputPlan({**_BATCH, **fixed}, ranges, seed=subject.seed))
        error = tried.error
        if error is None or is_out_of_memory(error) or isinstance(error, DATA_DEPENDENT_ERRORS):
            return SizeConstraints(tried, {name: size for name, size in fixed.items() if name != "batch"})
        if failed is None or tried.progress > failed[1].progress:
            failed = known, tried
    if failed is None:
        raise CaseError(NO_SHAPES)
    raise CaseError(_refused(*failed))


def _refused(known: KnownInputs, tried: Attempt) -> str:
    assert tried.error is not None
    sizes = ", ".join(f"{name}={size}" for name, size in tried.plan.sizes.items())
    origin = known.origin.partition(": ")[0]
    advice = "annotate forward, or pass @shapecheck.case(inputs=...)"
    return f"accepts no well-known inputs; from {origin}, with {sizes}: {with_type_name(tried.error)}; {advice}"
