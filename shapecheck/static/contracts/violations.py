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
            bound = _binding(name, bindings)
            if bound not in ("", name):
                axis = name if name in bindings.sizes else f"*{name}"
                notes.append((place, f"{quoted(axis)} is bound to {bound} by argument {quoted(parameter)}"))
    return notes


def _binding(name: str, bindings: Bindings) -> str:
    if name in bindings.sizes:
        return str(bindings.sizes[name])
    return str(bindings.runs[name][1]) if name in bindings.runs else ""
