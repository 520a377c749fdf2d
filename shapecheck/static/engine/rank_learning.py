"""Learns ranks and sizes from what operators, conditions and unpacking imply, for the rest of the path.

What holds at the end of an entry point on every path that returns, its symbolic arguments learn: `symbolic_inputs`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.spec import Dim, Shape, ShapeError, Size, TensorSpec, VariadicAxes, unknown
from shapecheck.spec.terms import UNKNOWN, only_atom
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.array_likes import ArrayMark, marked
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.engine.path_constraints import FACTS, RANKS, KnownFacts, KnownRanks
from shapecheck.static.engine.rank_facts import part_between

if TYPE_CHECKING:
    from shapecheck.ops.assumptions import Assumptions
    from shapecheck.static.engine.run import Run


def learn_assumptions(run: Run, assumed: Assumptions) -> None:
    """Learns what the rule of an operator assumed of its operands."""
    for given, known in assumed.shapes:
        learn_shape(run, given, known)
    for one in assumed:
        learn_size(run, one.left, one.right)


def learn_refinement(run: Run, before: Value, after: Value) -> None:
    """Learns from a tensor of unknown rank and the same one refined by a condition."""
    if isinstance(before, TensorSpec) and before.shape.run is not None and isinstance(after, TensorSpec):
        learn_shape(run, before.shape, after.shape)


def learn_shape(run: Run, given: Shape, known: Shape) -> None:
    """Learns that a shape of unknown rank is a more precise one, and so are all shapes with the same run."""
    ranks = run.knowledge.ranks
    given = ranks.shape_of(given)
    part = part_between(given, known)
    if given.run is not None and given.run.is_rest and part is not None and part.run is None:
        _learn_whole(run, given.run, part)
    elif given.run is not None and part is not None:
        run.effects.reads_inputs = True
        run.journal.write(run.knowledge, RANKS, KnownRanks(ranks.with_part(given.run, part)))
        if run.inputs is not None:
            run.inputs.learn_run(given.run, part)
            run.inputs.sizes.update(one for one in (*part.head, *part.tail) if _is_unknown(one))
        _learn_base(run, given.run, part)
        _learn_operands(run, given.run, part)


def _learn_whole(run: Run, rest: VariadicAxes, part: Shape) -> None:
    """Learns that the rest of other axes has these dimensions, from which those of the others follow."""
    whole, first, last = rest.whole
    ends = [tuple(unknown(low=0) for _ in range(count)) for count in (first, last)]
    learn_shape(run, Shape((), whole), Shape((*ends[0], *part.head, *ends[1])))


def _learn_base(run: Run, axes: VariadicAxes, part: Shape) -> None:
    """Learns how many dimensions other axes are, of which there are so many fewer."""
    base, more = axes.longer_than or (None, 0)
    if base is not None and part.run is None and len(part.head) >= more:
        learn_shape(run, Shape((), base), Shape(base.sizes(len(part.head) - more)))


def _learn_operands(run: Run, axes: VariadicAxes, part: Shape) -> None:
    """Learns the rank of what was broadcast with a tensor of fewer dimensions to axes that are known now."""
    for tail, *operands in axes.broadcasts if part.run is None else ():
        result = (*part.head, *tail)
        for one, other in (operands, reversed(operands)):
            shape, rank = run.knowledge.ranks.shape_of(one), run.knowledge.ranks.shape_of(other).rank
            if (
                shape.run is not None
                and rank is not None
                and max(rank, shape.least_rank) <= len(result)
                and rank < len(result)
            ):
                learn_shape(run, shape, _operand(shape, result, rank))


def _operand(shape: Shape, result: tuple[Size, ...], rank: int) -> Shape:
    """A shape that alone has the first dimensions of a result, and broadcasts in the last ones, `rank` in number."""
    sizes = [size if index < len(result) - rank else unknown(low=0) for index, size in enumerate(result)]
    inner = sizes[len(shape.head) : len(sizes) - len(shape.tail)]
    return Shape((*shape.head, *inner, *shape.tail))


def learn_tensor(run: Run, argument: SymbolicArgument, *, array_like: bool) -> None:
    """Learns that a symbolic argument of the entry point is a tensor, or a tensor or an array."""
    if run.inputs is not None and run.inputs.values.get(argument.name) is argument.argument:
        tensor = TensorSpec.make(Shape((), argument.axes), None)
        known = marked(tensor, ArrayMark(argument.name)) if array_like and not run.inputs.tensors else tensor
        run.effects.reads_inputs = True
        run.inputs.learn_tensor(argument, known)
        run.journal.write(run.knowledge, RANKS, KnownRanks(run.knowledge.ranks.with_tensor(argument, known)))


def learn_size(run: Run, left: Size, right: Size) -> None:
    """Learns that two sizes are equal, if one of them is an unknown size of a symbolic argument."""
    facts = run.knowledge.facts
    left, right = facts.apply(left), facts.apply(right)
    if run.inputs is None or left == right or run.inputs.sizes.isdisjoint((left, right)):
        return
    try:
        more = facts.learn_equal(left, right)
    except ShapeError:
        return
    if more is not facts:
        run.effects.reads_inputs = True
        run.journal.write(run.knowledge, FACTS, KnownFacts(more))


def _is_unknown(size: Size) -> bool:
    atom = only_atom(size.terms) if isinstance(size, Dim) else None
    return atom is not None and atom.kind == UNKNOWN
