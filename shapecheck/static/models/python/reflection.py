"""`getattr`, `hasattr` and `setattr`."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from functools import partial

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import members_of, without_none
from shapecheck.static.domain.attribute_presence import has_attribute
from shapecheck.static.domain.class_facts import LAYER, UNNAMED
from shapecheck.static.domain.external_bases import MODULES
from shapecheck.static.domain.objects import DictValue, Instance, ListValue, ModuleContainer, SetValue
from shapecheck.static.domain.plain_values import is_plain
from shapecheck.static.domain.unknown_options import UNKNOWN_KINDS, UnknownOption
from shapecheck.static.engine.case_splitting import map_alternatives
from shapecheck.static.engine.closures import reachable
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.escape import havoc_stored
from shapecheck.static.engine.replaced_parameters import replace_parameters
from shapecheck.static.engine.run import Run
from shapecheck.static.models.python.descriptors import lose_collections, stores_elsewhere


def _getattr(run: Run, node: ast.AST, *args: Value) -> Value:
    if len(args) not in (2, 3):
        return Unknown("an attribute with an unknown name")
    receiver, name, *default = args
    if not isinstance(name, str):
        return Unknown("an attribute with an unknown name")
    found = map_alternatives(run, lambda one: dispatch.attribute(run, node, one, name), without_none(receiver))
    has = has_attribute(receiver, name) if default else True
    return found if has else Unknown("possibly the default of getattr()") if has is None else default[0]


def set_attribute(run: Run, node: ast.AST, *args: Value) -> Value:
    """`setattr(receiver, name, value)`, also as `receiver.__setattr__(name, value)`."""
    if len(args) != 3:
        return None
    receiver, name, value = args
    if isinstance(name, str):
        map_alternatives(run, partial(dispatch.set_attribute, run, node, name, value), without_none(receiver))
    elif isinstance(receiver, Instance) and isinstance(layer := receiver.fields.get(LAYER), ModuleContainer):
        run.journal.lose(layer)
    elif isinstance(receiver, ModuleContainer):
        run.journal.lose(receiver)
    elif isinstance(receiver, Unknown):
        havoc_stored(run, (value,))
    if isinstance(receiver, Instance) and not isinstance(name, str):
        run.journal.write(receiver, UNNAMED, True)
        if stores_elsewhere(receiver):
            lose_collections(run, receiver)
    if isinstance(receiver, Instance) and not isinstance(name, str) and (is_plain(value) or isinstance(value, Unknown)):
        _havoc_values(run, receiver, (is_plain,) if is_plain(value) else (is_plain, _is_collection))
    elif type(receiver) in UNKNOWN_KINDS or (
        not isinstance(name, str) and not _is_under_construction(run, receiver, value)
    ):
        _havoc_fields(run, receiver, _possible_names(node, name), _replaced_by(value))
    _replace_parameters(run, node, receiver, name, value)
    return None


def _replace_parameters(run: Run, node: ast.AST, receiver: Value, name: Value, value: Value) -> None:
    """Replaces the parameters of layers that a `setattr` with an unknown name may have overwritten."""
    if not isinstance(name, str) and isinstance(value, (TensorSpec, Unknown)):
        replace_parameters(run, _possible_layers(run, receiver), _possible_names(node, name), value)


def _possible_layers(run: Run, receiver: Value) -> list[Value]:
    """What holds the layers of which a `setattr` with an unknown name may set a parameter."""
    if type(receiver) in UNKNOWN_KINDS:
        return list(run.frame.names.fields.values())
    members = members_of(receiver)
    return [one.fields.get(LAYER) if isinstance(one, Instance) else one for one in members]


def _is_under_construction(run: Run, receiver: Value, value: Value) -> bool:
    """Whether a constructor registers a submodule, `setattr(self, name, layer)`, and does not replace one."""
    function = run.frame.function
    is_constructor = isinstance(function, ast.FunctionDef) and function.name == "__init__"
    return is_constructor and not isinstance(value, TensorSpec) and receiver is run.frame.names.fields.get("self")


def _possible_names(node: ast.AST, name: Value) -> Callable[[str], bool]:
    """Whether a `setattr` under a name that may be unknown sets a field: one with the prefix of `f"conv{i}"`."""
    if isinstance(name, str):
        return name.__eq__
    return lambda field: field.startswith(_prefix(node))


def _prefix(node: ast.AST) -> str:
    """The characters with which the second argument of a call certainly begins."""
    written = node.args[1] if isinstance(node, ast.Call) and len(node.args) > 1 else None
    if isinstance(written, ast.Call) and isinstance(written.func, ast.Attribute) and written.func.attr == "format":
        written = written.func.value
    if isinstance(written, ast.JoinedStr) and written.values:
        written = written.values[0]
    while isinstance(written, ast.BinOp):
        written = written.left
    text = written.value if isinstance(written, ast.Constant) else ""
    return re.split("[{%]", text)[0] if isinstance(text, str) else ""


def _replaced_by(value: Value) -> tuple[type, ...]:
    """The kinds of values that a `setattr` of a value is expected to overwrite."""
    modules = (ModuleSpec, ModuleContainer, Instance)
    if isinstance(value, Unknown):
        return (TensorSpec, *modules)
    return (TensorSpec,) if isinstance(value, TensorSpec) else modules if isinstance(value, modules) else ()


def _is_collection(value: Value) -> bool:
    return isinstance(value, (tuple, DictValue, ListValue, SetValue))


def _havoc_values(run: Run, receiver: Instance, kinds: Iterable[Callable[[Value], bool]]) -> None:
    """Replaces every value of these kinds that a `setattr` with an unknown name may have overwritten."""
    for name, held in list(receiver.fields.items()):
        if isinstance(name, str) and any(is_kind(held) for is_kind in kinds):
            run.journal.write(receiver, name, UnknownOption("an attribute set under an unknown name"))


def _havoc_fields(run: Run, receiver: Value, may_be: Callable[[str], bool], kinds: tuple[type, ...]) -> None:
    """Replaces every field of these kinds that a `setattr` with an unknown object or name may have overwritten."""
    in_reach = run.frame.names.fields.values() if type(receiver) in UNKNOWN_KINDS else (receiver,)
    for one in {one for value in in_reach for one in reachable(value, (Instance,))}:
        for name, held in list(one.fields.items()):
            if isinstance(name, str) and isinstance(held, kinds) and may_be(name):
                run.journal.write(one, name, Unknown("an attribute set under an unknown name"))


def _hasattr(run: Run, node: ast.AST, *args: Value) -> Value:
    has = has_attribute(args[0], args[1]) if len(args) == 2 and isinstance(args[1], str) else None
    return Unknown("hasattr() with unknown result") if has is None else has


REFLECTING: dict[str, Callable[..., Value]] = {
    "builtins.getattr": _getattr,
    "builtins.hasattr": _hasattr,
    "builtins.setattr": set_attribute,
    "builtins.object.__setattr__": set_attribute,
    **{f"{module}.__setattr__": set_attribute for module in MODULES},
}
