"""The fields of a dataclass or a NamedTuple, checked where an object is made; its names of axes are shared."""

from __future__ import annotations

import ast

from shapecheck.spec import Bindings, ShapeError
from shapecheck.static.contracts.annotation_types import ANYTHING, Made
from shapecheck.static.contracts.contract import carries, kinds_of
from shapecheck.static.contracts.instantiation import Promise, narrowed, promised
from shapecheck.static.contracts.matching import matched
from shapecheck.static.contracts.violations import report_refusal
from shapecheck.static.domain.values import ClassValue, Value
from shapecheck.static.engine.run import Run


def checked_fields(run: Run, node: ast.AST | None, cls: ClassValue, values: dict[str, Value]) -> dict[str, Value]:
    """The fields as known as their annotations; the first that breaks its own is a finding at the call."""
    if not carries(run, Made(cls)):
        return values
    kinds = kinds_of(run, cls)
    bindings = Bindings()
    refused: set[str] = set()
    for name, value in values.items():
        try:
            bindings = matched(kinds.get(name, ANYTHING), value, bindings)
        except ShapeError as refusal:
            if node is not None and not refused:
                report_refusal(run, node, f"field {name!r} of {cls.node.name}", refusal)
            refused.add(name)
    promise = Promise(bindings=bindings)
    for name, value in list(values.items()):
        kind = kinds.get(name, ANYTHING)
        if name in refused:
            values = {**values, name: promised(run, kind, promise, name)}
        elif carries(run, kind):
            values = {**values, name: narrowed(run, kind, value, promise, name)}
    return values
