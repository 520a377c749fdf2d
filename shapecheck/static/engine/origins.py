"""Origins: records of where values come from, for the notes of findings.

They are stored apart from the values and do not affect their equality. Undoing a branch does not remove its records: a
record is valid only if its value is still the value in question.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import Dim, TensorSpec
from shapecheck.static.domain.abstract_values import Field, Slot, Value
from shapecheck.static.domain.objects import ClassValue, DictValue, Instance, ListValue, Namespace
from shapecheck.static.engine.torch_words import in_torch_words
from shapecheck.static.engine.written_elements import is_written

if TYPE_CHECKING:
    from shapecheck.static.domain.objects import FunctionValue, Object

Owner = Namespace | Instance | ClassValue
_MOST_TENSORS = 256
_RECORDED = frozenset((int, Dim, TensorSpec, tuple, ListValue, DictValue))
"""The kinds of values whose writes are recorded, because notes may refer to them."""
_now = count().__next__


class FieldWrite(NamedTuple):
    """A write of a name or an attribute: the node of the target, the value, and a timestamp.

    `names` is the namespace in which the target is evaluated; None if the owner is that namespace.
    """

    node: ast.AST
    value: Value
    names: Namespace | None
    time: int

    def around(self, owner: Owner) -> Namespace:
        """The namespace in which the write of a field of this owner was evaluated."""
        if self.names is not None:
            return self.names
        if isinstance(owner, Namespace):
            return owner
        return owner.cls.closure if isinstance(owner, Instance) else owner.closure


class CallOrigin:
    """A call of a function or class: its node, the caller's names, and the arguments by parameter.

    `given` is the number of positional arguments, including a receiver that the node may not show.
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
    """The result of an operator, a layer or a layer class for these arguments, and where it was computed."""

    value: Value
    callee: str | ModuleSpec
    args: tuple[Value, ...]
    kwargs: Mapping[str, Value]
    node: ast.AST
    names: Namespace
    time: int


# Stored as plain tuples, which are five times faster to create, and named when a finding is reported.
_OriginRecord = tuple[Value, str | ModuleSpec, tuple[Value, ...], Mapping[str, Value], ast.AST, Namespace, int]


def last_write(owner: Object, field: Field) -> FieldWrite | None:
    """The last write of a field; None if none is recorded."""
    record = None if owner.origins is None else owner.origins.get(field)
    return None if record is None else FieldWrite(*record)


