"""The Python types of values, as `isinstance` sees them."""

from __future__ import annotations

import builtins

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import Dim, DType, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.class_facts import base_layer
from shapecheck.static.domain.enums import is_member_of_outside
from shapecheck.static.domain.external_bases import MODULES, PARENTS, external_base, is_layer
from shapecheck.static.domain.objects import (
    ClassValue,
    DictValue,
    FunctionValue,
    Instance,
    ListValue,
    ModuleContainer,
    SetValue,
)
from shapecheck.static.domain.torch_names import is_dtype, is_modelled
from shapecheck.static.domain.values import (
    BuiltinMethod,
    EnumMember,
    ExternalReference,
    Method,
    NamedTupleClass,
    OpaqueInstance,
    Partial,
    TypeOf,
)

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
    "slice": (slice,),
    "range": (range,),
    "complex": (complex,),
    "bytearray": (bytearray,),
    "frozenset": (frozenset,),
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
    "types.MethodType": (Method,),
    "functools.partial": (Partial,),
    "type": (ClassValue,),
}
"""Further types, and the kinds of values that are instances of them."""
_CONCRETE = (
    *(int, float, complex, str, bytes, tuple, range, slice, Dim, ListValue, DictValue, SetValue),
    *(FunctionValue, Partial, ClassValue, Method, type(None)),
    *(ModuleSpec, TensorSpec, ArraySpec, ModuleContainer),
)
_OPEN = (ModuleSpec, TensorSpec, ArraySpec, ModuleContainer)
"""Kinds of values that some classes in `_ABSTRACT` may accept: a Sequential is iterable, an array as well."""
_CALLABLE = ("collections.abc.Callable", "typing.Callable")
_PLAIN = (int, float, str, bytes, tuple, range, slice, Dim, ListValue, DictValue, SetValue, type(None))
_BUILTINS = frozenset(f"builtins.{name}" for name in ("tuple", "list", "dict", "set", "frozenset", "range"))
_TENSORS = frozenset(("torch.Tensor", "torch.FloatTensor", "torch.LongTensor"))


def is_instance(value: Value, kinds: Value) -> bool | None:
    """The result of `isinstance(value, kinds)`; None if unknown."""
    if isinstance(value, Unknown) and not isinstance(value, OpaqueInstance):
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
    if isinstance(value, (FunctionValue, ClassValue, Partial, ModuleSpec, Method, BuiltinMethod)) or is_class(value):
        return True
    if isinstance(value, ExternalReference):
        return is_modelled(value.name) or None
    if isinstance(value, ModuleContainer):
        return True
    if isinstance(value, (*_PLAIN, TensorSpec)):
        return False
    if isinstance(value, Instance):
        has_call = any("__call__" in one.fields for one in value.cls.mro()) or base_layer(value.cls) is not None
        return True if has_call or value.cls.outside() & MODULES else None
    return None


def is_class(value: Value) -> bool:
    """Whether it is certainly a class."""
    if isinstance(value, ExternalReference):
        return is_layer(value.name) or value.name in MODULES or value.name in _TENSORS or _is_builtin(value.name)
    return isinstance(value, (ClassValue, NamedTupleClass))


def _is_builtin(name: str) -> bool:
    module, _, short = name.rpartition(".")
    return module == "builtins" and isinstance(getattr(builtins, short, None), type)


def _is_of(value: Value, kind: Value) -> bool | None:
    if mark_of(value) is not None:
        return False if isinstance(kind, ExternalReference) and kind.name.startswith("builtins.") else None
    if isinstance(value, OpaqueInstance):
        return _is_of_opaque(value, kind)
    if isinstance(kind, ClassValue):
        return _is_of_class(value, kind)
    if isinstance(kind, NamedTupleClass):
        return type(value) is kind.make if isinstance(value, (*_PLAIN, TensorSpec, ModuleSpec)) else None
    if not isinstance(kind, ExternalReference):
        return None
    if isinstance(value, ArraySpec):
        return _is_array(value, kind.name)
    if isinstance(value, EnumMember):
        return is_member_of_outside(value, kind.name.removeprefix("builtins."))
    return _is_of_outside(value, kind)


