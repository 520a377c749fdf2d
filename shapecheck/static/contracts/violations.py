"""Reports violations of annotations, with notes at the arguments that bound their axis names."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from shapecheck.spec import Bindings, DTypeError, ShapeError
from shapecheck.spec.presentation import quoted
from shapecheck.static.engine.places import Place, note_at
from shapecheck.static.engine.run import Run


def report_violation(
    run: Run, node: ast.AST, what: str, refusal: ShapeError, notes: Sequence[tuple[Place, str]] = ()
) -> None:
    """Reports a finding: what violates its annotation, and why."""
    code = "dtype-mismatch" if isinstance(refusal, DTypeError) else "shape-mismatch"
    run.report(
        code, node, f"{what}: {refusal}", lambda: [note_at(place.loaded, place.node, text) for place, text in notes]
    )


def binding_notes(
    refusal: ShapeError, bindings: Bindings, binders: Mapping[str, tuple[str, Place]]
) -> list[tuple[Place, str]]:
    """Notes that name the arguments which bound the axis names of a violation."""
    notes = []
    for name in refusal.names:
        if name in binders:
            parameter, place = binders[name]
            size = bindings.sizes.get(name, bindings.runs.get(name, (False, "?"))[1])
            if str(size) != name:
                notes.append((place, f"{quoted(name)} is bound to {size} by argument {quoted(parameter)}"))
    return notes
