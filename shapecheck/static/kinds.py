"""Of which Python type a value is, as `isinstance` asks it."""

from __future__ import annotations

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import Dim, TensorSpec
from shapecheck.static.arrays.value import ArraySpec
from shapecheck.static.values import ClassValue, Container, DictValue, External, Instance, ListValue, SetValue, Value

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
_PLAIN = (int, float, str, bytes, tuple, Dim, ListValue, DictValue, SetValue, type(None))
_TENSORS = frozenset(("torch.Tensor", "torch.FloatTensor", "torch.LongTensor"))
_MODULES = frozenset(("torch.nn.Module", "torch.nn.modules.Module", "torch.nn.modules.module.Module"))


def is_instance(value: Value, kinds: Value) -> bool | None:
    """Whether the value is of one of the kinds; None where that is not known."""
    if isinstance(value, Unknown):
        return None
    verdicts = [_is_of(value, kind) for kind in (kinds if type(kinds) is tuple else (kinds,))]
    return True if True in verdicts else None if None in verdicts else False


def type_of(value: Value, *more: Value) -> Value:
    """`type(value)`."""
    if isinstance(value, Instance) and not more:
        return value.cls
    plain = _BUILTIN.get(type(value)) if not more else None
    return Unknown("a type that is not known") if plain is None else External(f"builtins.{plain}")


_BUILTIN: dict[type, str] = {
    **{one: one.__name__ for one in (bool, int, float, str, bytes, tuple)},
    Dim: "int",
    ListValue: "list",
    DictValue: "dict",
    SetValue: "set",
}


def _is_of(value: Value, kind: Value) -> bool | None:
    if isinstance(kind, ClassValue):
        return _is_of_class(value, kind)
    if not isinstance(kind, External):
        return None
    if isinstance(value, ArraySpec):
        return _is_array(value, kind.name)
    name = kind.name.removeprefix("builtins.")
    if name in _TENSORS:
        return _is_tensor(value, exactly=name == "torch.Tensor")
    if name in _TYPES:
        return isinstance(value, _TYPES[name]) if isinstance(value, (*_PLAIN, TensorSpec, ModuleSpec)) else None
    if isinstance(value, (*_PLAIN, TensorSpec)):
        return False if name in _MODULES or (name.startswith("torch.nn.") and "Parameter" not in name) else None
    if isinstance(value, (ModuleSpec, Container)):
        return _is_layer(value, kind.name)
    return None


def _is_array(value: ArraySpec, name: str) -> bool | None:
    if name == "numpy.ndarray":
        return bool(value.shape.least_rank) or None
    return False if name.startswith("torch.") else None


def _is_tensor(value: Value, *, exactly: bool) -> bool | None:
    if isinstance(value, TensorSpec):
        return True if exactly else None
    return False if isinstance(value, (*_PLAIN, ModuleSpec, Container, Instance)) else None


def _is_of_class(value: Value, cls: ClassValue) -> bool | None:
    if isinstance(value, Instance):
        if cls in value.cls.mro():
            return True
        return False if not value.cls.outside() & {"?"} else None
    return False if isinstance(value, (*_PLAIN, ModuleSpec)) and not cls.outside() else None


def _is_layer(value: ModuleSpec | Container, name: str) -> bool | None:
    if name in _MODULES:
        return True
    if not name.startswith("torch.nn."):
        return None
    own = value.kind if isinstance(value, Container) else value.name
    return True if name.rpartition(".")[2] == own else None
