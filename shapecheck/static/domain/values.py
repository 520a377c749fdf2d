"""What a Python expression can stand for.

Numbers, strings, None, bools, tuples, `Dim`, `TensorSpec` and the layers of `ops` stand for themselves, `Unknown` for
what is not known. What has an identity is an `Object`: its fields change through the journal alone, so that a branch
can be undone.
"""

from __future__ import annotations

import ast
from itertools import count
from typing import TYPE_CHECKING, Any

from shapecheck.ops import Unknown

if TYPE_CHECKING:
    from shapecheck.spec import TensorSpec
    from shapecheck.static.engine.loading import Loaded
    from shapecheck.static.engine.origins import Called

Value = Any
births = count(1)
"""The order in which objects are made."""


class Object:
    """Something with an identity and fields that may change.

    `born` tells which of two is older, `origins` says where the fields were written.
    """

    __slots__ = ("born", "fields", "origins")

    def __init__(self, fields: dict[str, Value] | None = None) -> None:
        self.born = next(births)
        self.fields: dict[str, Value] = {} if fields is None else fields
        self.origins: dict[str, tuple[Any, Any, Any, int]] | None = None

    def bare(self) -> Object:
        """A new object of this kind, with no fields yet."""
        made = type(self).__new__(type(self))
        made.born = next(births)
        made.origins = None
        return made


class Namespace(Object):
    """A module of the project, or a function's local names; `parent` is where a name is looked up next.

    `call` is the call whose names they are.
    """

    __slots__ = ("call", "loaded", "parent")

    def __init__(self, loaded: Loaded, parent: Namespace | None = None, names: dict[str, Value] | None = None) -> None:
        super().__init__(names)
        self.loaded = loaded
        self.parent = parent
        self.call: Called | None = None
        if parent is None:
            self.born = 0  # a module is there before anything that is run in it


class Later:
    """A name of a module that was still being run when it was imported: what it stands for is seen when it is used."""

    __slots__ = ("module", "name")

    def __init__(self, module: Namespace, name: str) -> None:
        self.module = module
        self.name = name


class Collection(Object):
    """A list, a dict or a container of layers: what it holds is the field `items`; once `lost`, nothing is known."""

    __slots__ = ()

    @property
    def lost(self) -> bool:
        """Whether it is not known what it holds, or not how much of what is like the field `each`."""
        return "lost" in self.fields


class ListValue(Collection):
    """A list; its items, a tuple, are the field `items`."""

    __slots__ = ()

    def __init__(self, items: tuple[Value, ...] = ()) -> None:
        super().__init__({"items": items})

    @property
    def items(self) -> tuple[Value, ...]:
        """The items as they are now."""
        return self.fields["items"]  # type: ignore[no-any-return]


class DictValue(Collection):
    """A dict with known keys; `items` is replaced as a whole when one changes."""

    __slots__ = ()

    def __init__(self, items: dict[Value, Value] | None = None) -> None:
        super().__init__({"items": items or {}})

    @property
    def items(self) -> dict[Value, Value]:
        """The items as they are now; not to be changed."""
        return self.fields["items"]  # type: ignore[no-any-return]


class SetValue(Collection):
    """A set; its items, a tuple in any order, are the field `items`."""

    __slots__ = ()

    def __init__(self, items: tuple[Value, ...] = ()) -> None:
        super().__init__({"items": items})

    @property
    def items(self) -> tuple[Value, ...]:
        """The items as they are now."""
        return self.fields["items"]  # type: ignore[no-any-return]


class Instance(Object):
    """An object of a class of the project."""

    __slots__ = ("cls",)

    def __init__(self, cls: ClassValue) -> None:
        super().__init__()
        self.cls = cls

    def bare(self) -> Instance:
        """A new object of the same class, with no fields yet."""
        return Instance(self.cls)


class Fields(Object):
    """An object that is nothing but its attributes, such as a SimpleNamespace."""

    __slots__ = ()


class StandIn(Instance):
    """Some object of a class: what it holds, `promise` and the annotations of its class tell when it is asked for."""

    __slots__ = ("promise",)

    def __init__(self, cls: ClassValue, promise: Any) -> None:
        super().__init__(cls)
        self.promise = promise


class Container(Collection):
    """nn.Sequential, nn.ModuleList and the like: the layers or parameters by name are the field `items`."""

    __slots__ = ("kind",)

    def __init__(self, kind: str, items: dict[str, Value]) -> None:
        super().__init__({"items": items})
        self.kind = kind

    def bare(self) -> Container:
        """A new container of the same kind."""
        return Container(self.kind, {})

    @property
    def items(self) -> dict[str, Value]:
        """The layers as they are now; not to be changed."""
        return self.fields["items"]  # type: ignore[no-any-return]


UNREAD = object()
"""Stands for annotations that nobody has asked for yet."""


class FunctionValue:
    """A function or lambda of the project, with the names around it and the values of its defaults.

    `overloads` are the `@overload` signatures before it, `contract` what its annotations say, once they are read.
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
        self.contract: Any = UNREAD

    @property
    def name(self) -> str:
        """The function's name."""
        return getattr(self.node, "name", "<lambda>")


