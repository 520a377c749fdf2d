"""Which calls are kept, where there are more of them than places."""

import pytest

from shapecheck.static import memo
from shapecheck.static.effects import CallEffects
from shapecheck.static.memo import Kept, Memo


def test_calls_that_are_asked_for_outlive_those_that_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memo, "_MOST", 2)
    calls = Memo()
    for number in range(20):
        calls._keep(number, Kept(number, [], CallEffects()))
        assert calls._found(0) is not None
        assert calls._found(number) is not None
    known = [number for number in range(20) if calls._found(number) is not None]
    assert {0, 19} <= set(known)
    assert len(known) <= 4
