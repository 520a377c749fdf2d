"""Called by generated code when a value does not match: raises the error, or returns the sizes after all."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from shapecheck.runtime.explain import Explainer
from shapecheck.runtime.signature import FunctionContract, LocalVariable
from shapecheck.spec.bindings import Bindings
from shapecheck.spec.errors import AnnotationError, ShapeError
from shapecheck.spec.shape import Shape
from shapecheck.spec.symbolic import HoleValue

_Method = TypeVar("_Method", bound=Callable[..., Any])


def _not_compiled(method: _Method) -> _Method:
    """Excludes a function from torch.compile by the attributes that torch.compiler.disable sets: this package must not
    import torch.
    """
    said = "shapecheck: a value does not match its annotation; without fullgraph=True the error states which one"
    vars(method).update(_torchdynamo_disable=True, _torchdynamo_disable_msg=said)
    return method


def _nobody() -> None:
    return None


class Calls:
    """The slow path of one generated function, for values that do not match."""

    def __init__(self, contract: FunctionContract) -> None:
        self.contract = contract
        self.checking: Callable[[], Any] = _nobody
        """The calling function, by a weak reference, so that neither keeps the other alive."""

    def __getstate__(self) -> dict[str, Any]:
        # cloudpickle sends functions of a script with all that they reference, and cannot send a weak reference.
        return {"contract": self.contract, "checking": _nobody}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)

    @_not_compiled
    def explain_arguments(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Raises ShapeError if an argument does not match, otherwise returns the sizes."""
        __tracebackhide__ = True
        if self._exempt():
            return {}
        explainer = self._explainer(arguments)
        try:
            self._check_arguments(explainer)
        except ShapeError as wrong:
            raise wrong.with_traceback(None) from None
        return sizes_of(explainer.bindings, self.contract.broadcasting)

    @_not_compiled
    def explain_result(self, result: Any, arguments: dict[str, Any]) -> None:
        """Raises ShapeError if the result does not match."""
        __tracebackhide__ = True
        if self._exempt():
            return
        explainer = self._explainer(arguments)
        with contextlib.suppress(ShapeError):  # the function can have changed its arguments since it was called
            self._check_arguments(explainer)
        try:
            explainer.check(self.contract.result, result, "return")
            explainer.finish()
        except ShapeError as wrong:
            raise wrong.with_traceback(None) from None

    @_not_compiled
    def explain_local(self, local: LocalVariable, value: Any, sizes: dict[str, Any]) -> bool:
        """Raises ShapeError if a local variable does not match; returns the answer to an `isinstance`."""
        __tracebackhide__ = True
        bindings = _bindings_of(sizes, self.contract.broadcasting)
        origins = dict.fromkeys((*bindings.sizes, *(f"*{run}" for run in bindings.runs)), "an earlier annotation")
        explainer = Explainer(self.contract.name, {}, bindings, origins)
        try:
            explainer.check(local.hint, value, local.name)
            explainer.finish()
        except ShapeError as wrong:
            if local.is_question and not isinstance(wrong, AnnotationError):
                return False
            raise wrong.with_traceback(None) from None
        sizes.update(sizes_of(explainer.bindings, self.contract.broadcasting))
        return True

    def _check_arguments(self, explainer: Explainer) -> None:
        for parameter in self.contract.parameters:
            explainer.check(
                self.contract.arguments[parameter.name], explainer.arguments[parameter.name], parameter.name
            )
        explainer.finish()

    def _explainer(self, arguments: dict[str, Any]) -> Explainer:
        sizes: dict[str, Any] = {}
        origins: dict[str, str] = {}
        for name in self.contract.sizes:
            owner = self.contract.parameters[0].name if self.contract.parameters else ""
            size = getattr(arguments.get(owner), name, None)
            if isinstance(size, int):
                sizes[name], origins[name] = size, f"{owner}.{name}"
        return Explainer(self.contract.name, arguments, Bindings(sizes), origins)

    def _exempt(self) -> bool:
        return bool(getattr(self.checking(), "__no_type_check__", False))


def sizes_of(bindings: Bindings, broadcasting: frozenset[str]) -> dict[str, Any]:
    """Sizes by axis as generated code stores them: `b` as a number, `*batch` as a tuple, or Joined if it broadcasts."""
    sizes: dict[str, Any] = {**bindings.sizes, **{f"{{{hole}}}": value for hole, value in bindings.holes.items()}}
    for name, (free, shape) in bindings.runs.items():
        sizes[f"*{name}"] = (free, shape.head) if f"*{name}" in broadcasting else shape.head
    return sizes


def _bindings_of(sizes: Mapping[str, Any], broadcasting: frozenset[str]) -> Bindings:
    """The bindings that such a dict represents."""
    named: dict[str, Any] = {}
    runs: dict[str, tuple[bool, Shape]] = {}
    holes: dict[str, HoleValue] = {}
    for axis, size in sizes.items():
        if size is None:
            continue
        if axis.startswith("{"):
            holes[axis[1:-1]] = size if isinstance(size, int) else str(size)
        elif not axis.startswith("*"):
            named[axis] = size
        else:
            free, axes = size if axis in broadcasting else (False, size)
            runs[axis[1:]] = (free, Shape(tuple(axes)))
    return Bindings(named, runs, holes)
