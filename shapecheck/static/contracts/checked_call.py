"""One call of an annotated function: its arguments are checked, its result is checked and made as known as promised."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from shapecheck.spec import Bindings, Dim, ShapeError, Size
from shapecheck.static.contracts.annotation_types import ANYTHING, AnnotationType
from shapecheck.static.contracts.contract import Contract, contract_of
from shapecheck.static.contracts.instantiation import AxisInstances, instantiate_annotation, narrow_to_annotation
from shapecheck.static.contracts.matching import matched
from shapecheck.static.contracts.positive_sizes import bindings_with, positive_in, with_sizes
from shapecheck.static.contracts.size_expressions import hole_values
from shapecheck.static.contracts.violations import binding_notes, report_violation
from shapecheck.static.domain.values import FunctionValue, Value
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.axis_bindings import with_axis_bindings
from shapecheck.static.engine.places import Place
from shapecheck.static.engine.run import Run


class CheckedCall:
    """What one call of an annotated function has bound."""

    def __init__(self, run: Run, function: FunctionValue, contract: Contract, arguments: dict[str, Value]) -> None:
        self.run = run
        self.function = function
        self.contract = contract
        self.arguments = arguments
        self.holds = True
        """Whether no argument is refused."""
        self.bindings = Bindings(holes=hole_values(run, contract.holes, arguments, function.closure))
        self._binders: dict[str, tuple[str, Place]] = {}

    def bind_arguments(self, node: ast.AST | None) -> None:
        """Checks the arguments in order; the first that is refused is a finding at the call, if there is one.

        The run goes on with what the annotations promise in the place of those.
        """
        refused = []
        for name, kind in self.contract.parameters.items():
            if name not in self.arguments:
                continue
            try:
                found = self._matched(kind, self.arguments[name], {})
            except ShapeError as refusal:
                if node is not None and self.holds:
                    notes = binding_notes(kind, refusal, self.bindings, self._binders)
                    self._refuse(node, f"argument {name!r} of {self.function.name}", refusal, notes, name)
                self.holds = False
                refused.append(name)
                continue
            self._note_binder(name, found)
            self.bindings = found
        self._narrow_arguments(refused)

    def _refuse(
        self, node: ast.AST, what: str, refusal: ShapeError, notes: list[tuple[Place, str]], name: str = ""
    ) -> None:
        place = self._place(name)
        if name and place is not None:
            notes = [*notes, (place, f"{name!r} is annotated here")]
        report_violation(self.run, node, what, refusal, notes)

    def _place(self, name: str) -> Place | None:
        spec = self.function.node.args
        every = (*(one.node for one in parameters_of(spec)), spec.vararg, spec.kwarg)
        found = next((one for one in every if one is not None and one.arg == name), None)
        return None if found is None else Place(self.function.closure.loaded, found)

    def _note_binder(self, name: str, found: Bindings) -> None:
        place = self._place(name)
        for axis in (*found.sizes, *found.runs):
            if axis not in self.bindings.sizes and axis not in self.bindings.runs and place is not None:
                self._binders[axis] = (name, place)

    def _narrow_arguments(self, refused: list[str]) -> None:
        promise = self.promise()
        for name, kind in self.contract.parameters.items():
            if name in refused:
                self.arguments[name] = instantiate_annotation(self.run, kind, promise, name)
            elif name in self.arguments:
                self.arguments[name] = narrow_to_annotation(self.run, kind, self.arguments[name], promise, name)

    def promise(self) -> AxisInstances:
        """What the names stand for after the arguments."""
        return AxisInstances(bindings=self.bindings)

    def checked_result(self, node: ast.AST, value: Value) -> Value:
        """The value of one `return`; where it breaks the annotation, a finding, and what was promised instead."""
        kind = self.contract.returns
        try:
            self._matched(kind, value, positive_in(self.bindings))
        except ShapeError as refusal:
            self._refuse(node, "the result", refusal, binding_notes(kind, refusal, self.bindings, self._binders))
            return instantiate_annotation(self.run, kind, self.promise(), "result")
        return value

    def _matched(self, kind: AnnotationType, value: Value, put: Mapping[Dim, Size]) -> Bindings:
        """Matches a value; a refusal counts if it stands with what the names have learnt."""
        try:
            return matched(kind, with_sizes(value, put), bindings_with(self.bindings, put))
        except ShapeError:
            learned = self.run.learned.sizes
            if not learned:
                raise
            known = bindings_with(bindings_with(self.bindings, learned), put)
            return matched(kind, with_sizes(with_axis_bindings(learned, value), put), known)

    def narrowed_result(self, value: Value) -> Value:
        """The result with what its annotation says of it."""
        if self.contract.returns is ANYTHING:
            return value
        return narrow_to_annotation(self.run, self.contract.returns, value, self.promise(), "result")


def checked_value(run: Run, node: ast.AST, kind: AnnotationType, value: Value, what: str, bindings: Bindings) -> Value:
    """A value as known as its type; where it breaks the type, a finding, and what was promised instead."""
    try:
        found = matched(kind, value, bindings)
    except ShapeError as refusal:
        report_violation(run, node, what, refusal)
        return instantiate_annotation(run, kind, AxisInstances(bindings=bindings), what)
    return narrow_to_annotation(run, kind, value, AxisInstances(bindings=found), what)


def check_call(
    run: Run, node: ast.AST | None, function: FunctionValue, arguments: dict[str, Value]
) -> CheckedCall | None:
    """The agreement of a call, its arguments checked; None where the function has no contract.

    Without a node the function is run on what it promises itself, and there is nobody to blame.
    """
    contract = contract_of(run, function)
    if contract is None:
        return None
    agreement = CheckedCall(run, function, contract, dict(arguments))
    agreement.bind_arguments(node)
    return agreement
