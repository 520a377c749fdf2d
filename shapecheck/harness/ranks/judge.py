"""Compares the records of all processes of a case."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from shapecheck.harness.formatting import listed
from shapecheck.harness.ranks.records import Collective, Ended, Failure, LocalTensor, RankResult
from shapecheck.harness.results import ShardRecord
from shapecheck.project.files import display_path
from shapecheck.runtime.describe import shape_text

_SAME_SHAPE = frozenset(
    {"all_gather", "all_gather_into_tensor", "all_reduce", "broadcast", "reduce", "reduce_scatter_tensor"}
)
"""The collectives for which all processes pass tensors of the same shape and dtype."""


@dataclass(frozen=True)
class Problem:
    """A finding before it has a severity. tensor: the name that it is about. line: 0 if no line is known."""

    code: str
    message: str
    path: str = ""
    line: int = 0
    tensor: str = ""


def problems(results: Sequence[RankResult], wrapper: str) -> Iterator[Problem]:
    """What is wrong. wrapper: what wraps or divides the model, as text; empty if it runs as it is.

    Only the first is reported of a process that died, tensors and exceptions, and collectives that do not match: the
    others follow from it.
    """
    broken = _death(results) or next(_shards(results), None) or _exception(results, wrapper) or _mismatch(results)
    if broken is not None:
        yield broken
        return
    for result in results:
        if result.record.difference:
            message = f"{wrapper} gives a different result on rank {result.rank}: {result.record.difference}"
            yield Problem("wrap-mismatch", message)
            return


def shard_records(results: Sequence[RankResult]) -> list[ShardRecord]:
    """The tensors of all processes, for the report."""
    return [
        ShardRecord(
            name,
            next(iter(by_rank.values())).whole,
            tuple(by_rank[result.rank].local if result.rank in by_rank else "" for result in results),
            next(iter(by_rank.values())).placements,
        )
        for name, by_rank in _by_name(results).items()
    ]


def _by_name(results: Sequence[RankResult]) -> dict[str, dict[int, LocalTensor]]:
    found: dict[str, dict[int, LocalTensor]] = {}
    for result in results:
        for one in result.record.tensors:
            found.setdefault(one.name, {})[result.rank] = one
    return found


def _death(results: Sequence[RankResult]) -> Problem | None:
    for result in results:
        if isinstance(result.outcome, Ended):
            ended = result.outcome
            others = "".join(_waiting(other) for other in results if other is not result)
            message = f"rank {result.rank} of {len(results)} {ended.reason}{' here' if ended.line else ''}{others}"
            return Problem("ended-run", message, ended.path, ended.line)
    return None


def _waiting(result: RankResult) -> str:
    """Where a process waited for the others; of one that was ended with them, what it called last."""
    failure = result.record.failure
    is_waiting = failure is not None and failure.is_connection
    if not result.collectives or not (is_waiting or result.outcome is None):
        return ""
    verb = "waits in" if is_waiting else "last called"
    return f"; rank {result.rank} {verb} {_called(result.collectives[-1])} at {_place(result.collectives[-1])}"


def _exception(results: Sequence[RankResult], wrapper: str) -> Problem | None:
    """An exception that is not about communication. In a step with data of its own, a process may raise."""
    own = [(result.rank, failure) for result in results if (failure := _own_failure(result)) is not None]
    if not own:
        return None
    rank, failure = own[0]
    where = "every rank" if len(own) == len(results) else f"rank {rank} of {len(results)}"
    under = f" under {wrapper}" if wrapper else ""
    code = "wrap-mismatch" if wrapper else "failed-run"
    return Problem(code, f"raises on {where}{under}: {failure.message}", failure.path, failure.line)


def _own_failure(result: RankResult) -> Failure | None:
    failure = result.record.failure
    return None if failure is None or failure.is_connection or result.record.step > 1 else failure


def _mismatch(results: Sequence[RankResult]) -> Problem | None:
    """The first collective at which the processes differ, if one of them waited in vain or was refused.

    If they do not differ, one of them may only be slow.
    """
    failures = [result for result in results if result.record.failure is not None]
    if not any(result.record.failure and result.record.failure.is_connection for result in failures):
        return None
    for group in dict.fromkeys(one.group for result in results for one in result.collectives):
        calls = [[one for one in result.collectives if one.group == group] for result in results]
        for at_once in itertools.zip_longest(*calls):
            found = different(at_once)
            if found is not None:
                return found
    failure = failures[0].record.failure
    assert failure is not None
    message = f"rank {failures[0].rank} waits for another rank: {failure.message}"
    return Problem("ended-run", message, failure.path, failure.line)


def different(at_once: Sequence[Collective | None]) -> Problem | None:
    """The finding about calls that should be the same, in the order of the ranks."""
    called = [(rank, one) for rank, one in enumerate(at_once) if one is not None]
    missing = [rank for rank, one in enumerate(at_once) if one is None]
    rank, first = called[0]
    if missing:
        others = f"which rank {listed([str(one) for one in missing])} does not call"
        return _at(first, f"rank {rank} waits in {_called(first)}, {others}")
    for other, one in called[1:]:
        if one.name != first.name or (one.name in _SAME_SHAPE and one.tensors != first.tensors):
            where = "" if (one.path, one.line) == (first.path, first.line) else f" at {_place(one)}"
            return _at(first, f"rank {rank} calls {_called(first)}, but rank {other} calls {_called(one)}{where}")
    return None


def _at(one: Collective, message: str) -> Problem:
    return Problem("collective-mismatch", message, one.path, one.line)


def _called(one: Collective) -> str:
    return f"{one.name} of {listed(one.tensors)}" if one.tensors else one.name


def _place(one: Collective) -> str:
    return f"{display_path(Path(one.path))}:{one.line}"


def _shards(results: Sequence[RankResult]) -> Iterator[Problem]:
    """Parameters come before the arguments and results of modules, which follow from them."""
    for name, by_rank in _by_name(results).items():
        for message in _differences(by_rank):
            yield Problem("shard-mismatch", f"{name}: {message}", tensor=name)


def _differences(by_rank: dict[int, LocalTensor]) -> Iterator[str]:
    first_rank, first = next(iter(by_rank.items()))
    for rank, one in by_rank.items():
        if _dtype(one) != _dtype(first):
            yield f"{_dtype(first)} on rank {first_rank}, but {_dtype(one)} on rank {rank}"
        elif one.placements != first.placements:
            placements = [each.placements or "no DTensor" for each in (first, one)]
            yield f"{placements[0]} on rank {first_rank}, but {placements[1]} on rank {rank}"
        elif one.whole_shape != first.whole_shape:
            shapes = [shape_text(each.whole_shape) for each in (first, one)]
            yield f"global shape {shapes[0]} on rank {first_rank}, but {shapes[1]} on rank {rank}"
    if set(by_rank) >= set(first.mesh):
        yield from _sums(by_rank, first)


def _dtype(one: LocalTensor) -> str:
    return one.local.partition(" ")[0]


def _sums(by_rank: dict[int, LocalTensor], first: LocalTensor) -> Iterator[str]:
    """Local sizes along a dimension that do not add up to the global size."""
    for dimension in sorted({one for one in first.sharded if one is not None}):
        for ranks in _sharing(first, dimension):
            sizes = [by_rank[rank].local_shape[dimension] for rank in ranks]
            size = first.whole_shape[dimension]
            if sum(sizes) != size:
                added = " + ".join(map(str, sizes))
                yield f"local sizes {added} = {sum(sizes)} in dimension {dimension}, but the global size is {size}"
                return


def _sharing(first: LocalTensor, dimension: int) -> Iterator[list[int]]:
    """The ranks that divide a dimension of the tensor among them, for each place in the rest of the mesh."""
    dividing = [one == dimension for one in first.sharded]
    groups: dict[tuple[int, ...], list[int]] = {}
    for position, rank in enumerate(first.mesh):
        place = _coordinates(position, first.mesh_shape)
        rest = tuple(at for at, divides in zip(place, dividing, strict=True) if not divides)
        groups.setdefault(rest, []).append(rank)
    yield from groups.values()


def _coordinates(position: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """The place of the element at a position of a grid, row by row."""
    strides = [math.prod(sizes[index + 1 :]) for index in range(len(sizes))]
    return tuple(position // stride % size for stride, size in zip(strides, sizes, strict=True))
