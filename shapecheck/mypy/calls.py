"""The type of calling a module: its `forward`, bound to the receiver."""

from __future__ import annotations

from mypy.checker import TypeChecker
from mypy.nodes import CallExpr, Context, MemberExpr, TypeInfo
from mypy.plugin import MethodSigContext
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    Overloaded,
    ProperType,
    Type,
    TypeOfAny,
    TypeVarType,
    UnionType,
    get_proper_type,
    has_type_vars,
)

from shapecheck.mypy import container_items
from shapecheck.mypy.file_scan import built_by_several
from shapecheck.mypy.names import SEQUENTIAL, calls_forward, definer, tensor

_NESTING = 8


def call_signature(ctx: MethodSigContext) -> FunctionLike:
    """The signature hook for `__call__`."""
    checker, receiver = ctx.api, ctx.type
    if not isinstance(checker, TypeChecker) or not isinstance(receiver, Instance):
        return ctx.default_signature
    signature = _signature_of(checker, receiver, ctx.context)
    if isinstance(signature, CallableType) and _is_ambiguous(checker, ctx.context):
        generic = has_type_vars(signature.ret_type)
        return ctx.default_signature if generic else ctx.default_signature.copy_modified(ret_type=signature.ret_type)
    return signature or ctx.default_signature


def _signature_of(
    checker: TypeChecker, receiver: Instance, context: Context, depth: int = _NESTING
) -> FunctionLike | None:
    """What a call of the instance accepts and returns, None if mypy handles it or it is unknown."""
    if depth == 0 or not calls_forward(receiver.type):
        return None
    forward = _member(checker, receiver, "forward", context)
    if isinstance(forward, Instance):
        # `forward` is itself a callable object, possibly a module.
        called = _signature_of(checker, forward, context, depth - 1)
        forward = called or _member(checker, forward, "__call__", context)
    if not isinstance(forward, FunctionLike):
        return None
    if isinstance(forward, CallableType) and _is_sequential(receiver.type):
        result = _sequential_result(checker, receiver, context, depth)
        return forward.copy_modified(ret_type=result) if result is not None else forward
    return forward


def _is_ambiguous(checker: TypeChecker, call: Context) -> bool:
    """Whether this calls an attribute that other branches fill with another class, whose arguments may differ.

    mypy has objected to those assignments already, or there is no first class to hold the others to.
    """
    if not isinstance(call, CallExpr) or not isinstance(call.callee, MemberExpr):
        return False
    owner = get_proper_type(checker.lookup_type_or_none(call.callee.expr))
    owner = get_proper_type(owner.upper_bound) if isinstance(owner, TypeVarType) else owner
    return isinstance(owner, Instance) and built_by_several(owner, call.callee.name)


def _member(checker: TypeChecker, receiver: Instance, name: str, context: Context) -> ProperType | None:
    if definer(receiver.type, name) is None:
        return None
    with checker.msg.filter_errors() as errors:
        found = checker.expr_checker.analyze_external_member_access(name, receiver, context)
    return None if errors.has_new_errors() else get_proper_type(found)


def _is_sequential(info: TypeInfo) -> bool:
    runner = definer(info, "forward")
    return runner is not None and runner.fullname == SEQUENTIAL


def _sequential_result(checker: TypeChecker, receiver: Instance, context: Context, depth: int) -> Type | None:
    last = get_proper_type(container_items.entry(receiver, container_items.LAST))
    if last is None:
        return tensor(checker)
    layers = last.items if isinstance(last, UnionType) else [last]
    results = [_result(checker, get_proper_type(layer), context, depth - 1) for layer in layers]
    same = all(result == results[0] for result in results)
    return results[0] if same else AnyType(TypeOfAny.special_form)


def _result(checker: TypeChecker, layer: ProperType, context: Context, depth: int) -> Type:
    unknown = AnyType(TypeOfAny.special_form)
    if not isinstance(layer, Instance):
        return unknown
    _depend_on(checker, layer.type)
    signature = _signature_of(checker, layer, context, depth)
    if isinstance(signature, Overloaded):
        results = [item.ret_type for item in signature.items]
        return results[0] if all(result == results[0] for result in results) else unknown
    if not isinstance(signature, CallableType) or has_type_vars(signature.ret_type):
        return unknown
    return signature.ret_type


def _depend_on(checker: TypeChecker, info: TypeInfo) -> None:
    # The layer's class is in no expression's type here, so neither cache nor daemon would see this use of it.
    checker.module_refs.update(base.module_name for base in info.mro)
    target = checker.tscope.current_target()
    name = f"{info.fullname}.__call__"
    checker.tree.alias_deps[target].add(name)
    checker.tree.plugin_deps.setdefault(f"<{name}>", set()).add(target)