def _is_of_outside(value: Value, kind: ExternalReference) -> bool | None:
    """Whether a value is an instance of a type from outside the project; None if unknown."""
    name = kind.name.removeprefix("builtins.")
    if isinstance(value, (TensorSpec, ModuleSpec)) and _is_collection(name):
        return False
    if name in _CALLABLE:
        return is_callable(value)
    if name in _ABSTRACT:
        return _is_abstract(value, name)
    if name in _TENSORS:
        return _is_tensor(value, exactly=name == "torch.Tensor")
    if name in _TYPES:
        return _is_builtin_value(value, name)
    if isinstance(value, (*_PLAIN, TensorSpec)) or _is_dtype(value) or is_class(value):
        return _is_of_torch(value, name)
    if isinstance(value, (ModuleSpec, ModuleContainer)):
        return _is_layer(value, kind.name)
    return _is_derived(value, kind.name) if isinstance(value, Instance) else None


def _is_of_torch(value: Value, name: str) -> bool | None:
    """Whether a tensor, a number, a string, a collection, a dtype or a class is an instance of a class of torch."""
    if name == "torch.dtype":
        return _is_dtype(value)
    is_other = (name.startswith(_OTHER_CLASSES) and "Parameter" not in name) or name in _SETTINGS
    return False if name in MODULES or is_other else None


def _is_dtype(value: Value) -> bool:
    return isinstance(value, DType) or (isinstance(value, ExternalReference) and is_dtype(value.name))


_OTHER_CLASSES = ("torch.nn.", "torch.utils.data.", "torch.optim.", "torch.distributions.")
"""Modules of torch whose classes have no tensors, numbers, strings or collections of Python as instances."""
_SETTINGS = frozenset("torch.device torch.layout torch.memory_format torch.Generator numpy.ndarray".split())
"""Further such classes."""


def _is_builtin_value(value: Value, name: str) -> bool | None:
    """Whether a value is an instance of a builtin type; None if unknown."""
    if isinstance(value, Instance):
        return None if _may_be_builtin(value.cls) else False
    return isinstance(value, _TYPES[name]) if _has_known_type(value) else None


def _may_be_builtin(cls: ClassValue) -> bool:
    """Whether a class of the project may derive from a builtin type, such as `dict`."""
    return any(one == _NAMED_TUPLE or not (one in _PLAIN_BASES or _is_plain_class(one)) for one in cls.outside())


def _is_plain_class(name: str) -> bool:
    """Whether it is a class of torch that derives from no builtin type."""
    return is_layer(name) or name.startswith(("torch.utils.data.", "torch.optim.", "torch.distributions."))


def _has_known_type(value: Value) -> bool:
    """Whether it is known which builtin type a value has, if any."""
    if isinstance(value, ExternalReference):
        return is_layer(value.name)
    return isinstance(value, (*_PLAIN, TensorSpec, ModuleSpec, FunctionValue, ClassValue, Partial))


def _is_collection(name: str) -> bool:
    """Whether it is a type of collections that no tensor and no layer without items is."""
    package, _, short = name.rpartition(".")
    return package in ("collections", "collections.abc", "typing") and short in _COLLECTIONS


_COLLECTIONS = frozenset(
    """
    Mapping MutableMapping Sequence MutableSequence Set MutableSet OrderedDict defaultdict Counter deque UserDict
    UserList ChainMap Dict List Tuple DefaultDict AbstractSet
    """.split()
)


def _is_abstract(value: Value, name: str) -> bool | None:
    if isinstance(value, ExternalReference):
        return (
            name == "type" if is_layer(value.name) else False if name == "type" and _is_function(value.name) else None
        )
    if isinstance(value, _ABSTRACT[name]):
        return True
    if name.startswith(("types.", "functools.")):
        return False if isinstance(value, (*_CONCRETE, Instance)) else None
    is_open = isinstance(value, _OPEN) and name.startswith("collections.")
    return False if isinstance(value, _CONCRETE) and not is_open else None


_TYPES_OF_TORCH = frozenset(("device", "dtype", "layout"))
"""Types that have the name of an attribute of tensors."""


