"""The kinds of abstract values without an identity; those with one are in `objects`.

Numbers, strings, None, bools, tuples, `Dim`, `TensorSpec` and the layers of `ops` represent themselves; `Unknown` is
the top value.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import AbstractValue, Value
from shapecheck.static.domain.objects import (
    ClassValue,
    FunctionValue,
    Instance,
    Namespace,
)

if TYPE_CHECKING:
    from shapecheck.spec import TensorSpec


class LateName(AbstractValue):
    """A name imported from a module whose body was still running: it is looked up when it is used."""

    __slots__ = ("module", "name")
    child_slots = ("module",)
    key_slots = ("name",)

    def __init__(self, module: Namespace, name: str) -> None:
        self.module = module
        self.name = name


class Method(AbstractValue):
    """A function bound to an object, or to a class."""

    __slots__ = ("function", "receiver")
    child_slots = ("function", "receiver")

    def __init__(self, function: FunctionValue, receiver: Value) -> None:
        self.function = function
        self.receiver = receiver


class ExternalReference(AbstractValue):
    """Something from outside the project, by its dotted name: `torch.nn.Linear`, `math.sqrt`, `builtins.len`."""

    __slots__ = ("name",)
    key_slots = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExternalReference) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


class BuiltinMethod(AbstractValue):
    """A bound method of Python or torch: `items.append`, `x.view`, `module.to`."""

    __slots__ = ("name", "receiver")
    child_slots = ("receiver",)
    key_slots = ("name",)

    def __init__(self, receiver: Value, name: str) -> None:
        self.receiver = receiver
        self.name = name


class TensorDataset(AbstractValue):
    """A TensorDataset: its tensors; an item consists of one row of each."""

    __slots__ = ("tensors",)
    child_slots = ("tensors",)

    def __init__(self, tensors: tuple[TensorSpec, ...]) -> None:
        self.tensors = tensors


class DataLoader(AbstractValue):
    """A DataLoader: the distinct batches that it yields, whatever their number."""

    __slots__ = ("batches",)
    child_slots = ("batches",)

    def __init__(self, batches: tuple[Value, ...]) -> None:
        self.batches = batches


class NamedTupleClass(AbstractValue):
    """A class made by `collections.namedtuple`; its instances represent themselves, as tuples do."""

    __slots__ = ("make",)
    key_slots = ("make",)

    def __init__(self, make: type[tuple[Value, ...]]) -> None:
        self.make = make


class EnumMember(AbstractValue):
    """A member of an enumeration."""

    __slots__ = ("cls", "name", "value")
    key_slots = ("cls", "name")

    def __init__(self, cls: ClassValue, name: str, value: Value) -> None:
        self.cls = cls
        self.name = name
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EnumMember) and self.cls is other.cls and self.name == other.name

    def __hash__(self) -> int:
        return hash((self.cls, self.name))

    @property
    def is_plain(self) -> bool:
        """Whether it is an int or a str as well."""
        return not self.cls.outside().isdisjoint(("builtins.int", "builtins.str", "enum.IntEnum", "enum.StrEnum"))


class DefaultFactory(AbstractValue, Unknown):
    """The default of a dataclass field with a `default_factory`: the function is called for each instance."""

    __slots__ = ("function",)
    child_slots = ("function",)

    def __init__(self, function: Value) -> None:
        super().__init__("a default that is created for each object")
        self.function = function


class OpaqueInstance(AbstractValue, Unknown):
    """An instance of a class that is not modelled: a class of the project, or one from outside by its dotted name."""

    __slots__ = ("cls",)
    key_slots = ("cls",)

    def __init__(self, cls: ClassValue | str) -> None:
        reason = (
            f"unsupported function {cls}"
            if isinstance(cls, str)
            else f"{cls.node.name} has an unsupported base or decorator"
        )
        super().__init__(reason)
        self.cls = cls


class TypeOf(AbstractValue, Unknown):
    """The type of a value, if it is not certain which one that is: a tensor may be a Parameter."""

    __slots__ = ("value",)
    child_slots = ("value",)

    def __init__(self, value: Value) -> None:
        super().__init__("an unknown type")
        self.value = value


class DatasetPart(AbstractValue):
    """A part of a data set, as random_split makes it, with `length` items."""

    __slots__ = ("dataset", "length")
    child_slots = ("dataset", "length")

    def __init__(self, dataset: Value, length: Value) -> None:
        self.dataset = dataset
        self.length = length


class Partial(AbstractValue):
    """functools.partial: a callable with bound arguments."""

    __slots__ = ("args", "function", "kwargs")
    child_slots = ("function", "args", "kwargs")

    def __init__(self, function: Value, args: tuple[Value, ...], kwargs: dict[str, Value]) -> None:
        self.function = function
        self.args = args
        self.kwargs = kwargs


class SuperProxy(AbstractValue):
    """`super()`: the classes after `cls` in the MRO of the receiver's class, or of the receiver if it is a class."""

    __slots__ = ("cls", "receiver")
    child_slots = ("receiver",)
    key_slots = ("cls",)

    def __init__(self, cls: ClassValue, receiver: Instance | ClassValue) -> None:
        self.cls = cls
        self.receiver = receiver


class TypeAlias(AbstractValue):
    """A type expression such as `Float[Tensor, "c h w"]`, unevaluated, with the names in its scope."""

    __slots__ = ("names", "node")
    child_slots = ("names",)
    key_slots = ("node",)

    def __init__(self, node: ast.expr, names: Namespace) -> None:
        self.node = node
        self.names = names


class SliceWindow(AbstractValue):
    """The slice `start : start + length` with an unknown start."""

    __slots__ = ("length",)
    child_slots = ("length",)

    def __init__(self, length: Value) -> None:
        self.length = length


class SummarySequence(AbstractValue):
    """A list, tuple or iterator (`mapping`: a dict) of unknown length whose items (values) `item` summarizes."""

    __slots__ = ("are_alike", "item", "mapping")
    child_slots = ("item",)
    key_slots = ("mapping", "are_alike")

    def __init__(self, item: Value, mapping: bool = False, *, are_alike: bool = False) -> None:
        self.item = item
        self.mapping = mapping
        self.are_alike = are_alike
        """Whether the unknown sizes of all items are the same, as those of the parts of one tensor."""
