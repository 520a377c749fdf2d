"""Abstract values with an identity: objects, collections, modules, functions and classes.

The fields of an `Object` change through the journal alone, so that a branch can be undone.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable
from itertools import count, islice
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar

from shapecheck.static.domain.abstract_values import AbstractValue, Field, Slot, Value
from shapecheck.static.domain.external_bases import ExternalBase
from shapecheck.static.domain.linearization import order_of_bases
from shapecheck.static.domain.structure import children, rebuild
from shapecheck.static.domain.unread import UNREAD, Unread

if TYPE_CHECKING:
    from shapecheck.static.contracts.annotation_types import AnnotationType
    from shapecheck.static.contracts.contract import Contract
    from shapecheck.static.contracts.instantiation import AxisInstances
    from shapecheck.static.engine.loading import SourceModule
    from shapecheck.static.engine.origins import CallOrigin

WriteRecord: TypeAlias = "tuple[ast.AST, Value, Namespace | None, int]"
"""The node that wrote a field, the value, the names around the node unless the object is these, and the time."""

_O = TypeVar("_O", bound="Object")
_C = TypeVar("_C", bound="Collection")
allocation_ids = count(1)
"""Allocation ids, in the order in which objects are created."""

ITEMS = Slot("items")
"""The field with the items of a collection."""
IS_TOP = Slot("is top")
"""The field that is set if the items of a collection are unknown, or their number if it has a summary."""
SUMMARY = Slot("summary element")
"""The field with the summary of all items of a collection of unknown length."""
STANDS_FOR = Slot("the collections that it may be")
"""The field of a collection that is one of several others, or one of those that a summary element represents."""


ESCAPED = Slot("escaped")
"""The field of an object that unknown code may change: True if it may call its methods at any time, else False."""


class Object(AbstractValue):
    """A value with an identity and mutable fields; the values of the fields are its children.

    Of two objects, the older one has the smaller `allocation_id`. `origins` records where the fields were written.
    """

    __slots__ = ("allocation_id", "fields", "origins")

    _own: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._own = tuple(name for name in cls._all_slots if name not in Object.__slots__)

    def __init__(self, fields: dict[Field, Value] | None = None) -> None:
        self.allocation_id = next(allocation_ids)
        self.fields: dict[Field, Value] = {} if fields is None else fields
        self.origins: dict[Field, WriteRecord] | None = None

    def bare(self: _O) -> _O:
        """A new object of this kind without fields."""
        made = object.__new__(type(self))
        for name in self._own:
            setattr(made, name, getattr(self, name))
        made.allocation_id = next(allocation_ids)
        made.origins = None
        made.fields = {}
        return made

    @property
    def is_copyable(self) -> bool:
        """Whether a memoized call may return a copy of it each time."""
        return True

    def children(self) -> tuple[Value, ...]:
        """The values of its fields, in the order in which they were first set."""
        return tuple(self.fields.values())

    def rebuild(self: _O, parts: tuple[Value, ...]) -> _O:
        """Another object, with its own allocation id, whose fields hold these values."""
        made = self.bare()
        made.fields = dict(zip(self.fields, parts, strict=True))
        return made

    def key(self) -> Hashable:
        """The key of its kind and the names of its fields, not its identity."""
        return super().key(), *self.fields


class Shared(Object):
    """An object that is identified by its identity, whatever its fields hold, and is never copied."""

    __slots__ = ()

    def children(self) -> tuple[Value, ...]:
        """None: values that refer to it do not contain its fields."""
        return ()

    def rebuild(self: _O, parts: tuple[Value, ...]) -> _O:
        """Itself."""
        return self

    def key(self) -> Hashable:
        """Its identity."""
        return (self,)


class Namespace(Shared):
    """The names of a module, or the local names of a function; `parent` is the enclosing namespace.

    `call` is the call that created the local names.
    """

    __slots__ = ("call", "loaded", "parent")

    def __init__(
        self, loaded: SourceModule, parent: Namespace | None = None, names: dict[Field, Value] | None = None
    ) -> None:
        super().__init__(names)
        self.loaded = loaded
        self.parent = parent
        self.call: CallOrigin | None = None
        if parent is None:
            self.allocation_id = 0  # a module is older than everything that its code creates

    @property
    def has_hidden_state(self) -> bool:
        """True: its names may be rebound."""
        return True


class Collection(Object):
    """A list, dict, set or container of layers. Its items are in the field ITEMS, unknown once IS_TOP is set."""

    __slots__ = ()

    @property
    def lost(self) -> bool:
        """Whether its items are unknown, or their number if it has a summary element."""
        return IS_TOP in self.fields

    def children(self) -> tuple[Value, ...]:
        """Its items, those of a dict after the keys, and the values of its other fields."""
        return (*children(self.fields[ITEMS]), *[one for name, one in self.fields.items() if name is not ITEMS])

    def rebuild(self: _C, parts: tuple[Value, ...]) -> _C:
        """Another collection with as many items."""
        items, others = self.fields[ITEMS], iter(parts)
        held = tuple(islice(others, len(children(items))))
        made = self.bare()
        made.fields = {name: rebuild(items, held) if name is ITEMS else next(others) for name in self.fields}
        return made

    def key(self) -> Hashable:
        """The key of its kind, the names of its fields, and the number of its items."""
        return super().key(), len(children(self.fields[ITEMS]))


class ListValue(Collection):
    """A list; its items, a tuple, are the field ITEMS."""

    __slots__ = ()

    def __init__(self, items: tuple[Value, ...] = ()) -> None:
        super().__init__({ITEMS: items})

    @property
    def items(self) -> tuple[Value, ...]:
        """The current items."""
        items = self.fields[ITEMS]
        return items if isinstance(items, tuple) else ()


class DictValue(Collection):
    """A dict with known keys; `items` is replaced as a whole when one changes."""

    __slots__ = ()

    def __init__(self, items: dict[Value, Value] | dict[str, Value] | None = None) -> None:
        super().__init__({ITEMS: items or {}})

    @property
    def items(self) -> dict[Value, Value]:
        """The current items; must not be mutated."""
        items = self.fields[ITEMS]
        return items if isinstance(items, dict) else {}


class SetValue(Collection):
    """A set; its items, a tuple in any order, are the field ITEMS."""

    __slots__ = ()

    def __init__(self, items: tuple[Value, ...] = ()) -> None:
        super().__init__({ITEMS: items})

    @property
    def items(self) -> tuple[Value, ...]:
        """The current items."""
        items = self.fields[ITEMS]
        return items if isinstance(items, tuple) else ()


class Instance(Object):
    """An instance of a class of the project; `promise` holds the axis names of its annotations once they are read."""

    __slots__ = ("cls", "promise")
    key_slots = ("cls", "promise")

    def __init__(self, cls: ClassValue) -> None:
        super().__init__()
        self.cls = cls
        self.promise: AxisInstances | None = None

    @property
    def is_copyable(self) -> bool:
        """Whether its sizes are not named by a promise: that of a copy would name others."""
        return self.promise is None


class AttributeNamespace(Object):
    """An object that consists of its attributes alone, such as a SimpleNamespace."""

    __slots__ = ()


class SymbolicInstance(Instance):
    """An unknown instance of a class: its fields are made from its annotations when they are first read."""

    __slots__ = ()

    def __init__(self, cls: ClassValue, promise: AxisInstances) -> None:
        super().__init__(cls)
        self.promise = promise


class ModuleContainer(Collection):
    """nn.Sequential, nn.ModuleList and the like: the field ITEMS maps names to layers or parameters."""

    __slots__ = ("kind",)
    key_slots = ("kind",)

    def __init__(self, kind: str, items: dict[str, Value]) -> None:
        super().__init__({ITEMS: items})
        self.kind = kind

    @property
    def items(self) -> dict[str, Value]:
        """The current layers; must not be mutated."""
        items = self.fields[ITEMS]
        return items if isinstance(items, dict) else {}


class FunctionValue(AbstractValue):
    """A function or lambda of the project, with its closure and the values of its defaults.

    It is identified by its identity; escape analysis finds the values that it captures by the names in its body.

    `overloads` are the `@overload` signatures before it, `contract` is made from its annotations once they are read.
    """

    __slots__ = ("closure", "contract", "defaults", "kw_defaults", "node", "overloads", "owner")

    def __init__(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
        closure: Namespace,
        defaults: tuple[Value, ...],
        kw_defaults: tuple[Value, ...],
        owner: ClassValue | None = None,
    ) -> None:
        self.node = node
        self.closure = closure
        self.defaults = defaults
        self.kw_defaults = kw_defaults
        self.owner = owner
        self.overloads: tuple[FunctionValue, ...] = ()
        self.contract: Contract | Unread | None = UNREAD

    @property
    def name(self) -> str:
        """The function's name."""
        return getattr(self.node, "name", "<lambda>")

    def key(self) -> Hashable:
        """Its identity."""
        return (self,)

    @property
    def has_hidden_state(self) -> bool:
        """Whether it is defined in another function, whose names it reads."""
        return self.closure.parent is not None


