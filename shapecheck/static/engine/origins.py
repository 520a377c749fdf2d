"""Where values come from: what is written down while a program runs, so that a finding can say it.

It lies beside the values and takes no part in their equality. A branch that is undone leaves what it wrote here: a
record counts only where the value it holds is still the value that is asked about.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from shapecheck.ops import ModuleSpec
from shapecheck.spec import Dim, TensorSpec
from shapecheck.static.domain.abstract_values import Field, Slot
from shapecheck.static.domain.values import ClassValue, DictValue, Instance, ListValue, Namespace, Value

if TYPE_CHECKING:
    from shapecheck.static.domain.values import FunctionValue, Object

Owner = Namespace | Instance | ClassValue
_MOST_TENSORS = 256
_TOLD = frozenset((int, Dim, TensorSpec, tuple, ListValue, DictValue))
"""The kinds of values that a note may be about, or lead through; of others nothing is noted."""
_now = count().__next__


class FieldWrite(NamedTuple):
    """One writing of a name or an attribute: the target's node, the value, and when it was.

    `names` are those around it; None for a name, which is among them itself.
    """

    node: ast.AST
    value: Value
    names: Namespace | None
    time: int

    def around(self, owner: Owner) -> Namespace:
        """The names around the writing of a field of this owner."""
        if self.names is not None:
            return self.names
        if isinstance(owner, Namespace):
            return owner
        return owner.cls.closure if isinstance(owner, Instance) else owner.closure


class CallOrigin:
    """One call of a function or class: its node, the caller's names, and the arguments, also by parameter.

    `given` counts the positional arguments, with the receiver, that the call's node may not show.
    """

    __slots__ = ("bound", "function", "given", "kwargs", "names", "node", "time")

    def __init__(
        self,
        node: ast.AST | None,
        names: Namespace,
        function: FunctionValue | None,
        given: int,
        bound: Mapping[str, Value],
        kwargs: Mapping[str, Value],
    ) -> None:
        self.node = node
        self.names = names
        self.function = function
        self.given = given
        self.bound = bound
        self.kwargs = kwargs
        self.time = _now()


class TensorOrigin(NamedTuple):
    """What an operator, a layer or a layer's class gave for these arguments, and where."""

    value: Value
    callee: str | ModuleSpec
    args: tuple[Value, ...]
    kwargs: Mapping[str, Value]
    node: ast.AST
    names: Namespace
    time: int


# Kept as plain tuples, which are made in a fifth of the time, and named when a finding is told.
_Making = tuple[Value, str | ModuleSpec, tuple[Value, ...], Mapping[str, Value], ast.AST, Namespace, int]


def last_write(owner: Object, field: Field) -> FieldWrite | None:
    """The last writing of a field."""
    record = None if owner.origins is None else owner.origins.get(field)
    return None if record is None else FieldWrite(*record)


class Origins:
    """Which call made a tensor, a layer or an object. Of tensors, the last few hundred are kept.

    `noted` says whether anything is noted now: an entry is run without, and once more with notes if it has findings.
    """

    def __init__(self) -> None:
        self.noted = True
        self._tensors: dict[int, _Making] = {}
        self._older: dict[int, _Making] = {}
        self._layers: dict[int, _Making] = {}
        self._objects: list[Object] = []

    @contextmanager
    def passing(self) -> Iterator[None]:
        """What is noted while this lasts is forgotten afterwards: it would keep everything alive that ever ran."""
        layers, objects, noted = len(self._layers), len(self._objects), self.noted
        self.noted = True
        try:
            yield
        finally:
            self.noted = noted
            self._tensors, self._older = {}, {}
            while len(self._layers) > layers:
                self._layers.popitem()
            for one in self._objects[objects:]:
                one.origins = None
            del self._objects[objects:]

    @contextmanager
    def lasting(self) -> Iterator[None]:
        """What is noted while this lasts is kept, whoever asked for it: the body of a module is run once."""
        noted, self.noted = self.noted, True
        try:
            yield
        finally:
            self.noted = noted

    @contextmanager
    def resting(self) -> Iterator[None]:
        """Nothing is noted while this lasts."""
        noted, self.noted = self.noted, False
        try:
            yield
        finally:
            self.noted = noted

    def wrote(self, target: Object, field: Field, node: ast.AST, value: Value, names: Namespace | None = None) -> None:
        """Notes that a field was written; the journal writes it. `names` are those around it, if not the target."""
        if not self.noted or type(value) not in _TOLD:
            return
        if target.origins is None:
            target.origins = {}
        target.origins[field] = (node, value, names, _now())

    def made(
        self,
        value: Value,
        callee: str | ModuleSpec,
        args: tuple[Value, ...],
        kwargs: Mapping[str, Value],
        node: ast.AST,
        names: Namespace,
    ) -> None:
        """Notes what an operator, a layer or a layer's class gave."""
        if not self.noted:
            return
        if isinstance(value, TensorSpec):
            for one in args:
                if one is value:  # it gave back what it got
                    return
            if len(self._tensors) >= _MOST_TENSORS:
                self._older, self._tensors = self._tensors, {}
            self._tensors[id(value)] = (value, callee, args, kwargs, node, names, _now())
        elif isinstance(value, ModuleSpec):
            self._layers[id(value)] = (value, callee, args, kwargs, node, names, _now())
        elif type(value) is tuple:
            for one in value:
                if isinstance(one, TensorSpec):
                    self.made(one, callee, args, kwargs, node, names)

    def built(self, instance: Instance, node: ast.AST, args: Value, kwargs: Value, names: Namespace) -> None:
        """Notes the call that makes an object of the project."""
        if not self.noted:
            return
        self.wrote(instance, BUILT, node, (args, kwargs), names)
        self._objects.append(instance)

    def of_tensor(self, value: TensorSpec) -> TensorOrigin | None:
        """The call that gave this very tensor, as far as it is kept."""
        record = self._tensors.get(id(value)) or self._older.get(id(value))
        return None if record is None else TensorOrigin(*record)

    def of_layer(self, layer: ModuleSpec) -> TensorOrigin | None:
        """The call that built this very layer."""
        record = self._layers.get(id(layer))
        return None if record is None else TensorOrigin(*record)


BUILT = Slot("built")
"""The field under which it is noted where an object was made."""
