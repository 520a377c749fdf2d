"""Runs of models collect garbage before they end, which would look through all tests and all of torch each time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.frozen import frozen


@pytest.fixture(autouse=True, scope="module")
def _frozen() -> Iterator[None]:
    with frozen():
        yield