class ClassValue(Shared):
    """A class of the project; the names of its body are its fields. `order` is its method resolution order.

    `kinds` are the types of its annotated names, `carries` is whether they mention axes; both once they are read.
    """

    __slots__ = ("_mro", "_outside", "bases", "carries", "closure", "kinds", "node", "order", "source_facts")

    def __init__(self, node: ast.ClassDef, closure: Namespace, bases: tuple[ClassValue | ExternalBase, ...]) -> None:
        super().__init__()
        self.kinds: dict[str, AnnotationType] | Unread = UNREAD
        self.carries: bool | Unread = UNREAD
        self.node = node
        self.closure = closure
        self.bases = bases
        orders = [one.order if isinstance(one, ClassValue) else one.with_bases() for one in bases]
        self.order: tuple[ClassValue | ExternalBase, ...] = (self, *order_of_bases(orders, bases))
        self.source_facts: dict[Any, Any] = {}
        """What `class_cache` keeps."""
        self._mro = [one for one in self.order if isinstance(one, ClassValue)]
        self._outside = {base.name for one in self._mro for base in one.bases if isinstance(base, ExternalBase)}

    def mro(self) -> list[ClassValue]:
        """This class and its bases in the project, in method resolution order."""
        return self._mro

    def outside(self) -> set[str]:
        """The names of the bases from outside the project that it or one of its bases lists."""
        return self._outside

    @property
    def has_hidden_state(self) -> bool:
        """Whether it is defined in a function, whose names its methods read."""
        return self.closure.parent is not None

    def holder(self, name: str, after: ClassValue | ExternalBase | None = None) -> ClassValue | ExternalBase | None:
        """The first class in method resolution order, or after one of them, that has or may have an attribute."""
        for one in self.order[0 if after is None else self.order.index(after) + 1 :]:
            if name in one.fields if isinstance(one, ClassValue) else one.may_define(name):
                return one
        return None

    def lookup(self, name: str) -> Value:
        """The attribute of the first class that has it; raises KeyError if that is none of the project."""
        if isinstance(found := self.holder(name), ClassValue):
            return found.fields[name]
        raise KeyError(name)
