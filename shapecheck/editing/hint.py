"""A shape to show at a place of a document."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Hint:
    """The shapes of a tensor at a place, from 1."""

    line: int
    column: int
    shapes: list[str]
    dtype: str = ""
    kind: str = "assigned"
    """Or "parameter", "result"."""

    def label(self, *, with_dtype: bool = False) -> str:
        """What is shown behind the place, as an annotation would be written there."""
        shapes = " or ".join(self.shapes)
        text = f"{self.dtype} {shapes}" if with_dtype and self.dtype else shapes
        return f" -> {text}" if self.kind == "result" else f": {text}"
