"""Sizes that the user chooses: arguments of active calls, and attributes of their objects."""

from __future__ import annotations

from collections.abc import Iterator

from shapecheck.spec import Dim
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import Instance
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.run import Run


def chosen_name(run: Run, size: Dim) -> str | None:
    """The parameter of an active call, or the attribute of its object, that is this size."""
    chosen = (pair for frame in run.outward() for pair in _chosen(frame))
    return next((name for name, value in chosen if value == size), None)


def _chosen(frame: Frame) -> Iterator[tuple[str, Dim]]:
    """The sizes among the arguments of a call and the attributes of its object, with their names."""
    spec = getattr(frame.function, "args", None)
    for parameter in parameters_of(spec) if spec is not None else ():
        value = frame.names.fields.get(parameter.name)
        fields = value.fields if isinstance(value, Instance) else {parameter.name: value}
        sizes = ((name, as_size(one)) for name, one in fields.items())
        yield from ((name, size) for name, size in sizes if size is not None and isinstance(name, str))


def as_size(value: Value) -> Dim | None:
    """The size that a value is, or an unknown argument in its place; None for any other value."""
    return value.known_size if isinstance(value, SymbolicArgument) else value if isinstance(value, Dim) else None
