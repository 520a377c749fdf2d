"""The types of indexing, iterating and looking up keys in a container with known items."""

from __future__ import annotations

from mypy.checker import TypeChecker
from mypy.nodes import (
    Context,
    Expression,
    IntExpr,
    ListExpr,
    MemberExpr,
    SliceExpr,
    StarExpr,
    StrExpr,
    TupleExpr,
    UnaryExpr,
)
from mypy.plugin import AttributeContext, FunctionContext, MethodContext
from mypy.types import Instance, TupleType, Type, TypeVarType, UnionType, get_proper_type

from shapecheck.mypy import container_items
from shapecheck.mypy.file_scan import is_assigned_once, is_buffer, scan_of
from shapecheck.mypy.names import MODULE_LIST, tensor


def attribute(name: str, ctx: AttributeContext) -> Type:
    """The attribute hook: forget what other classes or other code may have changed."""
    if ctx.is_lvalue or not isinstance(ctx.api, TypeChecker):
        return ctx.default_attr_type
    found = get_proper_type(ctx.default_attr_type)
    if not _is_known(found):
        return ctx.default_attr_type
    receiver = get_proper_type(ctx.type.upper_bound) if isinstance(ctx.type, TypeVarType) else ctx.type
    trusted = isinstance(receiver, Instance) and is_assigned_once(receiver, name)
    if trusted and name not in scan_of(ctx.api).scan.foreign:
        return ctx.default_attr_type
    return _forget(found)


def child(name: str, ctx: AttributeContext) -> Type:
    """The attribute hook where Module's `__getattr__` answers: a key of a container, or a buffer."""
    if ctx.is_lvalue or not isinstance(ctx.type, Instance) or not isinstance(ctx.api, TypeChecker):
        return ctx.default_attr_type
    if is_buffer(ctx.type, name):
        return tensor(ctx.api) or ctx.default_attr_type
    found = container_items.entry(ctx.type, container_items.key(name))
    return _settled(ctx.api, ctx.context, found) or ctx.default_attr_type


def item(ctx: MethodContext) -> Type:
    """The method hook for `__getitem__`."""
    if not isinstance(ctx.type, Instance) or not isinstance(ctx.api, TypeChecker) or not ctx.args[0]:
        return ctx.default_return_type
    index = ctx.args[0][0]
    if isinstance(index, SliceExpr):
        found = container_items.entry(ctx.type, container_items.ITEM)
        part: Type | None = container_items.with_entries(ctx.type, {container_items.ITEM: found}) if found else None
        return _settled(ctx.api, ctx.context, part) or ctx.default_return_type
    return _settled(ctx.api, ctx.context, _indexed(ctx.type, index)) or ctx.default_return_type


def iterator(ctx: MethodContext) -> Type:
    """The method hook for `__iter__` and `values`: the default with another item type."""
    if not isinstance(ctx.api, TypeChecker):
        return ctx.default_return_type
    return _with_item(ctx.default_return_type, _item(ctx.api, ctx.type, ctx.context))


def items(ctx: MethodContext) -> Type:
    """The method hook for `ModuleDict.items`."""
    if not isinstance(ctx.api, TypeChecker):
        return ctx.default_return_type
    return _with_item(ctx.default_return_type, _item(ctx.api, ctx.type, ctx.context, position=1))


def enumerated(ctx: FunctionContext) -> Type:
    """The function hook for `enumerate`, where a loop runs over it directly."""
    if not _is_known(*ctx.arg_types[0]) or not _is_looped(ctx):
        return ctx.default_return_type
    assert isinstance(ctx.api, TypeChecker)
    found = _item(ctx.api, ctx.arg_types[0][0], ctx.context, position=1)
    return _with_item(ctx.default_return_type, found)


