"""What the records of several processes show, without processes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shapecheck.harness.ranks.judge import problems, shard_records
from shapecheck.harness.ranks.records import Collective, Ended, Failure, LocalTensor, RankRecord, RankResult
from shapecheck.harness.results import ShardRecord

LOST = Failure("RuntimeError: Connection closed by peer", is_connection=True)
ODD = Failure("ValueError: odd", "/net.py", 7)


def reduce(shape: str = "(4,)", group: str = "0", line: int = 3, name: str = "all_reduce") -> Collective:
    return Collective(name, (f"torch.float32 {shape}",), group, "/net.py", line)


def rank(number: int, *called: Collective, failure: Failure | None = None, step: int = 1) -> RankResult:
    return ended(RankRecord(number, step, failure=failure), called)


def ended(record: RankRecord, called: tuple[Collective, ...] = ()) -> RankResult:
    return RankResult(record, record, called)


def found(*results: RankResult, wrapper: str = "") -> list[tuple[str, str, int]]:
    return [(one.code, one.message, one.line) for one in problems(results, wrapper)]


def test_a_collective_that_another_rank_does_not_call() -> None:
    (one,) = found(rank(0, reduce(), reduce("(5,)", line=4), failure=LOST), rank(1, reduce()))
    assert one == (
        "collective-mismatch",
        "rank 0 waits in all_reduce of torch.float32 (5,), which rank 1 does not call",
        4,
    )


@pytest.mark.parametrize(
    ("other", "text"),
    [
        (reduce("(5,)"), "all_reduce of torch.float32 (5,)"),
        (reduce(name="broadcast"), "broadcast of torch.float32 (4,)"),
        (reduce("(5,)", line=9), "all_reduce of torch.float32 (5,) at /net.py:9"),
    ],
)
def test_a_collective_that_another_rank_calls_otherwise(other: Collective, text: str) -> None:
    (one,) = found(rank(0, reduce(), failure=LOST), rank(1, other, failure=LOST))
    message = f"rank 0 calls all_reduce of torch.float32 (4,), but rank 1 calls {text}"
    assert one == ("collective-mismatch", message, 3)


SILENT = {
    "the same calls": [rank(0, reduce()), rank(1, reduce())],
    "no failure": [rank(0, reduce(), reduce()), rank(1, reduce())],
    "gather has a list in one rank only": [
        rank(0, reduce("(4,)", name="gather")),
        rank(1, reduce("()", name="gather")),
    ],
    "data of its own is rejected": [rank(0, reduce()), rank(1, reduce(), failure=ODD, step=2)],
}


@pytest.mark.parametrize("results", SILENT.values(), ids=SILENT)
def test_what_is_no_finding(results: list[RankResult]) -> None:
    assert not found(*results)


def test_calls_are_compared_within_their_group() -> None:
    swapped = [reduce(group="a"), reduce("(5,)", group="b")]
    (one,) = found(rank(0, *swapped, failure=LOST), rank(1, *swapped[::-1], failure=LOST))
    assert one[:2] == ("ended-run", "rank 0 waits for another rank: RuntimeError: Connection closed by peer")


@pytest.mark.parametrize(("wrapper", "code"), [("", "failed-run"), ("fully_shard", "wrap-mismatch")])
def test_an_exception_comes_before_the_wait_for_it(wrapper: str, code: str) -> None:
    (one,) = found(rank(0, reduce(), failure=LOST), rank(1, failure=ODD), wrapper=wrapper)
    under = f" under {wrapper}" if wrapper else ""
    assert one == (code, f"raises on rank 1 of 2{under}: ValueError: odd", 7)
    assert found(rank(0, failure=ODD), rank(1, failure=ODD))[0][1] == "raises on every rank: ValueError: odd"


@pytest.mark.parametrize(
    ("other", "verb"),
    [(rank(0, reduce(), failure=LOST), "waits in"), (RankResult(RankRecord(0), None, (reduce(),)), "last called")],
    ids=["waits", "was ended too"],
)
def test_a_dead_rank_comes_first_and_names_the_call_of_the_other(other: RankResult, verb: str) -> None:
    dead = RankResult(RankRecord(1), Ended("exited with code 3", "/net.py", 5))
    (one,) = found(other, dead)
    text = f"rank 0 {verb} all_reduce of torch.float32 (4,) at /net.py:3"
    assert one == ("ended-run", f"rank 1 of 2 exited with code 3 here; {text}", 5)


def with_tensors(*tensors: LocalTensor, difference: str = "") -> list[RankResult]:
    return [ended(RankRecord(number, 1, (one,), difference=difference)) for number, one in enumerate(tensors)]


ROWS = LocalTensor(
    "fc.weight", "torch.float32 (5, 4)", "torch.float32 (3, 4)", "Shard(dim=0)", (5, 4), (3, 4), (0, 1), (2,), (0,)
)
REST = replace(ROWS, local="torch.float32 (2, 4)", local_shape=(2, 4))
PLAIN = LocalTensor("fc.weight", "torch.float32 (5, 4)", "torch.float32 (5, 4)")
SHARDS = {
    "sums": (ROWS, ROWS, "local sizes 3 + 3 = 6 in dimension 0, but the global size is 5"),
    "global": (ROWS, replace(REST, whole_shape=(6, 4)), "global shape (5, 4) on rank 0, but (6, 4) on rank 1"),
    "placements": (ROWS, replace(REST, placements="Replicate()"), "Shard(dim=0) on rank 0, but Replicate() on rank 1"),
    "no DTensor": (ROWS, PLAIN, "Shard(dim=0) on rank 0, but no DTensor on rank 1"),
    "dtype": (
        PLAIN,
        replace(PLAIN, local="torch.float64 (5, 4)"),
        "torch.float32 on rank 0, but torch.float64 on rank 1",
    ),
}


@pytest.mark.parametrize(("one", "other", "text"), SHARDS.values(), ids=SHARDS)
def test_tensors_that_do_not_match(one: LocalTensor, other: LocalTensor, text: str) -> None:
    assert found(*with_tensors(one, other)) == [("shard-mismatch", f"fc.weight: {text}", 0)]


@pytest.mark.parametrize(
    ("one", "other"), [(ROWS, REST), (PLAIN, replace(PLAIN, local="torch.float32 (9, 4)"))], ids=["rows", "own sizes"]
)
def test_tensors_that_match(one: LocalTensor, other: LocalTensor) -> None:
    assert not found(*with_tensors(one, other))


def test_both_dimensions_of_a_mesh() -> None:
    def part(rows: int, columns: int) -> LocalTensor:
        shape = (rows, columns)
        return replace(ROWS, local_shape=shape, mesh=(0, 1, 2, 3), mesh_shape=(2, 2), sharded=(0, 1))

    assert not found(*with_tensors(part(3, 2), part(3, 2), part(2, 2), part(2, 2)))
    (one,) = found(*with_tensors(part(3, 2), part(3, 1), part(2, 2), part(2, 2)))
    assert one[1] == "fc.weight: local sizes 2 + 1 = 3 in dimension 1, but the global size is 4"


def test_a_result_that_differs() -> None:
    (one,) = found(*with_tensors(ROWS, REST, difference="2 of 8 values differ"), wrapper="parallelize")
    message = "parallelize gives a different result on rank 0: 2 of 8 values differ"
    assert one == ("wrap-mismatch", message, 0)


def test_the_report_has_what_each_rank_has() -> None:
    assert shard_records(with_tensors(ROWS, REST)) == [
        ShardRecord(
            "fc.weight", "torch.float32 (5, 4)", ("torch.float32 (3, 4)", "torch.float32 (2, 4)"), "Shard(dim=0)"
        )
    ]