class ClassValue(Object):
    """A class of the project; its body's names are its fields. `external` names the bases from outside.

    `kinds` are the types of its annotated names, `carries` says whether they tell of axes, both once they are read.
    """

    __slots__ = ("_mro", "bases", "carries", "closure", "external", "kinds", "node")

    def __init__(
        self, node: ast.ClassDef, closure: Namespace, bases: tuple[ClassValue, ...], external: tuple[str, ...]
    ) -> None:
        super().__init__()
        self._mro: list[ClassValue] = []
        self.kinds: Any = UNREAD
        self.carries: Any = UNREAD
        self.node = node
        self.closure = closure
        self.bases = bases
        self.external = external

    def mro(self) -> list[ClassValue]:
        """This class and its bases in the project, depth first, each once."""
        if not self._mro:
            every = [self, *(one for base in self.bases for one in base.mro())]
            self._mro = list(dict.fromkeys(every))
        return self._mro

    def outside(self) -> set[str]:
        """The names of all bases from outside the project."""
        return {name for one in self.mro() for name in one.external}

    def lookup(self, name: str) -> Value:
        """The attribute of the first class that has it; KeyError where none does."""
        for one in self.mro():
            if name in one.fields:
                return one.fields[name]
        raise KeyError(name)


class Method:
    """A function bound to an object, or to a class."""

    __slots__ = ("function", "receiver")

    def __init__(self, function: FunctionValue, receiver: Value) -> None:
        self.function = function
        self.receiver = receiver


class External:
    """Something from outside the project, by its dotted name: `torch.nn.Linear`, `math.sqrt`, `builtins.len`."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, External) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


class Builtin:
    """A method that Python or torch brings: `items.append`, `x.view`, `module.to`."""

    __slots__ = ("name", "receiver")

    def __init__(self, receiver: Value, name: str) -> None:
        self.receiver = receiver
        self.name = name


class TensorRows:
    """A TensorDataset: its tensors, a row of each being one item."""

    __slots__ = ("tensors",)

    def __init__(self, tensors: tuple[TensorSpec, ...]) -> None:
        self.tensors = tensors


class Loader:
    """A DataLoader: the kinds of batches it gives; how many of each does not matter to a shape."""

    __slots__ = ("batches",)

    def __init__(self, batches: tuple[Value, ...]) -> None:
        self.batches = batches


class Record:
    """A class that `collections.namedtuple` made; its objects stand for themselves, as tuples do."""

    __slots__ = ("make",)

    def __init__(self, make: type[tuple[Value, ...]]) -> None:
        self.make = make


class Member:
    """A member of an enumeration."""

    __slots__ = ("cls", "name", "value")

    def __init__(self, cls: ClassValue, name: str, value: Value) -> None:
        self.cls = cls
        self.name = name
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Member) and self.cls is other.cls and self.name == other.name

    def __hash__(self) -> int:
        return hash((self.cls, self.name))

    @property
    def is_plain(self) -> bool:
        """Whether it is a number or a text as well."""
        return not self.cls.outside().isdisjoint(("builtins.int", "builtins.str", "enum.IntEnum", "enum.StrEnum"))


class Factory(Unknown):
    """What a field of a dataclass is by default: whatever this function gives then."""

    __slots__ = ("function",)

    def __init__(self, function: Value) -> None:
        super().__init__("a default that is made for each object")
        self.function = function


class Part:
    """A part of a data set, as random_split makes it: as many items of it as `length`."""

    __slots__ = ("dataset", "length")

    def __init__(self, dataset: Value, length: Value) -> None:
        self.dataset = dataset
        self.length = length


class Partial:
    """functools.partial: a callable with its first arguments."""

    __slots__ = ("args", "function", "kwargs")

    def __init__(self, function: Value, args: tuple[Value, ...], kwargs: dict[str, Value]) -> None:
        self.function = function
        self.args = args
        self.kwargs = kwargs


class Super:
    """`super()`: the classes after `cls` in the order of `receiver`'s class."""

    __slots__ = ("cls", "receiver")

    def __init__(self, cls: ClassValue, receiver: Instance) -> None:
        self.cls = cls
        self.receiver = receiver


class Alias:
    """A type that has no value of its own, such as `Float[Tensor, "c h w"]`: as written, and the names around it."""

    __slots__ = ("names", "node")

    def __init__(self, node: ast.expr, names: Namespace) -> None:
        self.node = node
        self.names = names


class Window:
    """`start : start + length` of an unknown start."""

    __slots__ = ("length",)

    def __init__(self, length: Value) -> None:
        self.length = length


class Series:
    """A list, tuple or iterator (`mapping`: a dict) of unknown length whose items (values) are all like `item`."""

    __slots__ = ("item", "mapping")

    def __init__(self, item: Value, mapping: bool = False) -> None:
        self.item = item
        self.mapping = mapping
