"""torch.compile with dynamic=True compiles the model once for all sizes."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import Any

import torch

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.formatting import with_type_name
from shapecheck.harness.free_axes import other_sizes
from shapecheck.harness.inputs.plan import InputPlan
from shapecheck.harness.subject import drained
from shapecheck.runtime.guards.places import SourceLocation

_GUARD = re.compile(r"^\s*- \d+/\d+: (.+?)(?:  # .*)?$", re.MULTILINE)
_LINE = re.compile(r"  # (\S+):(\d+) in ")


@check(94, needs_data=True, wanted=lambda options: "recompiles" in options.checks)
def recompiles(context: CheckContext) -> Iterator[Diagnostic]:
    """One call at the reference sizes, then one with another size of each axis that can have one."""
    if context.subject.declared.inputs is not None:
        raise Skip("inputs are given by the case")
    plans = {name: context.plan.resized({name: size}) for name, size in other_sizes(context).items()}
    plans = {name: plan for name, plan in plans.items() if context.run(plan).error is None}
    if not plans:
        raise Skip("no axis can have another size")
    import torch._dynamo as dynamo  # noqa: PLC0415 - it takes a second

    torch.compiler.reset()
    dynamo.utils.counters.clear()
    model = torch.compile(context.model, backend="eager", dynamic=True)
    try:
        _call(context, model, context.plan)
        breaks = sum(dynamo.utils.counters["graph_break"].values())
        context.notes.append(f"graph breaks: {breaks}")
        for name, plan in plans.items():
            found = _recompiled(context, model, name, plan)
            if found is not None:
                yield found
    except Exception as error:
        raise Skip(f"torch.compile does not support the model: {with_type_name(error)}") from None
    finally:
        torch.compiler.reset()


def _call(context: CheckContext, model: Any, plan: InputPlan) -> None:
    context.subject.restore_buffers()
    given = context.subject.arguments(plan)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        drained(model(*given.args, **given.kwargs))


def _recompiled(context: CheckContext, model: Any, name: str, plan: InputPlan) -> Diagnostic | None:
    import torch._dynamo as dynamo  # noqa: PLC0415 - as above

    try:
        with dynamo.config.patch(error_on_recompile=True):
            _call(context, model, plan)
    except dynamo.exc.RecompileError as error:
        guard = _GUARD.search(str(error))
        reason = f": {guard[1]}" if guard else ""
        message = f"torch.compile(dynamic=True) compiles again for {name}={plan.sizes[name]}{reason}"
        return context.finding("recompilation", message, _place(context, guard[0] if guard else ""))
    return None


def _place(context: CheckContext, guard: str) -> SourceLocation | None:
    """The line that a guard names; torch shortens its path, so it is looked up among the files of the modules."""
    line = _LINE.search(guard)
    files = {context.forward_place(module).path for module in context.model.modules()}
    whole = next((file for file in files if line is not None and file.endswith(line[1])), None)
    return SourceLocation(whole, int(line[2])) if line is not None and whole is not None else None
