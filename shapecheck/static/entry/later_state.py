"""The state of an object after construction is not final: havocs the fields that other code assigns or fills later.

An object as its constructor leaves it is one that a program may have, unless a field of it is a placeholder: None, an
empty collection, a tensor without elements. So there are two policies.

- *Placeholders* (`havoc_placeholders`), before a call of `forward`, and for all objects that the object holds: a
  placeholder that other code replaces is unknown. Fields that one method assigns together become unknown together.
  Empty collections and tensors are unknown whatever other code does. A flag that code sets on other objects is
  unknown, too, and a function or a dtype that a method of the object replaces. Everything else is as the constructor
  leaves it.
- *Changes* (`havoc_changes`), before any other method, which runs after unknown calls: every field that another method
  may assign is unknown, as are collections and objects that are not modules. A flag of an object that it holds, which
  a method such as `deploy()` sets, is unknown, too.
"""

from __future__ import annotations

from collections.abc import Iterator

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import DType, TensorSpec
from shapecheck.spec.presentation import value_text
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives, MaybeAbsent
from shapecheck.static.domain.attribute_writes import (
    MethodWrites,
    Writes,
    emptied_by_constructors,
    foreign_writes,
    removed_layers,
    writes_of,
    written_after_construction,
    written_by_methods,
)
from shapecheck.static.domain.class_facts import LAYER, is_module
from shapecheck.static.domain.library_bases import is_probable_module
from shapecheck.static.domain.objects import (
    ITEMS,
    ClassValue,
    Collection,
    DictValue,
    FunctionValue,
    Instance,
    ListValue,
    ModuleContainer,
    Object,
    SetValue,
)
from shapecheck.static.domain.placeholders import has_no_elements
from shapecheck.static.domain.plain_values import is_plain
from shapecheck.static.domain.structure import children
from shapecheck.static.domain.torch_names import is_dtype
from shapecheck.static.domain.unknown_options import UnknownOption
from shapecheck.static.domain.values import ExternalReference, Method, Partial
from shapecheck.static.engine.loading import SourceModule
from shapecheck.static.engine.run import Run

_HOLDING = (Instance, Collection, tuple, Alternatives, MaybeAbsent, Method, Partial)
_CALLABLE = (FunctionValue, Method, Partial)
_MOST_OBJECTS = 2_000


def havoc_placeholders(run: Run, made: Value, loaded: SourceModule, *, with_flags: bool = False) -> None:
    """Havocs the placeholders of a newly constructed object and of the objects that it holds.

    `loaded` is the file that is analyzed, whose code may write attributes of any of them.
    """
    for one in list(_held(run, made)):
        if isinstance(one, Instance):
            _havoc_switched(run, one)
            _havoc_own_placeholders(run, one, loaded)
            _havoc_foreign_flags(run, one, loaded)
            _havoc_chosen(run, one, loaded)
            if with_flags:
                _havoc_flags(run, one, loaded)
        elif isinstance(one, (ListValue, DictValue, SetValue)) and _is_empty(one):
            run.journal.lose(one)


def havoc_changes(run: Run, made: Instance, loaded: SourceModule) -> None:
    """Havocs the fields that other methods may have changed, and the placeholders of the objects that it holds."""
    havoc_placeholders(run, made, loaded, with_flags=True)
    own, others = written_by_methods(made.cls), _foreign(made, loaded)
    attributes = _attributes(made)
    written = own.written | others.written
    _forget(
        run, made, {name for name, one in attributes.items() if own.is_open or name in written or not _is_stable(one)}
    )


def _held(run: Run, made: Value) -> Iterator[Value]:
    """An object and all that it holds, except what is older than the entry point."""
    seen: set[int] = set()
    pending = [made]
    while pending and len(seen) < _MOST_OBJECTS:
        one = pending.pop()
        if id(one) in seen or not isinstance(one, _HOLDING) or (isinstance(one, Object) and _is_older(run, one)):
            continue
        seen.add(id(one))
        yield one
        pending += children(one)


def _is_older(run: Run, value: Object) -> bool:
    return run.mark is not None and value.allocation_id < run.mark


def _havoc_own_placeholders(run: Run, made: Instance, loaded: SourceModule) -> None:
    attributes = _attributes(made)
    placeholders = {name for name, value in attributes.items() if _is_placeholder(value)}
    layer = made.fields.get(LAYER)
    if isinstance(layer, ModuleContainer) and _is_empty(layer):
        run.journal.lose(layer)
    if not placeholders:
        return
    others = _foreign(made, loaded)
    removed = {name for name in placeholders & removed_layers(loaded.text) if attributes[name] is not None}
    replaced = (
        set(placeholders) if others.is_open or is_probable_module(made.cls) else placeholders & others.written - removed
    )
    for method in _later_methods(made, loaded):
        if method.is_open:
            replaced |= placeholders
        if not placeholders.isdisjoint(method.written):
            replaced |= method.written & attributes.keys()
    empty = emptied_by_constructors(made.cls)
    replaced |= {name for name in placeholders if _is_always_replaced(attributes[name], is_empty=name in empty)}
    _forget(run, made, replaced)


