"""Arithmetic that promotes a smaller floating-point dtype to float64, in source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from shapecheck.conditions import float64_leak as rule
from shapecheck.ops import ModuleSpec, Trait
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.spec import TensorSpec
from shapecheck.spec.dtype import float64
from shapecheck.static.domain.callee_names import name_of_callee
from shapecheck.static.domain.objects import ClassValue, Instance, ListValue
from shapecheck.static.domain.values import ExternalReference
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.hooks import AbstractCall, before
from shapecheck.static.engine.origins import TensorOrigin
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.causes import causes_of_dtype

_REDUCTIONS = frozenset("sum mean cumsum prod cumprod nansum softmax log_softmax norm vector_norm".split())
_FLOAT64 = ("torch.float64", "torch.double")
_CASTS = frozenset("float half bfloat16 to type type_as".split())
_LARGE = frozenset("float64 double complex128 cdouble".split())
_SMALL = frozenset("float32 float float16 half bfloat16 complex64 cfloat".split())
_FILLERS = frozenset("zeros ones full empty eye linspace logspace tensor".split())
_RANDOM = frozenset(("rand", "randn"))
_MOST_HOPS = 8


@before(rule.CODE, Trait.PROMOTES_DTYPES)
def promoted(call: AbstractCall) -> None:
    """Reports a float64 operand that is combined with one of a smaller floating-point dtype."""
    given = list(_operands(call))
    if isinstance(call.node, ast.AugAssign) or rule.find(call.name, given) is None or _computes_in_float64(call.node):
        return  # an in-place operator keeps the dtype of its first operand
    found = rule.find(call.name, [one for one in given if not _is_incidental(call, one)])
    if found is not None and not _is_chosen(call.run):
        causes = partial(causes_of_dtype, call.run, call.node, call.args, float64)
        call.run.report(rule.CODE, call.node, found.message, causes=causes)


def _is_incidental(call: AbstractCall, operand: TensorSpec) -> bool:
    """Whether the operand has torch's default dtype for lack of another, so that float64 is that of the data.

    It is a mask or integers with a number, `mask * 0.5`, or what `torch.where` puts in the place of other elements;
    in a function that writes float64, also weights that it fills, and noise in the same expression.
    """
    made = call.run.origins.of_tensor(operand)
    if call.name == "where" and made is not None and _short_name(made) in _FILLERS:
        return "dtype" not in made.kwargs and made.names is call.run.frame.scope
    if _is_in_float64(call.run) and _is_of_default(call, operand, _MOST_HOPS):
        return True
    return _is_of_integers(call.run, operand, _MOST_HOPS)


def _is_in_float64(run: Run) -> bool:
    """Whether a function asks for float64 itself, or its class or a caller does: `Cell(4, dtype=torch.float64)`."""
    function = run.frame.function
    if (function is not None and _writes_float64(run, function)) or _is_class_in_float64(run):
        return True
    return any(map(_is_float64, _values_of_calls(run)))


def _values_of_calls(run: Run) -> Iterator[object]:
    """The values of the variables of the active calls, and of the attributes of the object whose method runs."""
    for frame in run.outward():
        if frame.function is not None:
            yield from frame.names.fields.values()
    owner = run.frame.names.fields.get("self")
    if isinstance(owner, Instance):
        yield from owner.fields.values()


def _is_class_in_float64(run: Run) -> bool:
    """Whether the constructor of the class of a method asks for float64, or that of a base class."""
    owner = run.frame.names.fields.get("__class__")
    made = [_constructor(one.node) for one in owner.mro()] if isinstance(owner, ClassValue) else []
    return any(one is not None and _writes_float64(run, one) for one in made)


@cached_on_node
def _constructor(cls: ast.AST) -> ast.AST | None:
    body = getattr(cls, "body", ())
    return next((one for one in body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None)


@cached_on_node
def _computes_in_float64(node: ast.AST) -> bool:
    """Whether an expression casts several operands, `x.double() @ w.double() + b`: the author wants the precision."""
    methods = [one.func for one in walk(node) if isinstance(one, ast.Call) and not one.args]
    return sum(isinstance(one, ast.Attribute) and one.attr == "double" for one in methods) > 1


def _is_of_default(call: AbstractCall, value: TensorSpec, hops: int) -> bool:
    """Whether a tensor is computed from new ones alone, which were made without a dtype: they are no data."""
    made = call.run.origins.of_tensor(value) if hops else None
    if made is None or "dtype" in made.kwargs or isinstance(made.callee, ModuleSpec):
        return False
    if _short_name(made) in _FILLERS:
        return value.dtype is not float64 and _is_made_here(call.run, made)
    tensors = [one for one in (*made.args, *made.kwargs.values()) if isinstance(one, TensorSpec)]
    if tensors:
        return value.dtype is not float64 and all(_is_of_default(call, one, hops - 1) for one in tensors)
    return _short_name(made) in _RANDOM and any(one is made.node for one in walk(call.node))


def _is_made_here(run: Run, made: TensorOrigin) -> bool:
    """Whether the running function made a tensor, or another method of its class, if all of it asks for float64."""
    if made.names is run.frame.scope:
        return True
    owner, maker = (names.fields.get("__class__") for names in (run.frame.names, made.names))
    return isinstance(owner, ClassValue) and maker in owner.mro() and _is_class_in_float64(run)


def _is_of_integers(run: Run, value: TensorSpec, hops: int) -> bool:
    """Whether a floating-point tensor is computed from tensors of other dtypes, without a cast."""
    made = run.origins.of_tensor(value) if hops else None
    if made is None or "dtype" in made.kwargs or _short_name(made) in _CASTS:
        return False
    tensors = [one for one in made.args if isinstance(one, TensorSpec)]
    return bool(tensors) and all(_is_integral(one) or _is_of_integers(run, one, hops - 1) for one in tensors)


def _is_integral(value: TensorSpec) -> bool:
    return value.dtype is not None and not value.dtype.is_floating and not value.dtype.is_complex


def _short_name(made: TensorOrigin) -> str:
    return "" if isinstance(made.callee, ModuleSpec) else made.callee.rpartition(".")[2]


def _is_chosen(run: Run) -> bool:
    """Whether the running function, or the body of a module, computes in float64 on purpose.

    Its caller passes float64, it sums in float64, it casts several tensors to a large dtype, or casts to one and back
    to a smaller one.
    """
    frame = run.frame
    function, owner = frame.function, frame.names.fields.get("__class__")
    if _casts_several(run.loaded.tree if function is None else function):
        return True
    if function is not None and _converts_back(function):
        return True
    if isinstance(owner, ClassValue):
        return _sums_in_float64(owner.node)
    return function is not None and (_sums_in_float64(function) or _receives_float64(frame))


@cached_on_node
def _casts_several(code: ast.AST) -> bool:
    """Whether code casts more than one tensor to float64 or complex128."""
    casts = (one for one in walk(code) if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute))
    return sum(_casts_to(one, _LARGE) for one in casts) > 1


def _receives_float64(frame: Frame) -> bool:
    """Whether a function is called with a float64 tensor."""
    function = frame.function
    if frame.call is None or not isinstance(function, ast.FunctionDef):
        return False
    given = [frame.names.fields.get(one.arg) for one in (*function.args.args, *function.args.kwonlyargs)]
    return any(isinstance(one, TensorSpec) and one.dtype is float64 for one in given)


@cached_on_node
def _converts_back(function: ast.AST) -> bool:
    """Whether code casts to float64 or complex128, and in a later line to a smaller floating-point dtype."""
    casts = [one for one in walk(function) if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute)]
    large = [one.lineno for one in casts if _casts_to(one, _LARGE)]
    return any(_casts_to(one, _SMALL) and one.lineno > min(large) for one in casts) if large else False


def _casts_to(call: ast.Call, dtypes: frozenset[str]) -> bool:
    """Whether it is `x.double()`, `x.to(torch.float64)` or the like."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    given = [*call.args, *(one.value for one in call.keywords)]
    return (name in dtypes and not given) or (
        name in _CASTS and any(isinstance(one, ast.Attribute) and one.attr in dtypes for one in given)
    )


