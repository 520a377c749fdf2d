"""Functions and methods of Python itself, and of modules as objects, as far as sizes and layers pass through them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from copy import copy
from functools import partial

from shapecheck.ops import ModuleSpec, Other, Unknown
from shapecheck.spec import Dim, TensorSpec, unknown
from shapecheck.static import transforms
from shapecheck.static.alternatives import members_of
from shapecheck.static.arrays.value import ArraySpec
from shapecheck.static.casting import moved
from shapecheck.static.children import NAMES as CHILDREN
from shapecheck.static.children import children_of
from shapecheck.static.closures import changeable_in
from shapecheck.static.data import data_loader, length_of, random_split, subset, tensor_dataset
from shapecheck.static.iteration import ITEMS, LONGEST, has_items, items_in, items_of, some_item
from shapecheck.static.kinds import is_instance, type_of
from shapecheck.static.layers import LAYER, of_base
from shapecheck.static.library import arguments, dicts, iterating, namespaces, numbers, operators, records, sets, texts
from shapecheck.static.library.arguments import Parser, of_parser
from shapecheck.static.library.iterating import ASKING
from shapecheck.static.library.lists import of_list
from shapecheck.static.library.numbers import product
from shapecheck.static.library.objects import ask, iterated
from shapecheck.static.library.open_collections import of_open, series_of
from shapecheck.static.library.sets import of_set
from shapecheck.static.library.texts import of_text
from shapecheck.static.machine import Machine
from shapecheck.static.open_items import is_open, open_list
from shapecheck.static.parameters import parameters_of
from shapecheck.static.records import deque, named_tuple, sampled
from shapecheck.static.reflection import REFLECTING
from shapecheck.static.revealing import NAMES as REVEALING
from shapecheck.static.revealing import reveal
from shapecheck.static.torch_calls import torch_call
from shapecheck.static.values import (
    Builtin,
    ClassValue,
    Collection,
    Container,
    DictValue,
    Fields,
    FunctionValue,
    Instance,
    ListValue,
    Namespace,
    Part,
    Partial,
    Series,
    SetValue,
    Super,
    TensorRows,
    Value,
)

Args = tuple[Value, ...]
_SELF = frozenset(
    "to cuda cpu half float double bfloat16 eval train requires_grad_ apply share_memory compile type".split()
)

_WHOLE = _SELF | {"parameters"}


def call_builtin(machine: Machine, node: ast.AST, name: str, args: Args, kwargs: dict[str, Value]) -> Value:
    """What a function from outside the project gives."""
    if name == "builtins.super":
        return _super(machine, args)
    if name in REVEALING:
        return reveal(machine, node, args)
    if name in ("functools.partial", "builtins.partial"):
        return Partial(args[0], args[1:], kwargs) if args else Unknown("partial of nothing")
    if name.rpartition(".")[2] == "DataLoader" and name.startswith("torch.utils.data"):
        return data_loader(machine, node, args, kwargs)
    if name in REFLECTING:
        return REFLECTING[name](machine, node, *args)
    rule = _FUNCTIONS.get(name) or (partial(_ASKING[name], machine, node) if name in _ASKING else None)
    if rule is None:
        lose_arguments(machine, args)
        return Unknown(f"{name} is not modelled")
    if name in _ITERATING and any(isinstance(one, Instance) for one in args):
        args = tuple(iterated(machine, node, one) for one in args)
    try:
        return rule(*args, **kwargs)
    except (TypeError, ValueError, IndexError, ArithmeticError, AttributeError):
        return Unknown(f"{name} of these arguments")


_CHANGEABLE = (ListValue, DictValue, SetValue)


def lose_arguments(machine: Machine, args: Args) -> None:
    """What is given to a function that is not known may be changed there, or by a function that is given to it."""
    for arg in args:
        for one in members_of(arg):
            if isinstance(one, _CHANGEABLE):
                machine.journal.lose(one)
            elif isinstance(one, FunctionValue):
                for held in changeable_in(one, _CHANGEABLE):
                    machine.journal.lose(held)


def _super(machine: Machine, args: Args) -> Value:
    names: Namespace | None = machine.frame.names
    cls = machine.frame.names.fields.get("__class__")
    receiver = next(iter(names.fields.values()), None) if names is not None else None
    if len(args) == 2:
        cls, receiver = args
    return (
        Super(cls, receiver) if isinstance(cls, ClassValue) and isinstance(receiver, Instance) else Unknown("super()")
    )


def _len(value: Value) -> Value:
    if isinstance(value, ArraySpec):
        value = value.spec
    if isinstance(value, TensorSpec):
        return value.dims[0] if value.rank else Unknown("an unknown length")
    if isinstance(value, Container):
        return Unknown("an unknown length") if value.lost else len(value.items)
    if isinstance(value, Series) or is_open(value):
        return unknown("len", low=0)
    if isinstance(value, (DictValue, ListValue, SetValue)):
        items = items_of(value)
        return Unknown("an unknown length") if items is None else len(items)
    return len(value) if isinstance(value, (tuple, str, range)) else Unknown("an unknown length")


def _length(machine: Machine, node: ast.AST, value: Value) -> Value:
    if isinstance(value, (Part, TensorRows)):
        return length_of(machine, node, value)
    found = ask(machine, node, value, "__len__")
    return _len(items_in(value) or value) if found is None else found


def _range(*args: Value) -> Value:
    if not all(type(one) is int for one in args):
        return Series(unknown("index", low=0)) if len(args) == 1 else Unknown("an unknown range")
    found = range(*args)
    return found if len(found[:LONGEST]) < LONGEST else Unknown("a long range")


def _zip(*iterables: Value, strict: Value = False) -> Value:
    columns = [items_of(one) for one in iterables]
    if any(column is None for column in columns):
        return series_of(tuple(map(some_item, iterables)), iterables)
    return ListValue(tuple(zip(*(column or [] for column in columns), strict=False)))


def _enumerate(iterable: Value, start: Value = 0) -> Value:
    items = items_of(iterable)
    if items is None:
        return series_of((unknown("index", low=0), some_item(iterable)), (iterable,))
    return ListValue(tuple(enumerate(items, start)))


def _sequence(
    make: Callable[[list[Value]], Value], otherwise: Callable[[Value], Value] = Series
) -> Callable[..., Value]:
    """A sequence of the items, as `make` gives it; of an unknown number of them, as `otherwise` does."""

    def made(iterable: Value = ()) -> Value:
        items = items_of(iterable)
        if items is None:
            return otherwise(some_item(iterable)) if has_items(iterable) else Unknown("an unknown iterable")
        return make(items)

    return made


def _int(value: Value = 0) -> Value:
    if isinstance(value, Dim):
        return value
    return int(value) if isinstance(value, (int, float, str)) else Unknown("an unknown number")


def _float(value: Value = 0.0) -> Value:
    return float(value) if isinstance(value, (int, float, str)) else Unknown("an unknown number")


def _isinstance(value: Value, kinds: Value) -> Value:
    verdict = is_instance(value, kinds)
    return Unknown("an open isinstance") if verdict is None else verdict


def _deepcopy(value: Value, *_: Value) -> Value:
    """A layer or a list of them as something that is changed, and stands in a container, for itself."""
    if isinstance(value, ModuleSpec):
        return copy(value)
    if isinstance(value, Instance):
        made = Instance(value.cls)
        made.fields |= {name: _deepcopy(one) if name == ITEMS else one for name, one in value.fields.items()}
        return made
    if isinstance(value, ListValue) and not value.lost:
        copies = {id(one): one if isinstance(one, ListValue) else _deepcopy(one) for one in value.items}
        return ListValue(tuple(copies[id(one)] for one in value.items))
    if isinstance(value, DictValue) and not value.lost:
        return DictValue({key: _deepcopy(one) for key, one in value.items.items()})
    if isinstance(value, SetValue) and not value.lost:
        return SetValue(value.items)
    if isinstance(value, Fields):
        return Fields({name: _deepcopy(one) for name, one in value.fields.items()})
    return value


def _copy(value: Value) -> Value:
    """A new object of the same kind that holds the same."""
    if not isinstance(value, (Instance, ListValue, DictValue, SetValue, Fields)):
        return value
    made = value.bare()
    made.fields = dict(value.fields)
    return made


def _gradients(outputs: Value, inputs: Value, *_: Value, allow_unused: Value = False, **__: Value) -> Value:
    """torch.autograd.grad: for each input a tensor like it."""
    found = [inputs] if isinstance(inputs, TensorSpec) else items_of(inputs)
    if found is None or allow_unused is not False or not all(isinstance(one, TensorSpec) for one in found):
        return Unknown("unknown gradients")
    return tuple(one.with_layout("unknown") for one in found)


def _mask(machine: Machine, node: ast.AST, sz: Value, *_: Value, **kwargs: Value) -> Value:
    """The causal mask that nn.Transformer makes."""
    return torch_call(machine, node, "torch.zeros", (sz, sz), kwargs)


_MASK = "generate_square_subsequent_mask"
_GOING_THROUGH = """
    all any dict enumerate filter frozenset iter list map max min reversed set sorted sum tuple zip
