"""What functions receive, and whether a value is what code that is analyzed in isolation gets from unknown callers."""

from __future__ import annotations

from collections.abc import Iterator

from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.run import Run


def is_argument(run: Run, value: Value) -> bool:
    """Whether a value is an argument of the function whose callers are not known, itself."""
    return any(value is one for one in _arguments(run))


def _arguments(run: Run) -> Iterator[Value]:
    if run.inputs is not None:
        yield from run.inputs.values.values()
    for frame in run.frames:
        call = frame.names.call
        if call is not None and call.node is None:
            yield from call.bound.values()


def given_tensors(run: Run) -> Iterator[TensorSpec]:
    """The tensors that the active calls received, as their parameters are now."""
    values = list(_arguments(run))
    for frame in run.outward():
        spec = getattr(frame.function, "args", None)
        values += [frame.names.fields.get(one.name) for one in parameters_of(spec)] if spec is not None else ()
    yield from (one for one in values if isinstance(one, TensorSpec))
