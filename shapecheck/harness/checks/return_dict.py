"""A model that returns a tuple or a dict, as `return_dict` says, returns the same tensors in both."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.formatting import with_type_name
from shapecheck.harness.inputs.values import Arguments
from shapecheck.harness.tensors import flat
from shapecheck.runtime.guards.places import place_of_error

_NAME = "return_dict"


@check(45, needs_data=True)
def return_dict(context: CheckContext) -> Iterator[Diagnostic]:
    """Two calls with the same inputs."""
    if _NAME not in inspect.signature(context.model.forward).parameters:
        raise Skip("forward has no parameter return_dict")
    if context.is_random:
        raise Skip("results are random in eval mode")
    found: list[Any] = []
    for value in (False, True):
        given = context.subject.arguments(context.plan)
        try:
            named = {**given.kwargs, _NAME: value}
            found.append(context.subject.call(Arguments(_without(context, given), named, given.named)))
        except Exception as error:
            message = f"forward raises with return_dict={value}: {with_type_name(error)}"
            yield context.finding("return-dict-mismatch", message, place_of_error(error))
            return
    words = context.differ(flat(found[0]), flat(found[1]))
    if words:
        message = f"the tuple with return_dict=False differs from the tensors with return_dict=True: {words}"
        yield context.finding("return-dict-mismatch", message)


def _without(context: CheckContext, given: Arguments) -> tuple[Any, ...]:
    """The positional arguments up to `return_dict`."""
    names = [one.name for one in context.subject.specification.parameters]
    return given.args[: names.index(_NAME)] if _NAME in names else given.args