""".split()
_ITERATING = frozenset(f"builtins.{name}" for name in _GOING_THROUGH)
_ASKING: dict[str, Callable[..., Value]] = {
    **ASKING,
    **operators.ASKING,
    **records.ASKING,
    **transforms.ASKING,
    "builtins.len": _length,
    "builtins.type": lambda machine, node, *args: type_of(*args),
    f"torch.nn.Transformer.{_MASK}": _mask,
    f"torch.nn.modules.transformer.Transformer.{_MASK}": _mask,
}
_FUNCTIONS: dict[str, Callable[..., Value]] = {
    **arguments.FUNCTIONS,
    **dicts.FUNCTIONS,
    **iterating.FUNCTIONS,
    **namespaces.FUNCTIONS,
    **numbers.FUNCTIONS,
    **records.FUNCTIONS,
    **sets.FUNCTIONS,
    **texts.FUNCTIONS,
    "builtins.range": _range,
    "builtins.zip": _zip,
    "builtins.enumerate": _enumerate,
    "builtins.list": _sequence(lambda items: ListValue(tuple(items)), open_list),
    "builtins.tuple": _sequence(tuple),
    "builtins.reversed": _sequence(lambda items: ListValue(tuple(reversed(items)))),
    "builtins.iter": _sequence(lambda items: ListValue(tuple(items))),
    "builtins.int": _int,
    "builtins.float": _float,
    "builtins.bool": lambda value=False: bool(value) if isinstance(value, (int, str, float)) else Unknown("a bool"),
    "builtins.str": lambda value="": str(value) if isinstance(value, (int, str)) else Unknown("a text"),
    "builtins.isinstance": _isinstance,
    "torch.Size": _sequence(tuple),
    "builtins.print": lambda *args, **kwargs: None,
    "copy.deepcopy": _deepcopy,
    "copy.copy": _copy,
    "collections.deque": deque,
    "collections.namedtuple": named_tuple,
    "random.sample": sampled,
    "contextlib.nullcontext": lambda *given: Unknown("what was given") if given else Other("context manager"),
    "torch.autograd.grad": _gradients,
    "torch.utils.data.random_split": random_split,
    "torch.utils.data.dataset.random_split": random_split,
    "torch.utils.data.Subset": subset,
    "torch.utils.data.dataset.Subset": subset,
    "torch.utils.data.TensorDataset": tensor_dataset,
    "torch.utils.data.dataset.TensorDataset": tensor_dataset,
}


def call_method(machine: Machine, node: ast.AST, method: Builtin, args: Args, kwargs: dict[str, Value]) -> Value:
    """What a method that Python or nn.Module brings gives, and what it changes."""
    receiver, name = method.receiver, method.name
    if isinstance(receiver, Super):
        return of_base(machine, node, receiver, name, args, kwargs)
    if isinstance(receiver, (ListValue, DictValue)) and is_open(receiver):
        return of_open(machine, receiver, name, args)
    if isinstance(receiver, Collection) and receiver.lost:
        return Unknown(f"{name} of a collection that is not known")
    of_kind = _METHODS.get(type(receiver))
    if of_kind is not None:
        return of_kind(machine, node, receiver, name, args, kwargs)
    if isinstance(receiver, Container):
        if name in _WHOLE:
            return _of_whole(machine, node, receiver, name, (args, kwargs))
        return _of_container(machine, node, receiver, name, args)
    if isinstance(receiver, (Instance, ModuleSpec)):
        return _of_module(machine, node, receiver, name, args, kwargs)
    if type(receiver) is tuple:
        return _of_tuple(receiver, name, args)
    return Unknown(f"{name} is not modelled")


_METHODS: dict[type, Callable[..., Value]] = {
    ListValue: of_list,
    DictValue: lambda machine, node, *given: dicts.of_dict(machine, *given),
    SetValue: lambda machine, node, receiver, name, args, kwargs: of_set(machine, receiver, name, args),
    Series: lambda machine, node, receiver, name, args, kwargs: _of_series(receiver, name),
    str: lambda machine, node, *given: of_text(*given),
    Parser: lambda machine, node, *given: of_parser(machine, *given),
}


def _of_tuple(receiver: tuple[Value, ...], name: str, args: Args) -> Value:
    if name == "numel":
        return product(receiver)
    if name == "index" and args and all(isinstance(one, (int, str)) for one in receiver) and args[0] in receiver:
        return receiver.index(args[0])
    return Unknown(f"{name} of a tuple")


def _of_series(receiver: Series, name: str) -> Value:
    if not receiver.mapping:
        return receiver.item if name == "pop" else Unknown(f"{name} of a list of unknown length")
    some = {"values": Series(receiver.item), "items": Series((Unknown("some key"), receiver.item))}
    return some.get(name, Unknown(f"{name} of a dict with unknown keys"))


def _of_container(machine: Machine, node: ast.AST, receiver: Container, name: str, args: Args) -> Value:
    items = receiver.items
    if name == "append" and len(args) == 1:
        machine.journal.write(receiver, "items", {**items, str(len(items)): args[0]})
        return receiver
    if name == "add_module" and len(args) == 2 and isinstance(args[0], str):
        machine.journal.write(receiver, "items", {**items, args[0]: args[1]})
        return None
    if name == "extend" and len(args) == 1:
        more = items_of(args[0])
        for one in more or ():
            _of_container(machine, node, receiver, "append", (one,))
        if more is None:
            machine.journal.lose(receiver)
        return receiver
    if name == "insert" and len(args) == 2 and type(args[0]) is int:
        layers = list(items.values())
        layers.insert(args[0], args[1])
        machine.journal.write(receiver, "items", {str(index): one for index, one in enumerate(layers)})
        return receiver
    if name in ("items", "named_children"):
        return ListValue(tuple(items.items()))
    if name == "keys":
        return ListValue(tuple(items))
    if name in ("values", "children"):
        return ListValue(tuple(items.values()))
    if name == "forward" and receiver.kind == "Sequential":
        from shapecheck.static.containers import run_container  # noqa: PLC0415 - containers make calls

        return run_container(machine, node, receiver, args)
    if name in ("add_module", "append", "insert", "pop", "update", "register_module", "clear"):
        machine.journal.lose(receiver)
    return Unknown(f"{name} of a container")


def _of_whole(
    machine: Machine, node: ast.AST, receiver: Value, name: str, given: tuple[Args, dict[str, Value]]
) -> Value:
    """A method that has to do with all parameters of a module."""
    if name in _SELF:
        return moved(machine, node, receiver, name, given)
    found = None if any(given) else parameters_of(receiver)
    return Unknown("parameters that are not known") if found is None else ListValue(tuple(found))


def _of_module(
    machine: Machine, node: ast.AST, receiver: Instance | ModuleSpec, name: str, args: Args, kwargs: dict[str, Value]
) -> Value:
    if name in _WHOLE:
        return _of_whole(machine, node, receiver, name, (args, kwargs))
    layer = receiver.fields.get(LAYER) if isinstance(receiver, Instance) else None
    if isinstance(layer, Container) and name in ("add_module", "register_module"):
        return _of_container(machine, node, layer, "add_module", args)
    if name in ("register_buffer", "register_parameter", "add_module", "register_module") and len(args) >= 2:
        if isinstance(receiver, Instance) and isinstance(args[0], str):
            machine.journal.write(receiver, args[0], args[1])
        return None
    if name in CHILDREN and isinstance(receiver, Instance) and layer is None:
        return children_of(receiver, name)
    if name == _MASK:
        return _mask(machine, node, *args, **kwargs)
    if name == "forward" and isinstance(receiver, ModuleSpec):
        from shapecheck.static.calls import call_object  # noqa: PLC0415 - calls call builtins

        return call_object(machine, node, receiver, args, {})
    return Unknown(f"{name} of a module") if layer is None else _of_layer(machine, node, layer, name, args, kwargs)


def _of_layer(machine: Machine, node: ast.AST, layer: Value, name: str, args: Args, kwargs: dict[str, Value]) -> Value:
    if isinstance(layer, Container):
        return _of_container(machine, node, layer, name, args)
    return _of_module(machine, node, layer, name, args, kwargs)
