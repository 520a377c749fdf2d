"""The Python types of values, as `isinstance` and `type` see them."""

from __future__ import annotations

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import Dim, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.class_facts import MODULES, base_layer, is_layer
from shapecheck.static.domain.objects import (
    ClassValue,
    DictValue,
    FunctionValue,
    Instance,
    ListValue,
    ModuleContainer,
    SetValue,
)
from shapecheck.static.domain.values import ExternalReference, Method, NamedTupleClass, Partial

_TYPES: dict[str, tuple[type, ...]] = {
    "int": (int, Dim),
    "float": (float,),
    "str": (str,),
    "bytes": (bytes,),
    "tuple": (tuple,),
    "bool": (bool,),
    "list": (ListValue,),
    "dict": (DictValue,),
    "set": (SetValue,),
}
_ABSTRACT: dict[str, tuple[type, ...]] = {
    "collections.abc.Iterable": (str, bytes, tuple, range, ListValue, DictValue, SetValue),
    "collections.abc.Sequence": (str, bytes, tuple, range, ListValue),
    "collections.abc.Mapping": (DictValue,),
    "numbers.Number": (int, float, complex, Dim),
    "numbers.Real": (int, float, Dim),
    "numbers.Integral": (int, Dim),
    "types.FunctionType": (FunctionValue,),
    "types.LambdaType": (FunctionValue,),
    "functools.partial": (Partial,),
    "type": (ClassValue,),
}
"""Further types, and the kinds of values that are instances of them."""
_CONCRETE = (
    *(int, float, complex, str, bytes, tuple, range, Dim, ListValue, DictValue, SetValue),
    *(FunctionValue, Partial, ClassValue, type(None)),
)
_PLAIN = (int, float, str, bytes, tuple, Dim, ListValue, DictValue, SetValue, type(None))
_TENSORS = frozenset(("torch.Tensor", "torch.FloatTensor", "torch.LongTensor"))


def is_instance(value: Value, kinds: Value) -> bool | None:
    """The result of `isinstance(value, kinds)`; None if unknown."""
    if isinstance(value, Unknown):
        return None
    verdicts = [_is_of(value, kind) for kind in (kinds if type(kinds) is tuple else (kinds,))]
    return True if True in verdicts else None if None in verdicts else False


def is_subclass(cls: Value, kinds: Value) -> bool | None:
    """The result of `issubclass(cls, kinds)`; None if unknown."""
    if not isinstance(cls, ClassValue):
        return None
    given = kinds if type(kinds) is tuple else (kinds,)
    if any(one in cls.mro() for one in given if isinstance(one, ClassValue)):
        return True
    known = all(isinstance(one, ClassValue) for one in given) and "?" not in cls.outside()
    return False if known else None


def is_callable(value: Value) -> bool | None:
    """The result of `callable(value)`; None if unknown."""
    if isinstance(value, (FunctionValue, ClassValue, Partial, ModuleSpec, Method)):
        return True
    if isinstance(value, (*_PLAIN, TensorSpec)):
        return False
    if isinstance(value, Instance):
        has_call = any("__call__" in one.fields for one in value.cls.mro()) or base_layer(value.cls) is not None
        return True if has_call or value.cls.outside() & MODULES else None
    return None


def type_of(value: Value, *more: Value) -> Value:
    """The result of `type(value)`."""
    if isinstance(value, Instance) and not more:
        return value.cls
    plain = _BUILTIN.get(type(value)) if not more else None
    return Unknown("an unknown type") if plain is None else ExternalReference(f"builtins.{plain}")


_BUILTIN: dict[type, str] = {
    **{one: one.__name__ for one in (bool, int, float, str, bytes, tuple)},
    Dim: "int",
    ListValue: "list",
    DictValue: "dict",
    SetValue: "set",
}


def _is_of(value: Value, kind: Value) -> bool | None:
    if mark_of(value) is not None:
        return False if isinstance(kind, ExternalReference) and kind.name.startswith("builtins.") else None
    if isinstance(kind, ClassValue):
        return _is_of_class(value, kind)
    if isinstance(kind, NamedTupleClass):
        return isinstance(value, kind.make) if isinstance(value, (*_PLAIN, TensorSpec)) else None
    if not isinstance(kind, ExternalReference):
        return None
    if isinstance(value, ArraySpec):
        return _is_array(value, kind.name)
    return _is_of_outside(value, kind)


