from __future__ import annotations

import psutil
import pytest

from shapecheck.harness.formatting import format_bytes
from shapecheck.harness.work.limits import share_of_memory


@pytest.mark.parametrize(
    ("size", "words"),
    [(1, "1 B"), (1023, "1023 B"), (2048, "2 KiB"), (200 * 1024**2, "200.0 MiB"), (4 * 1024**3, "4.0 GiB")],
)
def test_sizes_in_words(size: int, words: str) -> None:
    assert format_bytes(size) == words


def test_the_jobs_share_what_is_free() -> None:
    assert share_of_memory(1) < psutil.virtual_memory().total
    assert share_of_memory(2) < share_of_memory(1)


def test_no_share_is_too_small_to_do_anything() -> None:
    assert share_of_memory(10**9) == 512 * 1024**2