def zipped(ctx: FunctionContext) -> Type:
    """The function hook for `zip`, where a loop runs over it directly."""
    result = get_proper_type(ctx.default_return_type)
    if not any(_is_known(*given) for given in ctx.arg_types) or not _is_looped(ctx):
        return ctx.default_return_type
    assert isinstance(ctx.api, TypeChecker)
    pair = get_proper_type(result.args[0]) if isinstance(result, Instance) and result.args else None
    if not isinstance(pair, TupleType):
        return ctx.default_return_type
    types = list(pair.items)
    for position, given in enumerate(ctx.arg_types[: len(types)]):
        if len(given) == 1:
            types[position] = _item(ctx.api, given[0], ctx.context, position) or types[position]
    return _with_item(result, pair.copy_modified(items=types))


def _is_known(*types: Type) -> bool:
    for typ in types:
        found = get_proper_type(typ)
        if isinstance(found, Instance) and container_items.has_entries(found):
            return True
        if isinstance(found, UnionType) and _is_known(*found.items):
            return True
    return False


def _forget(typ: Type) -> Type:
    found = get_proper_type(typ)
    if isinstance(found, UnionType):
        return UnionType.make_union([_forget(part) for part in found.items])
    return container_items.without_entries(found) if isinstance(found, Instance) else typ


def _is_looped(ctx: FunctionContext) -> bool:
    return isinstance(ctx.api, TypeChecker) and ctx.context in scan_of(ctx.api).scan.targets


def _with_item(container: Type, found: Type | None) -> Type:
    result = get_proper_type(container)
    if found is None or not isinstance(result, Instance) or not result.args:
        return container
    return result.copy_modified(args=[*result.args[:-1], found])


def _indexed(container: Instance, index: Expression) -> Type | None:
    literal = _literal(index)
    found = container_items.entry(container, container_items.key(literal)) if literal is not None else None
    return found or container_items.entry(container, container_items.ITEM)


def _literal(index: Expression) -> int | str | None:
    match index:
        case IntExpr() | StrExpr():
            return index.value
        case UnaryExpr(op="-", expr=IntExpr(value=value)):
            return -value
    return None


def _item(checker: TypeChecker, container: Type, context: Context, position: int | None = None) -> Type | None:
    """The type of the target that `context` is iterated into, from the items of the container."""
    container = get_proper_type(container)
    if not isinstance(container, Instance) or not container_items.has_entries(container):
        return None
    found = container_items.entry(container, container_items.ITEM)
    unpacked = _unpacked(checker, found, context) if position is None else None
    return _settled(checker, context, unpacked or found, position)


def _unpacked(checker: TypeChecker, found: Type | None, context: Context) -> Type | None:
    """A tuple in place of a ModuleList that the loop unpacks at once: `for attention, mlp in self.layers`."""
    target = scan_of(checker).scan.targets.get(context) if isinstance(context, Expression) else None
    made = get_proper_type(found)
    if not isinstance(target, (TupleExpr, ListExpr)) or not isinstance(made, Instance):
        return None
    if made.type.fullname != MODULE_LIST:
        return None
    parts = [container_items.entry(made, container_items.key(index)) for index in range(len(target.items))]
    known = [part for part in parts if part is not None]
    longer = container_items.entry(made, container_items.key(len(parts))) is not None
    starred = any(isinstance(part, StarExpr) for part in target.items)
    exact = container_items.entry(made, container_items.key(-1)) is not None and not longer and not starred
    return TupleType(known, made) if exact and len(known) == len(parts) else None


def _settled(checker: TypeChecker, context: Context, found: Type | None, position: int | None = None) -> Type | None:
    """`found`, unless its target also takes other values: mypy would hold those to the first type."""
    if found is None or not isinstance(context, Expression):
        return found
    for writes in scan_of(checker).rewritten(context, position):
        if not all(_gives(checker, source, context, found) for source in writes):
            return None
    return found


def _gives(checker: TypeChecker, source: Expression | None, context: Expression, found: Type) -> bool:
    if source is context:
        return True
    if not isinstance(source, MemberExpr):
        return False
    with checker.msg.filter_errors(), checker.local_type_map:
        other = get_proper_type(checker.get_expression_type(source))
    return isinstance(other, Instance) and container_items.entry(other, container_items.ITEM) == found
