"""Infers the items of Sequential, ModuleList and ModuleDict where one is constructed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile

from mypy.checker import TypeChecker
from mypy.join import join_types
from mypy.maptype import map_instance_to_supertype
from mypy.nodes import CallExpr, Expression, RefExpr, TypeInfo
from mypy.plugin import FunctionContext
from mypy.types import Instance, TupleType, Type, UnionType, get_proper_type, has_type_vars

from shapecheck.mypy import container_items
from shapecheck.mypy.elements import Element, constructor_elements
from shapecheck.mypy.file_scan import scan_of
from shapecheck.mypy.names import CONTAINERS, MODULE, MODULE_DICT, MODULE_LIST, SEQUENTIAL, definer, is_module

Typer = Callable[[Expression, bool], Instance | None]
"""The module type of an expression, or of its items when the flag is set; None if it is uncertain."""


def construct(ctx: FunctionContext) -> Type:
    """The function hook for the three constructors."""
    made, checker, call = get_proper_type(ctx.default_return_type), ctx.api, ctx.context
    if not isinstance(made, Instance) or made.type.fullname not in CONTAINERS:
        return ctx.default_return_type
    if not isinstance(checker, TypeChecker) or not isinstance(call, CallExpr):
        return ctx.default_return_type
    changes = scan_of(checker).changes_to(call)
    if changes is None:
        return ctx.default_return_type
    return _describe(made, call, lambda expr, unpack: _checked_type(checker, expr, unpack), changes)


def _describe(made: Instance, call: CallExpr, typer: Typer, changes: Sequence[Element]) -> Instance:
    elements = constructor_elements(made.type.fullname, call)
    types = [_element_type(element, typer) for element in elements]
    added = [_element_type(element, _constructed) for element in changes if element.choices or element.many]
    entries: dict[str, Type] = {}
    item = _merge([*types, *added])
    if item is not None:
        entries[container_items.ITEM] = item
    if not changes:
        entries.update(_keyed(made.type.fullname, elements, types))
    return container_items.with_entries(made, entries)


def _keyed(kind: str, elements: list[Element], types: list[Instance | None]) -> dict[str, Type]:
    pairs = list(zip(elements, types, strict=True))
    entries: dict[str, Type] = {}
    keys = [element.key for element in elements if element.key is not None]
    # A `**rest` or a repeated key may replace an earlier one.
    if not any(element.many for element in elements) and len(keys) == len(set(keys)):
        entries = {
            container_items.key(element.key): typ
            for element, typ in pairs
            if element.key is not None and typ is not None
        }
    if kind == MODULE_DICT:
        return entries
    fixed = takewhile(lambda pair: not pair[0].many, pairs)
    for index, (_, typ) in enumerate(fixed):
        if typ is not None:
            entries[container_items.key(index)] = typ
    if last := _last(pairs):
        entries[container_items.LAST] = UnionType.make_union(last)
        if len(last) == 1:
            entries[container_items.key(-1)] = last[0]
    return entries


def _last(pairs: list[tuple[Element, Instance | None]]) -> list[Instance]:
    """The possible last items; empty if that is uncertain."""
    found: list[Instance] = []
    for element, typ in reversed(pairs):
        if typ is None:
            return []
        if typ not in found:
            found.append(typ)
        if not element.many:
            return found
    # All may be empty, and then there is no last item.
    return found


def _element_type(element: Element, typer: Typer) -> Instance | None:
    return _merge([typer(choice, element.unpack) for choice in element.choices])


def _merge(types: Iterable[Instance | None]) -> Instance | None:
    """One type for all of them, as long as each runs that type's own `forward`."""
    merged: Instance | None = None
    for typ in types:
        if typ is None:
            return None
        if merged is None or merged == typ:
            merged = typ
            continue
        joined = get_proper_type(join_types(merged, typ))
        if not isinstance(joined, Instance) or not _same_forward(joined, merged, typ):
            return None
        merged = joined
    return merged


def _same_forward(joined: Instance, *parts: Instance) -> bool:
    if joined.type.fullname == MODULE or not is_module(joined.type):
        return False
    return all(
        definer(part.type, name) is definer(joined.type, name) for part in parts for name in ("forward", "__call__")
    )


def _checked_type(checker: TypeChecker, expr: Expression, unpack: bool) -> Instance | None:
    """From the type that mypy has just inferred for the expression, as an argument of the call being checked."""
    found = get_proper_type(checker.lookup_type_or_none(expr))
    if unpack and found is not None:
        found = get_proper_type(_item_type(checker, found))
    return _certain(found)


def _item_type(checker: TypeChecker, iterable: Type) -> Type | None:
    iterable = get_proper_type(iterable)
    if isinstance(iterable, TupleType):
        return _merge([_certain(item) for item in iterable.items])
    if not isinstance(iterable, Instance):
        return None
    if iterable.type.fullname in (MODULE_LIST, SEQUENTIAL):
        return container_items.entry(iterable, container_items.ITEM)
    if iterable.type.has_base("typing.Iterable"):
        return map_instance_to_supertype(iterable, checker.lookup_typeinfo("typing.Iterable")).args[0]
    return None


def _certain(typ: Type | None) -> Instance | None:
    found = get_proper_type(typ)
    if not isinstance(found, Instance) or not is_module(found.type) or found.type.fullname == MODULE:
        return None
    # A class local to a function, or a type variable of the enclosing class, has no meaning elsewhere.
    if "@" in found.type.fullname or has_type_vars(found):
        return None
    return found


def _constructed(expr: Expression, unpack: bool) -> Instance | None:
    """From syntax alone, for a change elsewhere in the class: a call of a known, non-generic class."""
    if unpack or not isinstance(expr, CallExpr) or not isinstance(expr.callee, RefExpr):
        return None
    info = expr.callee.node
    if not isinstance(info, TypeInfo) or info.type_vars or info.metaclass_type or not is_module(info):
        return None
    made = _certain(Instance(info, []))
    if made is not None and info.fullname in CONTAINERS:
        return _describe(made, expr, _constructed, ())
    return made
