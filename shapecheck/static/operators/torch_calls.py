"""Applies the rules of `ops` for operators and layers, and reports the calls that they refuse."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import lru_cache, partial
from typing import NamedTuple

from shapecheck.ops import ModuleSpec, Trait, Unknown, infer, names_with
from shapecheck.ops.assumptions import Assumption, assuming
from shapecheck.spec import CallError, DTypeError, LayoutError, ShapeError, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Never, OpenShape
from shapecheck.static.domain.array_likes import (
    ArrayMark,
    as_tensors,
    first_mark,
    is_shared_call,
    marked,
    result_of_shared,
)
from shapecheck.static.domain.callee_names import short_name
from shapecheck.static.domain.floats import as_operand
from shapecheck.static.domain.followed_axes import facts_in, with_facts
from shapecheck.static.domain.objects import ListValue
from shapecheck.static.domain.open_sizes import OpenSizes
from shapecheck.static.domain.torch_names import is_modelled
from shapecheck.static.engine.axis_bindings import bind_axes, with_axis_bindings
from shapecheck.static.engine.call_refinement import refine_from_call
from shapecheck.static.engine.dispatch import Arguments, Keywords, dispatch
from shapecheck.static.engine.filled_lists import may_be_filled
from shapecheck.static.engine.hooks import AbstractCall, Before
from shapecheck.static.engine.operands import from_ops, to_ops
from shapecheck.static.engine.rank_learning import learn_assumptions
from shapecheck.static.engine.replaced_operators import is_replaced
from shapecheck.static.engine.run import Run
from shapecheck.static.operators.autocast import result_under_autocast, without_floating_dtypes
from shapecheck.static.operators.call_conflicts import conflict_of
from shapecheck.static.operators.caller_autocast import may_be_cast
from shapecheck.static.operators.created_sizes import takes_only_sizes, with_only_size
from shapecheck.static.operators.doubtful_branches import is_doubtful
from shapecheck.static.operators.doubtful_equalities import believed, report_doubtful
from shapecheck.static.operators.doubtful_ranks import is_parted, refuses_rank
from shapecheck.static.operators.layer_sizes import with_symbolic_sizes
from shapecheck.static.operators.misspelled import report_misspelled
from shapecheck.static.operators.refused_arguments import depends_on_values, follows_from_default
from shapecheck.static.operators.tensor_data import OF_DATA, as_data, with_tuple_as_data
from shapecheck.static.operators.tensor_series import join_of_many, parts_of_unknown_number, with_summary_item
from shapecheck.static.provenance.causes import Kind, Replacement, causes_of_call, with_replacements
from shapecheck.static.provenance.conflicts import conflict_notes

_Callee = str | ModuleSpec
"""The name of an operator or a layer class, or a layer."""
_KINDS: tuple[tuple[type[ShapeError], Kind], ...] = ((DTypeError, "dtype"), (LayoutError, "layout"))
_SHAPE: Kind = "shape"
_CODES = ((DTypeError, "dtype-mismatch"), (LayoutError, "non-contiguous"), (CallError, "wrong-call"))


class _Facts(NamedTuple):
    """What `torch_call` asks about a name, for every call of it."""

    short: str
    is_modelled: bool
    may_build_layer: bool
    joins: bool
    takes_numbers: bool
    takes_data: bool
    is_class_of_dtype: bool
    """Whether it is `torch.FloatTensor` or the like."""
    takes_only_sizes: bool
    splits: bool
    reads_rank: bool

    @property
    def may_know_more(self) -> bool:
        """Whether something is known of a result that is unknown to `ops`."""
        return self.splits or self.reads_rank


_READING_SIZES = frozenset(("shape", "size"))
_READING_RANK = frozenset("shape size dim ndim ndimension".split())


@lru_cache(maxsize=1 << 12)
def _facts_of(name: str) -> _Facts:
    """`name` is dotted, or that of a layer that is called: `Linear()`."""
    short = short_name(name)
    return _Facts(
        short,
        is_modelled(name),
        name.startswith("torch.nn."),
        short in names_with(Trait.JOINS),
        short.removesuffix("_") in names_with(Trait.NUMBER_OPERANDS),
        short in OF_DATA,
        name.startswith("torch.") and short.endswith("Tensor"),
        name.startswith("torch.") and takes_only_sizes(short),
        short in names_with(Trait.SPLITS),
        short in _READING_RANK,
    )


def torch_call(run: Run, node: ast.AST, name: _Callee, args: Arguments, kwargs: Keywords) -> Value:
    """The result of calling an operator, layer class or layer; a refused call is a finding at `node`."""
    mark = first_mark(args, kwargs)
    if mark is None:
        return _of_tensors(run, node, name, args, kwargs)
    return _of_array_likes(run, node, name, args, kwargs, mark)


def _of_tensors(run: Run, node: ast.AST, name: _Callee, args: Arguments, kwargs: Keywords) -> Value:
    layer = None if isinstance(name, str) else name
    facts = _facts_of(name if layer is None else short_name(layer))
    if isinstance(name, str) and not facts.is_modelled:
        report_misspelled(run, node, name, args)
        return Unknown(f"no rule for {name}")
    if facts.is_class_of_dtype:
        args = with_tuple_as_data(node, args)
    elif facts.takes_only_sizes:
        args = with_only_size(run, node, args)
    if is_replaced(run, facts.short):
        return Unknown(f"{facts.short}, which the program replaces")
    given = args
    if run.watch is not None or run.inputs is not None:
        args, kwargs = _observed(run, name, args, kwargs)
    failed = next((one for one in args if type(one) is Never), None) if facts.takes_numbers else None
    if failed is not None:  # the shape of the other operand is not that of the result
        return failed
    if layer is not None and layer.name == "Identity" and args:
        return args[0]
    return _applied(run, node, name, args, kwargs, facts, given)


def _applied(
    run: Run, node: ast.AST, name: _Callee, args: Arguments, kwargs: Keywords, facts: _Facts, given: Arguments
) -> Value:
    """The result of the rule of `ops`, after the hooks around it; `given` are the arguments before their use."""
    layer = None if isinstance(name, str) else name
    if facts.may_build_layer and isinstance(name, str):
        args, kwargs = with_symbolic_sizes(run, node, name, args, kwargs)
    short = facts.short
    if facts.joins and args and isinstance(node, ast.Call) and node.args and may_be_filled(run, node.args[0], args[0]):
        return Unknown("a list that other code fills")
    if facts.joins and (one := with_summary_item(args)) is not None:
        return join_of_many(_of_tensors(run, node, name, one, kwargs), args, kwargs)
    before = run.rules.before.get(short, layer)
    if before and (decided := _decided(before, _described(run, node, name, args, kwargs))) is not None:
        return decided
    operands = map(as_operand, args) if facts.takes_numbers else map(as_data, args) if facts.takes_data else args
    positional, named = [to_ops(one) for one in operands], {key: to_ops(value) for key, value in kwargs.items()}
    try:
        result, assumed = _infer(run, name, positional, named)
    except ShapeError as refusal:
        return _refused(run, node, name, args, kwargs, refusal)
    if assumed:
        report_doubtful(run, node, name, args, kwargs, assumed)
    value = _followed(run, node, name, with_facts(args, given), kwargs, run.knowledge.settled(from_ops(result)))
    if isinstance(value, Unknown) and facts.may_know_more:
        return _partly_known(run, facts, args, kwargs, value)
    for after in run.rules.after.get(short, layer):
        value = after(_described(run, node, name, args, kwargs), value)
    run.origins.made(value, name, args, kwargs, node, run.frame.scope)
    return value


def _followed(run: Run, node: ast.AST, name: _Callee, args: Arguments, kwargs: Keywords, value: Value) -> Value:
    """The result after the rules that follow facts about the arguments."""
    if facts_in((*args, *kwargs.values()) if kwargs else args):
        for follow in run.rules.followed.get("*"):
            value = follow(_described(run, node, name, args, kwargs), value)
    return value


def _partly_known(run: Run, facts: _Facts, args: Arguments, kwargs: Keywords, value: Unknown) -> Value:
    """The parts of an unknown number, or the lower bound of an unknown rank; else the value."""
    if facts.splits:
        return parts_of_unknown_number(facts.short, args, kwargs) or value
    first = args[0] if args else None
    if type(value) is not Unknown or not isinstance(first, TensorSpec) or not (first.shape.least_rank or run.inputs):
        return value
    return OpenSizes(first) if facts.short in _READING_SIZES and len(args) == 1 and not kwargs else OpenShape(first)


def _of_array_likes(
    run: Run, node: ast.AST, name: _Callee, args: Arguments, kwargs: Keywords, mark: ArrayMark
) -> Value:
    """The result for array-likes; nothing is reported of what other libraries share with torch."""
    if run.inputs is not None:
        refine_from_call(run, name, args, kwargs)
    if not isinstance(name, str) or not is_shared_call(name, args):
        named = {key: as_tensors(one) for key, one in kwargs.items()}
        made = _of_tensors(run, node, name, tuple(map(as_tensors, args)), named)
        is_any_array = isinstance(name, str) and name.startswith(("einops.", "einx."))
        return marked(made, mark) if is_any_array and isinstance(made, TensorSpec) else made
    if not is_modelled(name):
        return Unknown(f"no rule for {name}")
    try:
        operands = map(as_operand, args) if _facts_of(name).takes_numbers else args
        found = infer(name, *map(to_ops, operands), **{key: to_ops(value) for key, value in kwargs.items()})
    except ShapeError:
        found = TensorSpec.anything()
    return result_of_shared(name, args, run.knowledge.settled(from_ops(found)), mark)


def _observed(run: Run, name: _Callee, args: Arguments, kwargs: Keywords) -> tuple[Arguments, Keywords]:
    """The arguments after a call was passed to the observer, and to the inference of shapes that are not known."""
    if run.watch is not None and run.watch.sees_all:
        run.watch.asked[name if isinstance(name, str) else name.name] += 1
    if run.inputs is None:
        return args, kwargs
    ranks = run.knowledge.ranks
    refine_from_call(run, name, args, kwargs)
    if run.knowledge.ranks is ranks:
        return args, kwargs
    return tuple([_settled(run, one) for one in args]), {key: run.knowledge.settled(one) for key, one in kwargs.items()}


def _settled(run: Run, value: Value) -> Value:
    """An argument with what is known about it, or about the items of a list."""
    if isinstance(value, ListValue) and not value.lost:
        return ListValue(tuple(map(run.knowledge.settled, value.items)))
    return run.knowledge.settled(value)


def _refused(run: Run, node: ast.AST, name: _Callee, args: Arguments, kwargs: Keywords, refusal: ShapeError) -> Value:
    if isinstance(refusal, CallError) and depends_on_values(run, node, name, args, kwargs, refusal):
        return Unknown("unknown arguments")
    if follows_from_default(name, args, kwargs, refusal):
        return Unknown("a default that is to be replaced")
    if is_parted(run) and refuses_rank(name, args, kwargs, refusal):
        return Unknown("a branch for tensors of some rank")
    if is_parted(run) and is_doubtful(name, args, refusal):
        return Unknown("a branch for other operands")
    if may_be_cast(run, name, (*args, *kwargs.values()), refusal):
        try:
            found = _infer_autocast(name, [to_ops(one) for one in args], {key: to_ops(kwargs[key]) for key in kwargs})
        except ShapeError as other:
            refusal = other
        else:
            return run.knowledge.settled(from_ops(found))
    why = partial(conflict_notes, run, node, name, args, kwargs, str(refusal), refusal.sizes)
    causes = partial(_causes, run, node, name, args, kwargs, refusal)
    return run.report(_code_of(refusal), node, str(refusal), why, causes, conflict_of(run, name, args, refusal))


def _causes(
    run: Run, node: ast.AST, name: _Callee, args: Arguments, kwargs: Keywords, refusal: ShapeError
) -> tuple[str, ...]:
    if isinstance(refusal, CallError):
        return ()
    learned, autocasting = dict(run.learned.sizes), run.autocasting

    def works(replaced: Replacement) -> bool:
        def operand(value: Value) -> object:
            known = to_ops(as_operand(with_replacements(value, replaced)))
            return with_axis_bindings(learned, known) if learned else known

        positional, named = [operand(one) for one in args], {key: operand(value) for key, value in kwargs.items()}
        try:
            _infer_autocast(name, positional, named) if autocasting else infer(name, *positional, **named)
        except ShapeError:
            return False
        return True

    kind = next((kind for refused, kind in _KINDS if isinstance(refusal, refused)), _SHAPE)
    layer = None if isinstance(name, str) else name
    return causes_of_call(run, node, layer, args, kwargs, kind, works, refusal.sizes)


def _described(run: Run, node: ast.AST, name: _Callee, args: Arguments, kwargs: Keywords) -> AbstractCall:
    """The call as hooks see it."""
    if isinstance(name, str):
        return AbstractCall(run, node, short_name(name), args, kwargs, operator=name)
    return AbstractCall(run, node, name.name, args, kwargs, name)


def _decided(rules: tuple[Before, ...], call: AbstractCall) -> Value:
    """The result that a `before` hook decides; None if none does."""
    for rule in rules:
        decided = rule(call)
        if decided is not None:
            return decided
    return None


def _infer(
    run: Run, name: _Callee, args: list[object], kwargs: dict[str, object]
) -> tuple[object, Iterable[Assumption]]:
    """The result of the rule of `ops`, and what it assumed. Axis bindings are substituted only if it is refused."""
    if not run.learned.in_use and run.inputs is None:
        return _infer_once(run, name, args, kwargs), ()
    try:
        with assuming() as assumed:
            result = _infer_once(run, name, args, kwargs)
    except ShapeError:
        if not run.learned.sizes:
            raise
        known = {key: with_axis_bindings(run.learned.sizes, value) for key, value in kwargs.items()}
        return infer(name, *with_axis_bindings(run.learned.sizes, args), **known), ()
    if assumed and run.learned.in_use:
        bind_axes(run.learned.sizes, assumed)
    if run.inputs is not None:
        learn_assumptions(run, believed(run, name, args, kwargs, assumed))
    return result, assumed


def _infer_once(run: Run, name: _Callee, args: list[object], kwargs: dict[str, object]) -> object:
    if run.autocasting:
        return result_under_autocast(name, _infer_autocast(name, args, kwargs))
    return infer(name, *args, **kwargs)


def _infer_autocast(name: _Callee, args: list[object], kwargs: dict[str, object]) -> object:
    """The result of the rule of `ops`, without floating-point dtypes if it refuses the call because of them."""
    try:
        return infer(name, *args, **kwargs)
    except DTypeError:
        cast_kwargs = {key: without_floating_dtypes(value) for key, value in kwargs.items()}
        return infer(name, *map(without_floating_dtypes, args), **cast_kwargs)


def _code_of(refusal: ShapeError) -> str:
    """The diagnostic code of a refused call."""
    return next((code for kind, code in _CODES if isinstance(refusal, kind)), "shape-mismatch")


dispatch.torch_call = torch_call
