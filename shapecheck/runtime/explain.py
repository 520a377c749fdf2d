"""The slow path: walks the hints with `spec.match`, and raises the error for a value that does not match.

Generated functions come here when a value did not match, or when no code could be written for an annotation.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NoReturn

from shapecheck.runtime.describe import described, details, is_exempt, kind_text, plural, sizes_text, type_text
from shapecheck.runtime.dtypes import dtype_text
from shapecheck.runtime.errors import ErrorLocation, ShapeError
from shapecheck.runtime.hints import (
    AnythingHint,
    ArrayHint,
    ClassHint,
    Hint,
    MappingHint,
    RecordHint,
    SequenceHint,
    TupleHint,
    UnionHint,
)
from shapecheck.spec import errors
from shapecheck.spec.annotation import Named, Symbolic
from shapecheck.spec.bindings import Bindings
from shapecheck.spec.dim import unknown
from shapecheck.spec.presentation import clipped
from shapecheck.spec.shape import Shape
from shapecheck.spec.symbolic import HoleValue
from shapecheck.spec.tensor import TensorSpec
from shapecheck.spec.unify import match


class Explainer:
    """One walk over the values of a call. `bindings` is what it has inferred so far, `origins` from which value."""

    def __init__(
        self,
        function: str,
        arguments: Mapping[str, Any],
        bindings: Bindings,
        origins: Mapping[str, str] | None = None,
    ) -> None:
        self.function = function
        self.arguments = arguments
        self.bindings = bindings
        self.origins = dict(origins or {})
        self.waiting: list[tuple[str, Any, ArrayHint]] = []

    def check(self, hint: Hint, value: Any, path: str) -> None:
        """Raises ShapeError if `value`, which is at `path`, does not match."""
        if not isinstance(hint, AnythingHint) and not is_exempt(value):
            _CHECKS[type(hint)](self, hint, value, path)

    def finish(self) -> None:
        """Checks the symbolic axes whose names came later. Raises spec's AnnotationError if nothing has bound them."""
        waiting, self.waiting = self.waiting, []
        for path, value, hint in waiting:
            self._match(hint, value, path, False)

    def _array(self, hint: ArrayHint, value: Any, path: str) -> None:
        fits = isinstance(value, hint.kind) if hint.kind else hasattr(value, "shape") and hasattr(value, "dtype")
        if not fits:
            self._refuse(path, kind_text(value), "an array" if hint.kind is None else hint.kind.__name__, hint, value)
        dtype = _attribute(value, "dtype")
        if dtype is not None and not hint.dtypes.allow(dtype):
            pair = hint.dtypes.description, dtype_text(dtype)
            place = ErrorLocation(self.function, path, is_dtype=True)
            self._raise(f"expected {pair[0]}, got {pair[1]}", hint, value, place, pair)
        self._match(hint, value, path, True)
        for promise in hint.promises:
            if not _quietly(partial(promise.holds, value), True):
                actual = _quietly(partial(promise.actual, value), described(value))
                self._refuse(path, actual, promise.expected, hint, value)

    def _match(self, hint: ArrayHint, value: Any, path: str, order_free: bool) -> None:
        shape = shape_of(value)
        if shape is None:
            return
        self._check_rank(hint, value, path, len(shape.head))
        self._fill_holes(hint)
        before = self.bindings
        try:
            self.bindings = match(hint.axes, TensorSpec.make(shape, None), before, order_free=order_free)
        except errors.AnnotationError:
            raise
        except errors.ShapeError as wrong:
            if wrong.wrong_axis is not None:
                self._refuse_axis(hint, value, path, wrong.wrong_axis)
            self._refuse_run(hint, value, path, shape.head)
        self._note_origins(before, hint, path)
        if order_free and any(isinstance(pattern, Symbolic) for pattern in hint.axes.axes):
            self.waiting.append((path, value, hint))

    def _check_rank(self, hint: ArrayHint, value: Any, path: str, rank: int) -> None:
        axes, at = hint.axes.axes, hint.axes.variadic
        least = len(axes) if at is None else len(axes) - 1
        if rank != least and (at is None or rank < least):
            requirement = f"{'' if at is None else 'at least '}{plural(least, 'dimension')}"
            first = f'expected {requirement} ("{clipped(hint.axes.text)}"), got {rank}'
            self._raise(first, hint, value, ErrorLocation(self.function, path), (least, rank))

    def _note_origins(self, before: Bindings, hint: ArrayHint, path: str) -> None:
        names = [pattern.text.lstrip("#*") for pattern in hint.axes.axes]
        at = hint.axes.variadic
        for name in self.bindings.sizes.keys() - before.sizes.keys():
            index = names.index(name) if name in names else 0
            self.origins[name] = f"{path}[{index if at is None or index < at else index - len(names)}]"
        for name in self.bindings.runs.keys() - before.runs.keys():
            self.origins[f"*{name}"] = path

    def _fill_holes(self, hint: ArrayHint) -> None:
        found: dict[str, HoleValue] = {}
        for hole in hint.axes.holes:
            if hole in self.bindings.holes:
                continue
            value = _quietly(partial(eval, hole, {}, dict(self.arguments)), None)
            if value is not None:
                found[hole] = value if isinstance(value, int) else str(value)
        if found:
            self.bindings = self.bindings.with_holes(found)

    def _plain(self, hint: ClassHint, value: Any, path: str) -> None:
        if not hint.test(value):
            self._refuse(path, described(value), type_text(hint.hint))

    def _choice(self, hint: UnionHint, value: Any, path: str) -> None:
        refusals: list[ShapeError] = []
        state = self.bindings, dict(self.origins), list(self.waiting)
        for member in hint.members:
            try:
                self.check(member, value, path)
                return
            except ShapeError as refused:
                refusals.append(refused)
                self.bindings, self.origins, self.waiting = state[0], dict(state[1]), list(state[2])
        if hint.hint is not None:
            self._refuse(path, described(value), type_text(hint.hint))
        raise closest(refusals)

    def _items(self, hint: SequenceHint, value: Any, path: str) -> None:
        self._instance(hint.kind, value, path)
        for index, item in enumerate(value):
            self.check(hint.item, item, f"{path}[{index}]")
            if hint.first_only:
                break

    def _places(self, hint: TupleHint, value: Any, path: str) -> None:
        self._instance(tuple, value, path)
        if len(value) != len(hint.items):
            self._refuse(path, str(len(value)), f"a tuple of {plural(len(hint.items), 'item')}")
        for index, (item, inner) in enumerate(zip(value, hint.items, strict=True)):
            self.check(inner, item, f"{path}[{index}]")

    def _values(self, hint: MappingHint, value: Any, path: str) -> None:
        self._instance(hint.kind, value, path)
        for key, item in value.items():
            shown = clipped(repr(key))
            self.check(hint.key, key, f"{path}, key {shown}")
            self.check(hint.value, item, f"{path}[{shown}]")
            if hint.first_only:
                break

    def _fields(self, hint: RecordHint, value: Any, path: str) -> None:
        self._instance(hint.kind, value, path)
        inside = Explainer(self.function, self.arguments, Bindings()) if hint.alone else self
        for name, field in hint.fields:
            inside.check(field, getattr(value, name), f"{path}.{name}")
        if hint.alone:
            inside.finish()

    def _instance(self, kind: type, value: Any, path: str) -> None:
        if not isinstance(value, kind):
            self._refuse(path, described(value), kind.__name__)

    def _refuse_axis(self, hint: ArrayHint, value: Any, path: str, wrong: errors.WrongAxis) -> NoReturn:
        axis = wrong.axis if wrong.axis >= 0 else wrong.axis + len(value.shape)
        pattern = hint.axes.axes[wrong.axis]
        bound_by = self.origins.get(pattern.name) if isinstance(pattern, Named) else None
        if bound_by is not None:
            origin = f" ({pattern.text.lstrip('#')} was bound by {bound_by})"
        elif isinstance(pattern, Symbolic):
            names = dict.fromkeys(re.findall(r"[^\W\d]\w*", pattern.expression.text))
            sizes = [
                f"{name}={self.bindings.sizes[name]} from {self.origins[name]}"
                for name in names
                if name in self.origins
            ]
            origin = f" ({', '.join(sizes)})" if sizes else ""
        else:
            origin = ""
        required = str(wrong.expected)
        if pattern.broadcast and required != "1":
            required += " or 1"
        actual = str(wrong.actual)
        first = f'expected dimension {axis} ("{clipped(pattern.text)}") to be {required}, got {actual}{origin}'
        place = ErrorLocation(self.function, path, axis, bound_by)
        self._raise(first, hint, value, place, (wrong.expected, wrong.actual))

    def _refuse_run(self, hint: ArrayHint, value: Any, path: str, shape: tuple[Any, ...]) -> NoReturn:
        axes, at = hint.axes.axes, hint.axes.variadic or 0
        pattern: Any = axes[at]
        run = shape[at : len(shape) - (len(axes) - at - 1)]
        bound = self.bindings.runs[pattern.name][1].head
        bound_by = self.origins.get(f"*{pattern.name}")
        origin = "" if bound_by is None else f" (*{pattern.name} was bound by {bound_by})"
        first = f'expected "{clipped(pattern.text)}" to be {Shape(bound)}, got {Shape(run)}{origin}'
        self._raise(first, hint, value, ErrorLocation(self.function, path, None, bound_by), (bound, run))

    def _refuse(
        self, path: str, actual: str, expected: str, hint: ArrayHint | None = None, value: Any = None
    ) -> NoReturn:
        first = f"expected {expected}, got {actual}"
        self._raise(first, hint, value, ErrorLocation(self.function, path), (expected, actual))

    def _raise(
        self, first: str, hint: ArrayHint | None, value: Any, place: ErrorLocation, pair: tuple[Any, Any]
    ) -> NoReturn:
        lines = [f"{place.function}({place.path}): {first}"]
        if hint is not None:
            lines.append(f"  {place.path} is annotated {hint.axes}{details(value)}")
        known = sizes_text(self.bindings, self.origins)
        if known:
            lines.append(f"  sizes: {known}")
        raise ShapeError("\n".join(lines), place, *pair)


