"""Every operation of the dispatch table has one implementation, which a package above the engine registers."""

from __future__ import annotations

import pytest

import shapecheck.static.entry.registration  # noqa: F401 - it registers the implementations
from shapecheck.static.engine.dispatch import DispatchTable, dispatch


@pytest.mark.parametrize("operation", DispatchTable.__slots__)
def test_an_operation_is_implemented_above_the_engine(operation: str) -> None:
    package = getattr(dispatch, operation).__module__.split(".")[2]
    assert package not in {"domain", "engine"}


def test_a_table_starts_empty() -> None:
    assert not any(hasattr(DispatchTable(), operation) for operation in DispatchTable.__slots__)