def _havoc_switched(run: Run, made: Instance) -> None:
    """Makes the flags and names of modes unknown that a property with a setter offers to users of the object."""
    for cls in made.cls.mro():
        for name, setter in cls.fields.items():
            if isinstance(name, str) and name.endswith(".setter") and isinstance(setter, FunctionValue):
                for field in writes_of(setter.node).written & made.fields.keys():
                    if isinstance(made.fields[field], (bool, str)):
                        run.journal.write(made, field, UnknownOption(f"attribute {value_text(field)} that users set"))


def _later_methods(made: Instance, loaded: SourceModule) -> list[MethodWrites]:
    """The methods that users of an object may call: of a library's object, those that the analyzed file names."""
    every = written_after_construction(made.cls)
    return [one for one in every if one.name in loaded.text] if made.cls.closure.loaded.is_library else every


def _havoc_flags(run: Run, made: Instance, loaded: SourceModule) -> None:
    """Havocs what a method writes that users call to set a flag of the object: another mode may be chosen by then."""
    flags = {name for name, one in made.fields.items() if isinstance(name, str) and isinstance(one, bool)}
    if not flags:
        return
    switching = [one for one in _later_methods(made, loaded) if not flags.isdisjoint(one.written)]
    for name in {name for one in switching for name in one.written & made.fields.keys()}:
        run.journal.write(made, name, Unknown(f"attribute {value_text(name)} that a method sets with a flag"))


def _havoc_foreign_flags(run: Run, made: Instance, loaded: SourceModule) -> None:
    """Havocs the flags that other code sets: `layer.fused = True`."""
    flags = {name for name, one in made.fields.items() if isinstance(name, str) and isinstance(one, bool)}
    if not flags:
        return
    for name in flags & _foreign(made, loaded).written:
        run.journal.write(made, name, Unknown(f"attribute {value_text(name)} that other code sets"))


def _havoc_chosen(run: Run, made: Instance, loaded: SourceModule) -> None:
    """Havocs functions and dtypes where a method chooses another: `self.forward = self.second`."""
    chosen = {name for name, one in made.fields.items() if isinstance(name, str) and _is_chosen(one)}
    if not chosen:
        return
    for name in {name for one in _later_methods(made, loaded) for name in one.written & chosen}:
        run.journal.write(made, name, Unknown(f"attribute {value_text(name)} that a method chooses"))


def _is_chosen(value: Value) -> bool:
    is_named = isinstance(value, ExternalReference) and is_dtype(value.name)
    return is_named or isinstance(value, (*_CALLABLE, DType))


def _foreign(made: Instance, loaded: SourceModule) -> Writes:
    """What code of the analyzed file, and of the files of its class, writes on other objects."""
    own = (cls.closure.loaded for cls in made.cls.mro())
    texts = {one.text for one in (loaded, *own) if not one.is_library}
    found = list(map(foreign_writes, texts))
    return Writes(frozenset[str]().union(*(one.written for one in found)), any(one.is_open for one in found))


def _attributes(made: Instance) -> dict[str, Value]:
    """The attributes of an object, those that its classes define included."""
    found: dict[str, Value] = {}
    for names in (*(cls.fields for cls in reversed(made.cls.mro())), made.fields):
        found.update((name, one) for name, one in names.items() if isinstance(name, str) and not name.startswith("__"))
    return found


def _forget(run: Run, made: Instance, names: set[str]) -> None:
    """Makes attributes unknown, and with them numbers that may have been computed from their first values."""
    derived = {name for name, one in made.fields.items() if isinstance(name, str) and _is_small(one)}
    for name in (names | derived) if names else names:
        run.journal.write(made, name, Unknown(f"attribute {value_text(name)} that may have changed"))


def _is_placeholder(value: Value) -> bool:
    """Whether a value is likely to be replaced or filled before its object is used."""
    if isinstance(value, TensorSpec):
        return has_no_elements(value) or (value.rank is not None and all(size == 1 for size in value.dims))
    if _is_small(value):
        return True
    return value is None or _is_empty(value) or (isinstance(value, ModuleSpec) and value.name == "Identity")


def _is_small(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value <= 1


def _is_always_replaced(value: Value, *, is_empty: bool) -> bool:
    """Whether a placeholder is one whatever other code is known: an empty Sequential may be the identity."""
    return has_no_elements(value) or (isinstance(value, ModuleContainer) and value.kind != "Sequential" and is_empty)


def _is_empty(value: Value) -> bool:
    return isinstance(value, Collection) and not value.lost and not value.fields[ITEMS]


def _is_stable(value: Value) -> bool:
    """Whether a value is immutable, or a layer or model, so that other code does not change its content."""
    if isinstance(value, tuple):
        return all(map(_is_stable, value))
    is_part_of_class = isinstance(value, (FunctionValue, ClassValue))
    return is_plain(value) or is_part_of_class or isinstance(value, (ModuleSpec, ModuleContainer)) or _is_model(value)


def _is_model(value: Value) -> bool:
    return isinstance(value, Instance) and is_module(value.cls)