_CHECKS: dict[type, Callable[[Explainer, Any, Any, str], None]] = {
    ArrayHint: Explainer._array,
    ClassHint: Explainer._plain,
    UnionHint: Explainer._choice,
    SequenceHint: Explainer._items,
    TupleHint: Explainer._places,
    MappingHint: Explainer._values,
    RecordHint: Explainer._fields,
}


def closest(refusals: list[ShapeError]) -> ShapeError:
    """Of the reasons why each member of a union does not match, the most specific: a size, a rank, then the rest."""
    return max(refusals, key=lambda refusal: (refusal.axis is not None, not isinstance(refusal.expected, str)))


def shape_of(value: Any) -> Shape | None:
    """The shape, in which sizes that are not numbers are unknown; None if it cannot be read."""
    shape = _attribute(value, "shape")
    try:
        return Shape(tuple(_size(size) for size in shape))
    except Exception:  # an object that only looks like a tensor can do anything
        return None


def _size(size: Any) -> Any:
    if type(size) is int:
        return size
    found = _quietly(lambda: operator.index(size), None)
    return unknown("size", 0) if found is None or found < 0 else found


def _attribute(value: Any, name: str) -> Any:
    return _quietly(lambda: getattr(value, name), None)


def _quietly(read: Callable[[], Any], otherwise: Any) -> Any:
    """What an object reports about itself, or `otherwise`: a tensor without shape or strides is accepted."""
    try:
        return read()
    except Exception:
        return otherwise
