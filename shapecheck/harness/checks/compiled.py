"""torch.compile gives what eager gives."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator

import torch

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext, differ, tolerance
from shapecheck.harness.checks.determinism import is_random
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.formatting import with_type_name
from shapecheck.harness.subject import drained
from shapecheck.harness.tensors import flat
from shapecheck.runtime.guards.places import SourceLocation, is_of_program


@check(90, needs_data=True)
def compiled(context: CheckContext) -> Iterator[Diagnostic]:
    """One call of the compiled model, at the reference sizes."""
    if is_random(context):
        raise Skip("its results are random in eval mode")
    torch.compiler.reset()
    given = context.subject.arguments(context.plan)
    context.subject.restore_buffers()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = torch.compile(context.model, backend=context.options.backend, dynamic=False)
            found = flat(drained(made(*given.args, **given.kwargs)))
    except Exception as error:
        text = _cause(error)
        yield context.finding(
            "compile-mismatch",
            f"it runs in eager mode, and under torch.compile it raises {text}",
            _reported_location(error),
        )
        return
    finally:
        torch.compiler.reset()
    words = differ(context.outputs(), found, *tolerance(context.subject.dtype))
    if words:
        yield context.finding(
            "compile-mismatch", f"torch.compile({context.options.backend}) gives something else than eager: {words}"
        )


_LINE = re.compile(r'^  File "(.+)", line (\d+), in ', re.MULTILINE)


def _reported_location(error: BaseException) -> SourceLocation | None:
    """The innermost line of the program that torch.compile names in its words; its traceback has none."""
    told = [SourceLocation(file, int(line)) for file, line in _LINE.findall(str(error)) if is_of_program(file)]
    return told[-1] if told else None


def _cause(error: BaseException) -> str:
    """The innermost exception, which torch.compile wraps in its own: its kind and its first line."""
    inner = getattr(error, "inner_exception", None) or error.__cause__
    if isinstance(inner, BaseException) and inner is not error:
        return _cause(inner)
    return with_type_name(error)
