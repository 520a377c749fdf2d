"""Learns from calls what symbolic arguments, and tensors of unknown rank, must be.

A symbolic argument that a call refines on an unconditional path makes the analysis start again with the refined one.
Any other tensor of unknown rank is refined for the rest of the path.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from shapecheck.ops import ModuleSpec, tensor_arguments
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.array_likes import is_shared_call, mark_of, operands_of, proves_tensors
from shapecheck.static.domain.objects import ListValue
from shapecheck.static.domain.symbolic_argument import ArgumentPart, SymbolicArgument
from shapecheck.static.engine.operand_requirements import (
    OperandRequirement,
    requirement_of,
    requirements_of_attention,
    takes_tensor,
    with_requirement,
)
from shapecheck.static.engine.rank_learning import learn_shape, learn_tensor
from shapecheck.static.engine.rank_polymorphic import ALL_TENSORS, EXACT_RANKS, IN_SEQUENCE, USUAL_RANKS

if TYPE_CHECKING:
    from shapecheck.static.engine.run import Run


def refine_from_call(run: Run, name: str | ModuleSpec, args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> None:
    """Refines symbolic arguments by the requirements of an operator or a layer."""
    _prove_tensors(run, name, args, kwargs)
    if isinstance(name, str) and not name[0].isalpha():
        _learn_from_operands(run, args)
        return
    if any(mark_of(one) is not None for one in args) and is_shared_call(name, args):
        return
    if isinstance(name, str):
        _refine_operands(run, name, args)
    else:
        _refine_attended(run, name, args, kwargs)
    _refine_tensors(run, name, args, kwargs)
    first = args[0] if args else kwargs.get("input")
    if not _is_open(first):
        return
    requirement = requirement_of(name, args, kwargs)
    if requirement is not None:
        _require(run, first, requirement)
    elif isinstance(first, SymbolicArgument) and takes_tensor(name):
        refine_to_tensor(run, first, array_like=not proves_tensors(name, args))


def _refine_operands(run: Run, name: str, args: tuple[Value, ...]) -> None:
    """Refines the operands of an operator that accepts only one rank, or only tensors."""
    short = name.rpartition(".")[2]
    ranks = EXACT_RANKS.get(short)
    if ranks is None and run.inputs is not None and run.inputs.eager:
        ranks = USUAL_RANKS.get(short)
    if ranks is not None:
        _learn_ranks(run, args, ranks)
    for one in _only_tensors(short, args):
        refine_to_tensor(run, one, array_like=not proves_tensors(name, args))


def _only_tensors(short: str, args: tuple[Value, ...]) -> Iterable[Value]:
    """The operands that an operator takes only as tensors."""
    if short in ALL_TENSORS:
        return operands_of(args, {})
    is_sequence = short in IN_SEQUENCE and args and isinstance(args[0], (tuple, ListValue))
    return operands_of(args[:1], {}) if is_sequence else ()


def _refine_attended(run: Run, layer: ModuleSpec, args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> None:
    """Refines queries, keys and values of an attention layer."""
    for value, requirement in requirements_of_attention(layer, args, kwargs):
        if _is_open(value):
            _require(run, value, requirement)


def _refine_tensors(run: Run, name: str | ModuleSpec, args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> None:
    """Refines the arguments that an operator or a layer takes only as tensors."""
    if run.inputs is None:
        return
    if run.inputs.combined:
        run.inputs.note_tensors(tensor_arguments(name, args, kwargs, optional=True))
    if not any(isinstance(one, (SymbolicArgument, ArgumentPart)) for one in (*args, *kwargs.values())):
        return
    is_array = not proves_tensors(name, args)
    for one in tensor_arguments(name, args, kwargs, optional=run.inputs.eager):
        refine_to_tensor(run, one, array_like=is_array)


def _is_open(value: Value) -> bool:
    return isinstance(value, SymbolicArgument) or (isinstance(value, TensorSpec) and value.shape.run is not None)


def _require(run: Run, value: Value, requirement: OperandRequirement, *, array_like: bool = False) -> Value:
    """Refines a value by a requirement: the symbolic argument that it belongs to, or what is known on this path."""
    if run.inputs is None or not _is_open(value):
        return value
    parameter = run.learnable(value)
    if parameter is not None:
        run.learn(parameter, value, requirement, array_like=array_like)
        return value
    if isinstance(value, SymbolicArgument):
        learn_tensor(run, value, array_like=array_like)
    known = run.knowledge.ranks.apply(value)
    if isinstance(known, TensorSpec) and known.shape.run is not None:
        shape = with_requirement(known.shape, requirement, batched=run.inputs.batched)
        if shape is not None and shape != known.shape:
            run.inputs.chose |= requirement.may_lack_batch
            learn_shape(run, known.shape, shape)
    return run.knowledge.ranks.apply(value)


def _prove_tensors(run: Run, name: str | ModuleSpec, args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> None:
    """Makes arguments tensors that torch receives as tensors, or that are combined with one."""
    marks = [mark for one in operands_of(args, kwargs) if (mark := mark_of(one)) is not None]
    if run.inputs is None or not marks or not proves_tensors(name, args):
        return
    run.effects.reads_inputs = True
    for one in marks:
        if one.argument is not None:
            run.inputs.prove(one.argument, at_once=run.may_learn)


def _learn_ranks(run: Run, args: tuple[Value, ...], ranks: tuple[int | None, ...]) -> None:
    for value, rank in zip(args, ranks, strict=False):
        if rank is not None:
            refine_rank(run, value, [f"d{axis}" for axis in range(rank)])


def _learn_from_operands(run: Run, operands: tuple[Value, ...]) -> None:
    """Refines the other operand of a tensor in arithmetic to a tensor: a number would never be refused.

    That of an array-like may be an array of the same library.
    """
    tensors = [one for one in operands if isinstance(one, TensorSpec)]
    if tensors:
        is_array = all(mark_of(one) is not None for one in tensors)
        for one in operands:
            if run.inputs is not None and isinstance(one, SymbolicArgument):
                run.inputs.note_combined(one)
                refine_to_tensor(run, one, array_like=is_array)


def refine_rank(run: Run, value: Value, names: Iterable[str], *, array_like: bool = False) -> Value:
    """Refines a value whose sizes are unpacked into these names; returns what it is on this path."""
    return _require(run, value, OperandRequirement(tuple(names)), array_like=array_like)


def refine_to_tensor(run: Run, value: Value, *, array_like: bool = False) -> Value:
    """Refines a value that is used as a tensor, or as a tensor or an array; returns what it is on this path."""
    if isinstance(value, ArgumentPart):
        _require(run, value.argument, OperandRequirement(), array_like=array_like)
    elif isinstance(value, SymbolicArgument):
        return _require(run, value, OperandRequirement(), array_like=array_like)
    return value


def refine_to_size(run: Run, value: Value) -> None:
    """Refines a value that is used as the size of a layer."""
    if isinstance(value, SymbolicArgument) and (parameter := run.learnable(value)) is not None:
        run.learn_value(parameter, value.own_size)
