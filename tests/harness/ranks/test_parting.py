"""A process that is done ends the others if one of them waits for it in vain, and only then."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from shapecheck.harness.ranks import parting
from shapecheck.harness.ranks.parting import part, with_others_waiting
from shapecheck.harness.ranks.records import Collective, Failure, RankFiles, RankRecord

REDUCE = Collective("all_reduce", ("torch.float32 (4,)",), "0", "/net.py", 3)
IN_PAIR = Collective("all_reduce", ("torch.float32 (4,)",), "1", "/net.py", 4)


@pytest.fixture
def files(tmp_path: Path) -> tuple[RankFiles, RankFiles]:
    return RankFiles(tmp_path, 0), RankFiles(tmp_path, 1)


def call(files: RankFiles, *called: Collective) -> None:
    files.collectives.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in called))


@pytest.mark.parametrize("called", [(REDUCE, REDUCE), (IN_PAIR,)], ids=["once more", "of another group"])
def test_another_process_waits_in_vain(files: tuple[RankFiles, RankFiles], called: tuple[Collective, ...]) -> None:
    own, other = files
    call(own, REDUCE)
    call(other, *called)
    assert part(own, [other])


@pytest.mark.parametrize("called", [(REDUCE, REDUCE), (REDUCE,), ()], ids=["as often", "less often", "never"])
def test_another_process_is_slow(
    files: tuple[RankFiles, RankFiles], called: tuple[Collective, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parting, "_PARTING_SECONDS", 0.05)
    own, other = files
    call(own, REDUCE, REDUCE)
    call(other, *called)
    assert not part(own, [other])


def test_another_process_is_done(files: tuple[RankFiles, RankFiles], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parting, "_PARTING_SECONDS", 10**9)
    own, other = files
    call(other, REDUCE)  # an asynchronous one, perhaps: it does not wait
    other.record.write_bytes(msgspec.json.encode(RankRecord(1)))
    assert not part(own, [other])


def test_the_reason_is_an_exception_of_its_own() -> None:
    failed = RankRecord(0, failure=Failure("ValueError: odd", "/net.py", 7))
    assert with_others_waiting(failed) == failed
    done = with_others_waiting(RankRecord(0)).failure
    assert done is not None
    assert done.is_connection