def _is_function(name: str) -> bool:
    """Whether it is certainly a function of torch: one of `functional`, or one that is a method of tensors, too."""
    module, _, short = name.rpartition(".")
    return (module == "torch.nn.functional" and short.islower()) or (
        module == "torch" and short.islower() and short not in _TYPES_OF_TORCH and is_modelled(f"Tensor.{short}")
    )


def _is_derived(value: Instance, name: str) -> bool | None:
    """Whether an instance of a project class is one of a class from outside the project; None if unknown."""
    bases = value.cls.outside()
    if name in bases:
        return True
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
    return False if name.startswith("torch.") or name in _BUILTINS else None


def _is_tensor(value: Value, *, exactly: bool) -> bool | None:
    if isinstance(value, TensorSpec):
        return True if exactly else None
    return False if isinstance(value, (*_PLAIN, ModuleSpec, ModuleContainer, Instance)) else None


def _is_of_class(value: Value, cls: ClassValue) -> bool | None:
    if isinstance(value, (Instance, EnumMember)):
        return _derives(value.cls, cls)
    if isinstance(value, _SCALARS):
        return False if cls.outside().isdisjoint(_STRUCTURAL) else None
    if isinstance(value, (ModuleSpec, TensorSpec)) and not cls.outside().isdisjoint(_EXCLUSIVE_BASES):
        return False
    known = all(name in _PLAIN_BASES or is_layer(name) for name in cls.outside())
    return False if known and (isinstance(value, (*_PLAIN, ModuleSpec, TensorSpec)) or is_class(value)) else None


def may_differ(value: Value, kinds: Value) -> bool:
    """Whether a value that has one of these types is probably another object than the known one.

    So it is if a type is unknown or of another library: the known tensor, layer, number or string has rarely that type.
    """
    if not isinstance(value, (*_PLAIN, TensorSpec, ModuleSpec, ModuleContainer)):
        return False
    given = kinds if type(kinds) is tuple else (kinds,)
    return all(_is_foreign(value, one) or _is_of(value, one) is False for one in given)


def _is_foreign(value: Value, kind: Value) -> bool:
    if isinstance(kind, ClassValue):
        # Of a string, a dict: whether it was made as an instance of a project class that derives from it is unknown.
        return kind.outside().isdisjoint(_STRUCTURAL - {"?"}) and _is_of_class(value, kind) is None
    if isinstance(kind, ExternalReference):
        return kind.name.partition(".")[0] not in _WITH_KNOWN_TYPES
    return isinstance(kind, Unknown) and not isinstance(kind, TypeOf)


def _derives(cls: ClassValue, base: ClassValue) -> bool | None:
    if base in cls.mro():
        return True
    return False if "?" not in cls.outside() and base.outside().isdisjoint(_STRUCTURAL) else None


_SCALARS = (int, float, str, bytes, Dim, type(None))
_STRUCTURAL = frozenset(("typing.Protocol", "?"))
"""Bases of classes whose instances need not derive from them."""
_EXCLUSIVE_BASES = frozenset(
    f"builtins.{name}"
    for name in "int float complex str bytes tuple list dict set frozenset BaseException Exception".split()
) | {"typing.NamedTuple", "collections.OrderedDict", "collections.UserDict", "enum.Enum"}
"""No tensor or layer is an instance of a class with such a base."""
_WITH_KNOWN_TYPES = frozenset(("builtins", "torch", "collections", "typing", "numbers", "types", "functools", "abc"))
"""The packages whose types describe known values as well."""
_NAMED_TUPLE = "typing.NamedTuple"
_PLAIN_BASES = MODULES | {"builtins.object", "abc.ABC", "typing.Generic", _NAMED_TUPLE}


def _is_of_opaque(value: OpaqueInstance, kind: Value) -> bool | None:
    """Whether an instance of a class that is not modelled has a type: that it has not is known of project classes."""
    if isinstance(kind, ClassValue):
        return None if isinstance(value.cls, str) else _derives(value.cls, kind)
    if not isinstance(kind, ExternalReference):
        return None
    names = {value.cls} if isinstance(value.cls, str) else value.cls.outside()
    return True if external_base(kind.name).name in names else None


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
    if kind in (own, PARENTS.get(own)):
        return True
    return None if own.startswith("Lazy") or kind == "Module" else False
