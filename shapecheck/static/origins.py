"""Where values come from: what is written down while a program runs, so that a finding can say it.

It lies beside the values and takes no part in their equality. A branch that is undone leaves what it wrote here: a
record counts only where the value it holds is still the value that is asked about.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from itertools import count
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from shapecheck.ops import ModuleSpec
from shapecheck.spec import TensorSpec

if TYPE_CHECKING:
    from shapecheck.static.values import FunctionValue, Instance, Namespace, Object, Value

_MOST_TENSORS = 4_000
_now = count().__next__


class Written:
    """One writing of a name or an attribute: the target's node, the value, the names around it, and when it was."""

    __slots__ = ("names", "node", "time", "value")

    def __init__(self, node: ast.AST, value: Value, names: Namespace) -> None:
        self.node = node
        self.value = value
        self.names = names
        self.time = _now()


class Called:
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


class Made:
    """What an operator, a layer or a layer's class gave for these arguments, and where."""

    __slots__ = ("args", "callee", "kwargs", "names", "node", "time", "value")

    def __init__(
        self,
        value: Value,
        callee: str | ModuleSpec,
        args: tuple[Value, ...],
        kwargs: Mapping[str, Value],
        node: ast.AST,
        names: Namespace,
    ) -> None:
        self.value = value
        self.callee = callee
        self.args = args
        self.kwargs = kwargs
        self.node = node
        self.names = names
        self.time = _now()


def wrote(target: Object, field: str, node: ast.AST, value: Value, names: Namespace) -> None:
    """Notes that a field was written here; the journal writes it."""
    if target.origins is None:
        target.origins = {}
    target.origins[field] = Written(node, value, names)


class Origins:
    """Which call made a tensor, a layer or an object. Of tensors, the last few thousand are kept."""

    def __init__(self) -> None:
        self._tensors: dict[int, Made] = {}
        self._layers: WeakKeyDictionary[ModuleSpec, Made] = WeakKeyDictionary()

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
        if isinstance(value, TensorSpec):
            if any(one is value for one in args):  # it gave back what it got
                return
            if len(self._tensors) >= _MOST_TENSORS:
                self._tensors.clear()
            self._tensors[id(value)] = Made(value, callee, args, kwargs, node, names)
        elif isinstance(value, ModuleSpec):
            self._layers[value] = Made(None, callee, args, kwargs, node, names)
        elif type(value) is tuple:
            for one in value:
                if isinstance(one, TensorSpec):
                    self.made(one, callee, args, kwargs, node, names)

    def of_tensor(self, value: TensorSpec) -> Made | None:
        """The call that gave this very tensor, as far as it is kept."""
        return self._tensors.get(id(value))

    def of_layer(self, layer: ModuleSpec) -> Made | None:
        """The call that built this very layer."""
        return self._layers.get(layer)


def built(instance: Instance) -> Written | None:
    """The call that made an object of the project."""
    return None if instance.origins is None else instance.origins.get(BUILT)


BUILT = "(built)"
"""The field under which it is noted where an object was made."""
