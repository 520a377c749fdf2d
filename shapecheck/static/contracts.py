"""jaxtyping annotations of a function: what its callers must give, what its body may assume, what it returns."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from shapecheck.ops import Unknown
from shapecheck.spec import AnnotationError, Bindings, ShapeError, TensorSpec, match
from shapecheck.spec.annotation import Annotation, parse_annotation
from shapecheck.static.machine import Machine
from shapecheck.static.values import FunctionValue, Instance, Value


class Contract:
    """The annotations of a function's parameters, and of what it returns where that is one tensor."""

    __slots__ = ("parameters", "returns")

    def __init__(self, parameters: dict[str, Annotation], returns: Annotation | None) -> None:
        self.parameters = parameters
        self.returns = returns

    def check_arguments(self, machine: Machine, node: ast.AST, name: str, bound: dict[str, Value]) -> dict[str, Value]:
        """The arguments, an unknown one as its annotation says; a mismatch is a finding at the call."""
        bindings = Bindings().with_holes(holes(self.parameters.values(), bound))
        result = dict(bound)
        for parameter, annotation in self.parameters.items():
            value = bound.get(parameter)
            if isinstance(value, Unknown):
                value = result[parameter] = TensorSpec.anything()
            if not isinstance(value, TensorSpec):
                continue
            try:
                bindings = match(annotation, value, bindings)
            except AnnotationError:
                continue
            except ShapeError as refusal:
                machine.report("shape-mismatch", node, f"argument {parameter!r} of {name}: {refusal}")
                return result
        return result

    def promised(self, scope: str) -> dict[str, TensorSpec]:
        """The parameters as their annotations promise them, names of axes kept apart."""
        return {name: annotation.spec(scope) for name, annotation in self.parameters.items()}

    def check_return(self, machine: Machine, node: ast.AST, value: Value, bound: dict[str, Value]) -> None:
        """Reports a result that breaks the annotation, whatever the names stand for."""
        if self.returns is None or not isinstance(value, TensorSpec):
            return
        bindings = Bindings().with_holes(holes([*self.parameters.values(), self.returns], bound))
        try:
            for name, annotation in self.parameters.items():
                given = bound.get(name)
                bindings = match(annotation, given, bindings) if isinstance(given, TensorSpec) else bindings
            match(self.returns, value, bindings)
        except AnnotationError:
            return
        except ShapeError as refusal:
            machine.report("shape-mismatch", node, f"the result: {refusal}")


def holes(annotations: object, bound: Mapping[str, Value]) -> dict[str, int | str]:
    """The values of `{self.dim}` and `{n}` in annotations, as far as they are known."""
    found: dict[str, int | str] = {}
    for annotation in annotations:  # type: ignore[attr-defined]  # an iterable of annotations
        for hole in annotation.holes:
            value = _hole(hole, bound)
            if type(value) is int:
                found[hole] = value
    return found


def _hole(text: str, bound: Mapping[str, Value]) -> Value:
    first, *rest = text.split(".")
    value = bound.get(first)
    for name in rest:
        value = value.fields.get(name) if isinstance(value, Instance) else None
    return value


def contract_of(machine: Machine, function: FunctionValue) -> Contract | None:
    """The function's contract, None where it has no jaxtyping annotation that can be read."""
    node = function.node
    if isinstance(node, ast.Lambda):
        return None
    spec = node.args
    parameters = {}
    for one in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs):
        annotation = read(machine, one.annotation, function)
        if annotation is not None:
            parameters[one.arg] = annotation
    returns = read(machine, node.returns, function)
    return Contract(parameters, returns) if parameters or returns is not None else None


def read(machine: Machine, node: ast.expr | None, function: FunctionValue) -> Annotation | None:
    """`Float[Tensor, "b c"]` as an annotation, also by an alias of the module; None for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            node = ast.parse(node.value, mode="eval").body
        except SyntaxError:
            return None
    if isinstance(node, ast.Name):
        alias = _alias(function, node.id)
        return None if alias is None else read(machine, alias, function)
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Tuple) or len(node.slice.elts) != 2:
        return None
    axes = node.slice.elts[1]
    base = node.value
    name = base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""
    if not isinstance(axes, ast.Constant) or not isinstance(axes.value, str):
        return None
    try:
        return parse_annotation(name, axes.value)
    except ShapeError:
        return None


def _alias(function: FunctionValue, name: str) -> ast.expr | None:
    for statement in function.closure.loaded.tree.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name) and target.id == name and isinstance(statement.value, ast.Subscript):
                return statement.value
    return None
