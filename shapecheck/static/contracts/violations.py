"""Reports violations of annotations, with notes at the arguments that bound their axis names."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from shapecheck.project.same_cause import MAYBE
from shapecheck.spec import Bindings, DTypeError, ShapeError
from shapecheck.spec.presentation import quoted
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.places import Place, note_at
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.causes import (
    Kind,
    Replacement,
    causes_of_violation,
    tensors_within,
    with_replacements,
)
from shapecheck.static.provenance.value_sources import place_text


def report_violation(
    run: Run,
    node: ast.AST,
    what: str,
    refusal: ShapeError,
    notes: Sequence[tuple[Place, str]] = (),
    causes: Sequence[str] = (),
) -> None:
    """Reports a finding: what violates its annotation, and why."""
    code = "dtype-mismatch" if isinstance(refusal, DTypeError) else "shape-mismatch"
    run.report(
        code,
        node,
        f"{what}: {refusal}",
        lambda: [note_at(place.loaded, place.node, text) for place, text in notes],
        lambda: causes,
    )


class AnnotationViolation:
    """A value that violates an annotation, and the source of what is made from the annotation instead."""

    def __init__(
        self, run: Run, annotation: str, value: Value, refusal: ShapeError, matches: Callable[[Value], object]
    ) -> None:
        self.run = run
        self.annotation = annotation

        def works(replaced: Replacement) -> bool:
            try:
                matches(with_replacements(value, replaced))
            except ShapeError:
                return False
            return True

        kind: Kind = "dtype" if isinstance(refusal, DTypeError) else "shape"
        expected: Any = None if refusal.wrong_axis is None else refusal.wrong_axis.expected
        self._of_value, self._declared = causes_of_violation(run, annotation, value, kind, works, expected)

    def of_argument(self) -> tuple[str, ...]:
        """The causes if other calls may pass the right values, unless the body violates the annotation too."""
        return *self._of_value, *(MAYBE + one for one in self._declared)

    def of_result(self, node: ast.AST) -> tuple[str, ...]:
        """The causes if every use of the value rests on the annotation; `node` is where the finding is reported."""
        finding = f"{place_text(self.run.loaded, node)} violates {self.annotation}"
        for one in self._declared:
            self.run.origins.explains(finding, one)
        return *self._of_value, *self._declared, finding

    def replaced_by(self, made: Value) -> None:
        """Records what is made from the annotation."""
        for item, tensor in tensors_within(made):
            self.run.origins.stands_in(tensor, f"{self.annotation}{item}")


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
