"""The caches of computed sizes can be emptied together."""

from __future__ import annotations

import gc
from weakref import ref

from shapecheck.spec import Dim, at_least, unknown
from shapecheck.spec.caching import cached, clear_caches
from tests.frozen import frozen


def test_results_are_kept_until_the_caches_are_cleared() -> None:
    asked = []

    @cached(8)
    def double(number: int) -> int:
        asked.append(number)
        return 2 * number

    assert (double(1), double(1)) == (2, 2)
    assert asked == [1]
    clear_caches()
    assert double(1) == 2
    assert asked == [1, 1]


def test_unknown_sizes_are_released() -> None:
    with frozen():  # collections go through what is new
        size = unknown("size", low=2)
        assert isinstance(size, Dim)
        assert at_least(size * size + 3, 7)
        ((((atom, _),), _),) = size.terms.items()
        held = ref(atom)
        del size, atom
        gc.collect()
        assert held() is not None, "no cache holds it, so that nothing is tested"
        clear_caches()
        gc.collect()
        assert held() is None
