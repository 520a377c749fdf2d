"""Text of marks in messages."""

from __future__ import annotations

import pytest

from shapecheck.spec.presentation import clipped, value_text


def mark_text(mark: pytest.Mark) -> str:
    """`shapecheck_case("pkg.net", chekcs=["batch"])`, as in the source."""
    keywords = [f"{name}={value_text(value)}" for name, value in mark.kwargs.items()]
    return clipped(f"{mark.name}({', '.join([*map(value_text, mark.args), *keywords])})")
