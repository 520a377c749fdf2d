"""Functions and methods of Python and torch: by name, and by the kind of the receiver."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial

from shapecheck.ops import ModuleSpec, Other, Unknown
from shapecheck.spec import DType, Unanswered
from shapecheck.static.calls import transforms
from shapecheck.static.calls.library_calls import find_spec, library_call
from shapecheck.static.calls.reveal import NAMES as REVEALING
from shapecheck.static.calls.reveal import reveal
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.class_identity import type_of
from shapecheck.static.domain.objects import (
    ClassValue,
    Collection,
    DictValue,
    Instance,
    ListValue,
    ModuleContainer,
    Namespace,
    SetValue,
)
from shapecheck.static.domain.runtime_types import is_instance, is_subclass
from shapecheck.static.domain.summary_collections import is_summary
from shapecheck.static.domain.unknown_options import item_of
from shapecheck.static.domain.value_kinds import PREDICATES, holds
from shapecheck.static.domain.values import BuiltinMethod, OpaqueInstance, Partial, SummarySequence, SuperProxy
from shapecheck.static.engine.escape import havoc_escaped
from shapecheck.static.engine.given_modules import note_given
from shapecheck.static.engine.run import Run
from shapecheck.static.models import data_loaders as data
from shapecheck.static.models.data_loaders import data_loader
from shapecheck.static.models.nn import methods, parametrizations
from shapecheck.static.models.nn.layers import of_base
from shapecheck.static.models.nn.methods import of_module
from shapecheck.static.models.python import argument_parser as arguments
from shapecheck.static.models.python import (
    collections,
    dicts,
    namespaces,
    numbers,
    operators,
    sequences,
    sets,
    versions,
)
from shapecheck.static.models.python import copying as copies
from shapecheck.static.models.python import dataclass_functions as records
from shapecheck.static.models.python import iterables as iterating
from shapecheck.static.models.python import strings as texts
from shapecheck.static.models.python.argument_parser import Parser, of_parser
from shapecheck.static.models.python.executed_code import execute
from shapecheck.static.models.python.exits import exit_or_handler
from shapecheck.static.models.python.lists import of_list
from shapecheck.static.models.python.mocking import patch
from shapecheck.static.models.python.numbers import product
from shapecheck.static.models.python.reflection import REFLECTING, set_attribute
from shapecheck.static.models.python.sets import of_set
from shapecheck.static.models.python.special_methods import iterated
from shapecheck.static.models.python.strings import of_text
from shapecheck.static.models.python.summary_collections import of_open
from shapecheck.static.operators.misspelled import report_misspelled

Args = tuple[Value, ...]


def call_builtin(run: Run, node: ast.AST, name: str, args: Args, kwargs: dict[str, Value]) -> Value:
    """The result of a function from outside the project."""
    if name == "builtins.super":
        return _super(run, args)
    if name in REVEALING:
        return reveal(run, node, args)
    if name in ("functools.partial", "builtins.partial"):
        return Partial(args[0], args[1:], kwargs) if args else Unknown("partial() without arguments")
    if name.rpartition(".")[2] == "DataLoader" and name.startswith("torch.utils.data"):
        return data_loader(run, node, args, kwargs)
    if name in REFLECTING:
        return REFLECTING[name](run, node, *args)
    rule = _FUNCTIONS.get(name) or (partial(_WITH_RUN[name], run, node) if name in _WITH_RUN else None)
    if rule is None:
        return _unmodelled(run, node, name, args, kwargs)
    if name in _ITERATING and any(isinstance(one, Instance) for one in args):
        args = tuple(iterated(run, node, one) for one in args)
    try:
        return rule(*args, **kwargs)
    except (TypeError, ValueError, IndexError, ArithmeticError, AttributeError, Unanswered):
        return Unknown(f"unsupported arguments of {name}")


_KEEPING_LAYERS = tuple(
    f"{name}." for name in "builtins torch copy typing numpy inspect logging warnings functools".split()
)
"""The functions of these modules do not change the layers of modules that they receive."""


def _unmodelled(run: Run, node: ast.AST, name: str, args: Args, kwargs: dict[str, Value]) -> Value:
    """The result of a function without a model, which may change its arguments."""
    if name.startswith("torch."):
        report_misspelled(run, node, name, ())
    known = exit_or_handler(name)
    if known is not None:
        return known
    found = library_call(run, node, name, args, kwargs)
    if found is not None:
        return found
    havoc_escaped(run, (*args, *kwargs.values()))
    if not name.startswith(_KEEPING_LAYERS):
        note_given(run, (*args, *kwargs.values()))
    patch(run, node, args)
    return OpaqueInstance(name) if _is_class_name(name) else Unknown(f"unsupported function {name}")


def _is_class_name(name: str) -> bool:
    """Whether a function from outside is a class by the convention for names: `gym.spaces.Box`."""
    short = name.rpartition(".")[2]
    return short[:1].isupper() and not short.isupper()


def _super(run: Run, args: Args) -> Value:
    """`super()`, or `super(cls, receiver)`. `super(cls)` is bound to no object: it has no methods of a base class."""
    if len(args) == 1:
        return Unknown("super() of no object")
    names: Namespace | None = run.frame.names
    cls = run.frame.names.fields.get("__class__")
    receiver = next(iter(names.fields.values()), None) if names is not None else None
    if len(args) == 2:
        cls, receiver = args
    return (
        SuperProxy(cls, receiver)
        if isinstance(cls, ClassValue) and isinstance(receiver, (Instance, ClassValue))
        else Unknown("super()")
    )


def _isinstance(value: Value, kinds: Value) -> Value:
    verdict = is_instance(value, kinds)
    return Unknown("isinstance() with unknown result") if verdict is None else verdict


def _str(value: Value = "") -> Value:
    return str(value) if isinstance(value, (int, str, DType)) else Unknown("an unknown string")


def _holds(predicate: str, value: Value) -> Value:
    verdict = holds(predicate, value)
    return Unknown(f"{predicate}() with unknown result") if verdict is None else verdict


def _issubclass(cls: Value, kinds: Value) -> Value:
    verdict = is_subclass(cls, kinds)
    return Unknown("issubclass() with unknown result") if verdict is None else verdict


_ITERATING_NAMES = """
    all any dict enumerate filter frozenset iter list map max min reversed set sorted sum tuple zip
