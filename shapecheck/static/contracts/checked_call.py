"""One call of a function with a contract: its arguments and result are checked, and narrowed by the annotations."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from shapecheck.ops import Unknown
from shapecheck.spec import Bindings, Dim, ShapeError, Size, TensorSpec
from shapecheck.spec.presentation import quoted
from shapecheck.static.contracts.annotation_types import ANYTHING, AnnotationType
from shapecheck.static.contracts.contract import Contract, contract_of
from shapecheck.static.contracts.contradictions import (
    contradicts_itself,
    contradicts_receiver,
    record_contradiction,
    states_shapes_of,
)
from shapecheck.static.contracts.instantiation import AxisInstances, instantiate_annotation, narrow_to_annotation
from shapecheck.static.contracts.matching import matched
from shapecheck.static.contracts.positive_sizes import bindings_with, positive_in, with_sizes
from shapecheck.static.contracts.size_expressions import hole_values
from shapecheck.static.contracts.violations import AnnotationViolation, binding_notes, report_violation
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import FunctionValue
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.axis_bindings import with_axis_bindings
from shapecheck.static.engine.places import Place
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.value_sources import place_text, source_of_function


class CheckedCall:
    """One call of a function with a contract, and its axis bindings."""

    def __init__(self, run: Run, function: FunctionValue, contract: Contract, arguments: dict[str, Value]) -> None:
        self.run = run
        self.function = function
        self.contract = contract
        self.arguments = arguments
        self.given = arguments
        self.holds = True
        """Whether every argument matches its annotation."""
        self.is_void = False
        """Whether the annotations prove nothing, because the body contradicts them."""
        self.bindings = Bindings(holes=hole_values(run, contract.holes, arguments, function.closure))
        self._binders: dict[str, tuple[str, Place]] = {}
        self._violates = False

    def bind_arguments(self, node: ast.AST | None) -> None:
        """Checks the arguments in order; the first violation is a finding at `node`, if that is not None.

        Arguments that violate their annotation are replaced by instances of it.
        """
        violating = []
        for name, kind in self.contract.parameters.items():
            if name not in self.arguments:
                continue
            try:
                found = self._matched(kind, self.arguments[name], {})
            except ShapeError as refusal:
                if node is not None and self.holds:
                    if self._contradicted(name, refusal):
                        self.is_void = True
                        return
                    notes = binding_notes(refusal, self.bindings, self._binders)
                    causes = self._violation(name, kind, self.arguments[name], refusal, {}).of_argument()
                    self._report(node, f"argument {quoted(name)} of {self.function.name}", refusal, notes, causes, name)
                self.holds = False
                violating.append(name)
                continue
            self._record_binder(name, found)
            self.bindings = found
        self._narrow_arguments(violating)

    def _contradicted(self, name: str, refusal: ShapeError) -> bool:
        """Whether the function itself shows that the annotation which an argument violates is wrong."""
        binders = [self._binders[axis][0] for axis in refusal.names if axis in self._binders]
        return (bool(binders) and states_shapes_of(self.function, name, *binders)) or contradicts_receiver(
            self.run, self.function, self.given
        )

    def _report(
        self,
        node: ast.AST,
        what: str,
        refusal: ShapeError,
        notes: list[tuple[Place, str]],
        causes: Sequence[str],
        name: str = "",
    ) -> None:
        place = self._place(name)
        if name and place is not None:
            notes = [*notes, (place, f"{quoted(name)} is annotated here")]
        report_violation(self.run, node, what, refusal, notes, causes)

    def _violation(
        self, part: str, kind: AnnotationType, value: Value, refusal: ShapeError, sizes: Mapping[Dim, Size]
    ) -> AnnotationViolation:
        source = source_of_function(self.function, part)
        return AnnotationViolation(self.run, source, value, refusal, lambda other: self._matched(kind, other, sizes))

    def _place(self, name: str) -> Place | None:
        spec = self.function.node.args
        every = (*(one.node for one in parameters_of(spec)), spec.vararg, spec.kwarg)
        found = next((one for one in every if one is not None and one.arg == name), None)
        return None if found is None else Place(self.function.closure.loaded, found)

    def _record_binder(self, name: str, found: Bindings) -> None:
        place = self._place(name)
        for axis in (*found.sizes, *found.runs):
            if axis not in self.bindings.sizes and axis not in self.bindings.runs and place is not None:
                self._binders[axis] = (name, place)

    def _narrow_arguments(self, violating: list[str]) -> None:
        axes = self.axis_instances()
        for name, kind in self.contract.parameters.items():
            if name in violating:
                self.arguments[name] = instantiate_annotation(self.run, kind, axes, name)
            elif name in self.arguments:
                self.arguments[name] = narrow_to_annotation(self.run, kind, self.arguments[name], axes, name)

    def axis_instances(self) -> AxisInstances:
        """The meaning of the axis names, given the arguments."""
        return AxisInstances(bindings=self.bindings)

    def checked_result(self, node: ast.AST, value: Value) -> Value:
        """Checks the value of a `return`; after a violation, which is a finding, nothing is known about the result."""
        kind, sizes = self.contract.returns, positive_in(self.bindings)
        try:
            self._matched(kind, value, sizes)
        except ShapeError as refusal:
            self._violates = True
            record_contradiction(self.run)
            violation = self._violation("result", kind, value, refusal, sizes)
            notes = binding_notes(refusal, self.bindings, self._binders)
            self._report(node, "return value", refusal, notes, violation.of_result(node))
            return Unknown("a result that violates its annotation")
        return value

    def _matched(self, kind: AnnotationType, value: Value, sizes: Mapping[Dim, Size]) -> Bindings:
        """Matches a value; raises ShapeError only if the violation persists under the axis bindings of the run."""
        try:
            return matched(kind, with_sizes(value, sizes), bindings_with(self.bindings, sizes))
        except ShapeError:
            learned = self.run.learned.sizes
            if not learned:
                raise
            known = bindings_with(bindings_with(self.bindings, learned), sizes)
            return matched(kind, with_sizes(with_axis_bindings(learned, value), sizes), known)

    def narrowed_result(self, value: Value) -> Value:
        """The result, narrowed by its annotation; Unknown if a finding says that arguments or result violate theirs."""
        if self.contract.returns is ANYTHING:
            return value
        if self._violates or not self.holds:
            return Unknown("a call that violates an annotation")
        narrowed = narrow_to_annotation(self.run, self.contract.returns, value, self.axis_instances(), "result")
        if isinstance(value, TensorSpec) and isinstance(narrowed, TensorSpec) and value.dtype is None:
            return narrowed.with_dtype(None)
        return narrowed


def checked_value(run: Run, node: ast.AST, kind: AnnotationType, value: Value, what: str, bindings: Bindings) -> Value:
    """The value, narrowed by a type; a violation is a finding, and the type is instantiated instead."""
    try:
        found = matched(kind, value, bindings)
    except ShapeError as refusal:
        source = f"{place_text(run.loaded, node)} annotation"
        violation = AnnotationViolation(run, source, value, refusal, lambda other: matched(kind, other, bindings))
        report_violation(run, node, what, refusal, causes=violation.of_result(node))
        made = instantiate_annotation(run, kind, AxisInstances(bindings=bindings), what)
        violation.replaced_by(made)
        return made
    return narrow_to_annotation(run, kind, value, AxisInstances(bindings=found), what)


def check_call(
    run: Run, node: ast.AST | None, function: FunctionValue, arguments: dict[str, Value]
) -> CheckedCall | None:
    """Checks the arguments of a call; None if the function has no contract.

    `node` is None if the function is analyzed in isolation, with arguments that are made from its annotations.
    """
    contract = contract_of(run, function)
    if contract is None:
        return None
    checked = CheckedCall(run, function, contract, dict(arguments))
    if node is not None and contradicts_itself(run, function):
        checked.is_void = True
    else:
        checked.bind_arguments(node)
    return checked