@cached_on_node
def _names_float64(code: ast.AST) -> bool:
    return any(isinstance(one, ast.Attribute) and one.attr in ("float64", "double") for one in walk(code))


def _writes_float64(run: Run, function: ast.AST) -> bool:
    """Whether a function asks for float64 itself: `dtype=torch.float64`, `x.double()`, or a constant of the file."""
    if _names_float64(function):
        return True
    names = run.frame.names
    while names.parent is not None:
        names = names.parent
    return any(_is_float64(names.fields.get(one)) for one in _read(function))


def _is_float64(value: object) -> bool:
    return isinstance(value, ExternalReference) and value.name in _FLOAT64


@cached_on_node
def _read(code: ast.AST) -> frozenset[str]:
    return frozenset(one.id for one in walk(code) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load))


@cached_on_node
def _sums_in_float64(code: ast.AST) -> bool:
    """Whether code asks a reduction for float64, `x.sum(0, dtype=torch.float64)`: it needs the precision."""
    return any(
        isinstance(one, ast.Call)
        and name_of_callee(one) in _REDUCTIONS
        and any(given.arg == "dtype" and ast.unparse(given.value) in _FLOAT64 for given in one.keywords)
        for one in walk(code)
    )


def _operands(call: AbstractCall) -> Iterator[TensorSpec]:
    """The tensors among the arguments and in lists of them."""
    for one in call.args:
        items = one.items if isinstance(one, ListValue) and not one.lost else one if type(one) is tuple else (one,)
        yield from (item for item in items if isinstance(item, TensorSpec))
