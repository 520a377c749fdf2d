"""FakeTensor gives the same shapes and dtypes as data: torch.compile and torch.export depend on it."""

from __future__ import annotations

from collections.abc import Iterator

from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    UnsupportedOperatorException,
)

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.fake_copy import CannotCopyError, fake_call
from shapecheck.harness.formatting import first_line
from shapecheck.harness.result_layouts import layout_remarks
from shapecheck.harness.tensors import flat
from shapecheck.runtime.guards.call import shown

_DATA = (DataDependentOutputException, DynamicOutputShapeException, UnsupportedOperatorException, NotImplementedError)


@check(80, needs_data=True)
def fake(context: CheckContext) -> Iterator[Diagnostic]:
    """One call without data, at the reference sizes."""
    if not context.repeats:
        raise Skip("results depend on earlier calls")
    given = context.subject.arguments(context.plan)
    context.subject.restore_buffers()
    try:
        found = flat(fake_call(context.model, given.args, given.kwargs))
    except _DATA as unable:
        raise Skip(f"forward depends on the values of its inputs: {unable}") from None
    except CannotCopyError as refused:
        raise Skip(f"model cannot be copied: {refused}") from None
    except Exception as error:
        if isinstance(error.__cause__, _DATA) or "data-dependent" in str(error) or "DataDependent" in str(error):
            raise Skip("forward depends on the values of its inputs") from None
        # The same call with data succeeded: FakeTensor does not support it, as with kernels of one dtype.
        raise Skip(f"FakeTensor does not support the model: {first_line(error)}") from None
    context.notes += layout_remarks(context.outputs(), found, "without data")
    for real, made in zip(context.outputs(), found, strict=True):
        if real.shape != made.shape or real.dtype != made.dtype:
            yield context.finding("fake-mismatch", f"FakeTensor gives {shown(made)}, real data gives {shown(real)}")