""".split()
_ITERATING = frozenset(f"builtins.{name}" for name in _ITERATING_NAMES)
_WITH_RUN: dict[str, Callable[..., Value]] = {
    **iterating.ASKING,
    **methods.ASKING,
    **numbers.ASKING,
    **operators.ASKING,
    **parametrizations.ASKING,
    **records.ASKING,
    **sequences.ASKING,
    **transforms.ASKING,
    "builtins.exec": execute,
    "importlib.util.find_spec": find_spec,
    "builtins.type": lambda run, node, *args: type_of(*args),
}
_FUNCTIONS: dict[str, Callable[..., Value]] = {
    **arguments.FUNCTIONS,
    **collections.FUNCTIONS,
    **copies.FUNCTIONS,
    **data.FUNCTIONS,
    **dicts.FUNCTIONS,
    **iterating.FUNCTIONS,
    **namespaces.FUNCTIONS,
    **numbers.FUNCTIONS,
    **records.FUNCTIONS,
    **sequences.FUNCTIONS,
    **sets.FUNCTIONS,
    **texts.FUNCTIONS,
    **versions.FUNCTIONS,
    **{name: partial(_holds, name) for name in PREDICATES},
    "builtins.str": _str,
    "builtins.isinstance": _isinstance,
    "builtins.issubclass": _issubclass,
    "builtins.print": lambda *args, **kwargs: None,
    "contextlib.nullcontext": lambda *given: Unknown("value of a null context") if given else Other("context manager"),
    "typing.cast": lambda kind, value: value,
}


def call_method(run: Run, node: ast.AST, method: BuiltinMethod, args: Args, kwargs: dict[str, Value]) -> Value:
    """Calls a method of a built-in type or of nn.Module: its result and its effects."""
    receiver, name = method.receiver, method.name
    if name == "__setattr__":
        changed = receiver.receiver if isinstance(receiver, SuperProxy) else receiver
        return set_attribute(run, node, changed, *args)
    if isinstance(receiver, SuperProxy):
        return of_base(run, node, receiver, name, args, kwargs)
    if isinstance(receiver, (ListValue, DictValue)) and is_summary(receiver):
        return of_open(run, receiver, name, args)
    if isinstance(receiver, Collection) and receiver.lost and not is_summary(receiver):
        return item_of(receiver, f"{name}() of an unknown collection")
    of_kind = _METHODS.get(type(receiver))
    if of_kind is not None:
        return of_kind(run, node, receiver, name, args, kwargs)
    if isinstance(receiver, (ModuleContainer, Instance, ModuleSpec)):
        return of_module(run, node, receiver, name, args, kwargs)
    if type(receiver) is tuple:
        return _of_tuple(receiver, name, args)
    return Unknown(f"unsupported method {name}()")


_METHODS: dict[type, Callable[..., Value]] = {
    ListValue: of_list,
    DictValue: lambda run, node, *given: dicts.of_dict(run, *given),
    SetValue: lambda run, node, receiver, name, args, kwargs: of_set(run, receiver, name, args),
    SummarySequence: lambda run, node, receiver, name, args, kwargs: _of_series(receiver, name),
    str: lambda run, node, *given: of_text(*given),
    Parser: of_parser,
}


def _of_tuple(receiver: tuple[Value, ...], name: str, args: Args) -> Value:
    if name == "numel":
        return product(receiver)
    if name == "index" and args and all(isinstance(one, (int, str)) for one in receiver) and args[0] in receiver:
        return receiver.index(args[0])
    return Unknown(f"{name}() of a tuple")


def _of_series(receiver: SummarySequence, name: str) -> Value:
    if not receiver.mapping:
        return receiver.item if name == "pop" else Unknown(f"{name}() of a list of unknown length")
    some = {
        "values": SummarySequence(receiver.item),
        "items": SummarySequence((Unknown("an unknown key"), receiver.item)),
    }
    return some.get(name, Unknown(f"{name}() of a dict with unknown keys"))
