"""Which findings of a variant are reported, where, and with which words."""

from __future__ import annotations

import ast
from dataclasses import replace

from shapecheck.diagnostics import CODES, Note
from shapecheck.project.tree_walk import walk
from shapecheck.spec.presentation import value_text
from shapecheck.static.domain.abstract_values import ABSENT
from shapecheck.static.engine.findings import Finding
from shapecheck.static.engine.places import Place, note_at, span
from shapecheck.static.entry.other_options import is_of_other_option
from shapecheck.static.entry.variants import Variant, literal_sizes

CODE = "off-default"
ACCEPTED_BY_TORCH = frozenset(
    "axis-order column-assignment constant-comparison discarded-result silent-broadcast softmax-dim"
    " squeeze-batch unknown-attribute".split()
)
"""The codes of rules whose findings a variant also has. What torch accepts does not fail, so they keep the code."""


def accepted(finding: Finding, variant: Variant) -> bool:
    """Whether a finding is worth a report; for a number, if sizes conflict, and for a size, with the default."""
    if variant.is_given:
        return not is_of_other_option(finding, variant)
    conflict = finding.conflict
    if variant.is_count:
        return conflict is not None and bool(conflict.sizes)
    if not variant.is_size:
        return True
    if conflict is None or {*conflict.sizes} != {variant.default, variant.value}:
        return False
    return conflict.built is None or not variant.states_input_of(conflict.built.node)


def is_in_branch(finding: Finding, variant: Variant) -> bool:
    """Whether a call fails, or its layer is built, in a branch that the flag selects.

    What fails elsewhere may do so because the caller has to choose other arguments with this flag.
    """
    if _branch_place(finding, variant) is not None:
        return True
    return any(is_inside(finding, one, variant) for one in variant.branches())


def with_condition(finding: Finding, condition: str, note: Note) -> Finding:
    """The finding as a warning where the call fails, with the condition and a note on the run that found it."""
    one = finding.diagnostic
    message = f"{one.message} ({condition})"
    made = replace(one, code=CODE, severity=CODES[CODE].severity, message=message, notes=(*one.notes, note))
    return Finding(made, finding.callers, finding.conflict)


def as_warning(finding: Finding, variant: Variant) -> Finding:
    """The finding as a warning, at the layer that the condition concerns, if there is one."""
    one = finding.diagnostic
    found = f"found with {variant.choice}"
    if variant.default is not ABSENT:
        found += f"; the default is {value_text(variant.default)}"
    notes = (*one.notes, note_at(variant.loaded, variant.parameter.node, found))
    if one.code in ACCEPTED_BY_TORCH:
        return Finding(replace(one, notes=notes), finding.callers, finding.conflict)
    message = f"{one.message} ({variant.condition})"
    made = replace(one, code=CODE, severity=CODES[CODE].severity, message=message, notes=notes)
    place = _layer_place(finding, variant) if variant.is_size else _branch_place(finding, variant)
    if place is not None:
        line, column, end_line, end_column = span(place.loaded, place.node)
        path = place.loaded.source.display
        others = tuple(note for note in made.notes if (note.path, note.line) != (path, line))
        notes = (Note(one.path, one.line, one.column, "the call that fails"), *others)
        made = replace(made, path=path, line=line, column=column, end_line=end_line, end_column=end_column, notes=notes)
    return Finding(made, finding.callers, finding.conflict)


def _layer_place(finding: Finding, variant: Variant) -> Place | None:
    """The call that builds the layer, if the size is a literal in it."""
    built = None if finding.conflict is None else finding.conflict.built
    return built if built is not None and variant.default in literal_sizes(built.node) else None


def _branch_place(finding: Finding, variant: Variant) -> Place | None:
    """The call that builds the layer, if it is in a branch that the flag selects."""
    built = None if finding.conflict is None else finding.conflict.built
    if built is None or built.loaded is not variant.loaded:
        return None
    return built if any(_contains(one, built.node) for one in variant.branches()) else None


def is_inside(finding: Finding, node: ast.AST, variant: Variant) -> bool:
    """Whether a finding is in a part of the file of a variant."""
    one = finding.diagnostic
    first, _, last, _ = span(variant.loaded, node)
    return one.path == variant.loaded.source.display and first <= one.line <= last


def _contains(outer: ast.AST, node: ast.AST) -> bool:
    return any(one is node for one in walk(outer))