class Origins:
    """The calls that created tensors, layers and objects. Only the last few hundred tensors are kept.

    `noted` is whether origins are recorded: an entry runs without, and again with them if it has findings.
    """

    def __init__(self) -> None:
        self.noted = True
        self._tensors: dict[int, _OriginRecord] = {}
        self._older: dict[int, _OriginRecord] = {}
        self._layers: dict[int, _OriginRecord] = {}
        self._overwritten: dict[int, Value] = {}
        self._written: dict[int, Value] = {}
        self._objects: list[Object] = []
        self._stand_ins: dict[int, tuple[TensorSpec, str]] = {}
        self._explained: dict[str, str] = {}

    @contextmanager
    def passing(self) -> Iterator[None]:
        """Records origins inside, and drops them at the end, because they keep all values alive."""
        layers, objects, noted = len(self._layers), len(self._objects), self.noted
        self.noted = True
        try:
            yield
        finally:
            self.noted = noted
            self._tensors, self._older, self._stand_ins, self._explained = {}, {}, {}, {}
            self._overwritten, self._written = {}, {}
            while len(self._layers) > layers:
                self._layers.popitem()
            for one in self._objects[objects:]:
                one.origins = None
            del self._objects[objects:]

    @contextmanager
    def lasting(self) -> Iterator[None]:
        """Records origins inside, and keeps them: the body of a module runs only once."""
        noted, self.noted = self.noted, True
        try:
            yield
        finally:
            self.noted = noted

    @contextmanager
    def resting(self) -> Iterator[None]:
        """Records nothing inside."""
        noted, self.noted = self.noted, False
        try:
            yield
        finally:
            self.noted = noted

    def wrote(self, target: Object, field: Field, node: ast.AST, value: Value, names: Namespace | None = None) -> None:
        """Records a write of a field; the journal performs it. `names` is its namespace, if that is not the target."""
        if not self.noted or type(value) not in _RECORDED:
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
        """Records the result of an operator, a layer or a layer class."""
        if not self.noted:
            return
        self._note_overwritten(callee, args)
        if isinstance(value, TensorSpec):
            self._made_tensor((value, callee, args, in_torch_words(kwargs), node, names, _now()))
        elif isinstance(value, ModuleSpec):
            self._layers[id(value)] = (value, callee, args, kwargs, node, names, _now())
        elif isinstance(value, tuple):
            for one in value:
                if isinstance(one, (TensorSpec, tuple)):  # an LSTM returns its states in a tuple of their own
                    self.made(one, callee, args, kwargs, node, names)
        elif isinstance(value, Unknown) and is_written(callee, args, kwargs, self.is_written):
            self._written[id(value)] = value  # a number: `x.max().item()`

    def _made_tensor(self, record: _OriginRecord) -> None:
        value, callee, args, kwargs, *_ = record
        if is_written(callee, args, kwargs, self.is_written):
            self._written[id(value)] = value
        for one in args:
            if one is value:  # it returned its argument
                return
        if len(self._tensors) >= _MOST_TENSORS:
            self._older, self._tensors = self._tensors, {}
        self._tensors[id(value)] = record

    def refined(self, value: Value, known: Value) -> None:
        """Records that a tensor is another one, of which more is known."""
        if not self.noted or not isinstance(known, TensorSpec) or known is value:
            return
        record = self._tensors.get(id(value)) or self._older.get(id(value))
        if record is not None and record[0] is value:
            self._tensors[id(known)] = (known, *record[1:])
        if self.is_written(value):
            self._written[id(known)] = known

    def converted(self, layer: ModuleSpec, changed: ModuleSpec) -> None:
        """Records that a layer was built where another one was: it is that layer with other dtypes."""
        record = self._layers.get(id(layer)) if self.noted else None
        if record is not None:
            self._layers[id(changed)] = (changed, *record[1:])

    def _note_overwritten(self, callee: str | ModuleSpec, args: tuple[Value, ...]) -> None:
        if args and isinstance(callee, str) and callee.endswith("_") and not callee.endswith("__getitem__"):
            self._overwritten[id(args[0])] = args[0]

    def built(self, instance: Instance, node: ast.AST, args: Value, kwargs: Value, names: Namespace) -> None:
        """Records the call that creates an instance of a project class."""
        if not self.noted:
            return
        self.wrote(instance, BUILT, node, (args, kwargs), names)
        self._objects.append(instance)

    def stands_in(self, value: TensorSpec, source: str) -> None:
        """Records a tensor made from an annotation that the actual value violates; `source` is the annotation."""
        if self.noted:
            self._stand_ins[id(value)] = value, source

    def stand_in(self, value: Value) -> str | None:
        """The violated annotation that this tensor was made from, compared by identity; None if it is a real one."""
        record = self._stand_ins.get(id(value))
        return None if record is None else record[1]

    def explains(self, finding: str, cause: str) -> None:
        """Records that a finding about an annotation is behind each finding with this cause."""
        if self.noted:
            self._explained[cause] = finding

    def explanation(self, cause: str) -> str | None:
        """The finding behind a cause; None if there is none."""
        return self._explained.get(cause)

    def of_tensor(self, value: TensorSpec) -> TensorOrigin | None:
        """The call that returned this tensor, compared by identity; None if it is not kept."""
        record = self._tensors.get(id(value)) or self._older.get(id(value))
        return None if record is None else TensorOrigin(*record)

    def is_overwritten(self, value: TensorSpec) -> bool:
        """Whether an operator changed elements of this tensor in place."""
        return id(value) in self._overwritten

    def is_written(self, value: Value) -> bool:
        """Whether the elements of this tensor, or this unknown number, follow from numbers in the program."""
        return id(value) in self._written and id(value) not in self._overwritten

    def of_layer(self, layer: ModuleSpec) -> TensorOrigin | None:
        """The call that built this layer, compared by identity; None if it is not recorded."""
        record = self._layers.get(id(layer))
        return None if record is None else TensorOrigin(*record)


BUILT = Slot("built")
"""The field under which the creation of an object is recorded."""
