"""The values of `{self.dim}` and `{n}` in annotations: jaxtyping computes them from the call's arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from shapecheck.spec import Dim
from shapecheck.spec.symbolic import HoleValue
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import Namespace
from shapecheck.static.engine.dispatch import evaluate
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.run import Run


def hole_values(
    run: Run, holes: Iterable[str], arguments: Mapping[str, Value], closure: Namespace
) -> dict[str, HoleValue]:
    """Evaluates the expressions; returns those whose values are known."""
    holes = tuple(holes)
    if not holes:
        return {}

    names = Namespace(closure.loaded, closure)
    names.fields.update(arguments)
    found: dict[str, HoleValue] = {}
    with run.silenced(), run.inside(Frame(names)):
        for hole in holes:
            value = evaluate(run, ast.parse(hole, mode="eval").body)
            if type(value) is int or isinstance(value, (Dim, str)):
                found[hole] = value
    return found
