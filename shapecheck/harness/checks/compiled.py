"""torch.compile gives the same results as eager mode."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator

import torch

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext, differ, tolerance
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.formatting import with_type_name
from shapecheck.harness.result_layouts import layout_remarks
from shapecheck.harness.subject import drained
from shapecheck.harness.tensors import flat
from shapecheck.harness.torch_versions import without_guard_timing
from shapecheck.runtime.guards.places import SourceLocation, is_of_program


@check(90, needs_data=True)
def compiled(context: CheckContext) -> Iterator[Diagnostic]:
    """One call of the compiled model, at the reference sizes."""
    if context.is_random:
        raise Skip("results are random in eval mode")
    torch.compiler.reset()
    given = context.subject.arguments(context.plan)
    context.subject.restore_buffers()
    try:
        with warnings.catch_warnings(), without_guard_timing():
            warnings.simplefilter("ignore")
            made = torch.compile(context.model, backend=context.options.backend, dynamic=False)
            found = flat(drained(made(*given.args, **given.kwargs)))
    except Exception as error:
        text = _cause(error)
        yield context.finding(
            "compile-mismatch",
            f"forward raises under torch.compile, but not in eager mode: {text}",
            _reported_location(error),
        )
        return
    finally:
        torch.compiler.reset()
    context.notes += layout_remarks(context.outputs(), found, "under torch.compile")
    words = differ(context.outputs(), found, *tolerance(context.subject.dtype))
    if words:
        compiler = f"torch.compile({context.options.backend})"
        yield context.finding("compile-mismatch", f"{compiler} gives a different result from eager mode: {words}")


_LINE = re.compile(r'^  File "(.+)", line (\d+), in ', re.MULTILINE)


def _reported_location(error: BaseException) -> SourceLocation | None:
    """The innermost line of the program in the message of torch.compile; its traceback has none."""
    told = [SourceLocation(file, int(line)) for file, line in _LINE.findall(str(error)) if is_of_program(file)]
    return told[-1] if told else None


def _cause(error: BaseException) -> str:
    """The innermost exception, which torch.compile wraps in its own: its class and its first line."""
    inner = getattr(error, "inner_exception", None) or error.__cause__
    if isinstance(inner, BaseException) and inner is not error:
        return _cause(inner)
    return with_type_name(error)
