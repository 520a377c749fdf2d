"""New trees go to the oldest generation of the garbage collector, unless other code has frozen objects."""

from __future__ import annotations

import gc

import pytest

from shapecheck.project.garbage import SetAside


def is_in_the_oldest_generation(one: object) -> bool:
    return any(other is one for other in gc.get_objects(generation=2))


def test_new_objects_are_in_the_oldest_generation() -> None:
    new = ["a tree"]
    assert not is_in_the_oldest_generation(new)
    SetAside()()
    assert is_in_the_oldest_generation(new)
    assert gc.get_freeze_count() == 0


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What Python answered when it was asked how many objects are frozen."""
    answers: list[int] = []
    count = gc.get_freeze_count

    def counted() -> int:
        answers.append(count())
        return answers[-1]

    monkeypatch.setattr(gc, "get_freeze_count", counted)
    return answers


def test_frozen_objects_stay_frozen_and_are_counted_once(counts: list[int]) -> None:
    set_aside = SetAside()
    gc.freeze()
    try:
        set_aside()
        set_aside()
        assert len(counts) == 1
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()


def test_objects_may_be_frozen_later(counts: list[int]) -> None:
    set_aside = SetAside()
    set_aside()
    gc.freeze()
    try:
        set_aside()
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
    assert counts[0] == 0