def _is_of_outside(value: Value, kind: ExternalReference) -> bool | None:
    """Whether a value is an instance of a type from outside the project; None if unknown."""
    name = kind.name.removeprefix("builtins.")
    if name in _ABSTRACT:
        return _is_abstract(value, name)
    if name in _TENSORS:
        return _is_tensor(value, exactly=name == "torch.Tensor")
    if name in _TYPES:
        return isinstance(value, _TYPES[name]) if _has_known_type(value) else None
    if isinstance(value, (*_PLAIN, TensorSpec)):
        return False if name in MODULES or (name.startswith("torch.nn.") and "Parameter" not in name) else None
    if isinstance(value, (ModuleSpec, ModuleContainer)):
        return _is_layer(value, kind.name)
    return _is_derived(value, kind.name) if isinstance(value, Instance) else None


def _has_known_type(value: Value) -> bool:
    """Whether it is known which builtin type a value has, if any."""
    if isinstance(value, ExternalReference):
        return is_layer(value.name)
    return isinstance(value, (*_PLAIN, TensorSpec, ModuleSpec, FunctionValue, ClassValue, Partial))


def _is_abstract(value: Value, name: str) -> bool | None:
    if isinstance(value, ExternalReference):
        return name == "type" if is_layer(value.name) else None
    if isinstance(value, _ABSTRACT[name]):
        return True
    return False if isinstance(value, _CONCRETE) else None


def _is_derived(value: Instance, name: str) -> bool | None:
    """Whether an instance of a project class is one of torch's modules; None if unknown."""
    bases = value.cls.outside()
    if base_layer(value.cls) is None and not bases & MODULES:
        return None
    if name in MODULES:
        return True
    verdicts = [_is_layer_of(one.rpartition(".")[2], name) for one in bases if is_layer(one)]
    if True in verdicts or None in verdicts:
        return True if True in verdicts else None
    known = all(one in MODULES or is_layer(one) for one in bases)
    return False if known and is_layer(name) else None


def _is_array(value: ArraySpec, name: str) -> bool | None:
    if name == "numpy.ndarray":
        return bool(value.shape.least_rank) or None
    return False if name.startswith("torch.") else None


def _is_tensor(value: Value, *, exactly: bool) -> bool | None:
    if isinstance(value, TensorSpec):
        return True if exactly else None
    return False if isinstance(value, (*_PLAIN, ModuleSpec, ModuleContainer, Instance)) else None


def _is_of_class(value: Value, cls: ClassValue) -> bool | None:
    if isinstance(value, Instance):
        if cls in value.cls.mro():
            return True
        return False if not value.cls.outside() & {"?"} else None
    return False if isinstance(value, (*_PLAIN, ModuleSpec)) and not cls.outside() else None


def _is_layer(value: ModuleSpec | ModuleContainer, name: str) -> bool | None:
    return (
        True
        if name in MODULES
        else _is_layer_of(value.kind if isinstance(value, ModuleContainer) else value.name, name)
    )


def _is_layer_of(own: str, name: str) -> bool | None:
    """Whether torch's layer `own` is an instance of `name`; a lazy layer changes its class when it is first called."""
    kind = name.rpartition(".")[2]
    if not is_layer(name) or kind.startswith("_"):
        return None
    if kind in (own, _PARENTS.get(own)):
        return True
    return None if own.startswith("Lazy") or kind == "Module" else False


_PARENTS = {
    "NLLLoss2d": "NLLLoss",
    "ReLU6": "Hardtanh",
    "UpsamplingBilinear2d": "Upsample",
    "UpsamplingNearest2d": "Upsample",
    "ZeroPad1d": "ConstantPad1d",
    "ZeroPad2d": "ConstantPad2d",
    "ZeroPad3d": "ConstantPad3d",
}
"""The layers of torch that derive from another layer."""
