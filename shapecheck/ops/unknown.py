"""Results that are not tensors: unknown, or of another kind."""

from __future__ import annotations

from shapecheck.spec import Dim


class Unknown:
    """A value that is not known; `reason` explains why. All of them are equal and false.

    `as_size` is the size that it is where a size is needed, None for a new one each time.
    """

    __slots__ = ("as_size", "reason")

    def __init__(self, reason: str = "", as_size: Dim | None = None) -> None:
        self.reason = reason
        self.as_size = as_size

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unknown)

    def __hash__(self) -> int:
        return hash(Unknown)

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return f"UNKNOWN ({self.reason})" if self.reason else "UNKNOWN"

    def __str__(self) -> str:
        return "an unknown value"


UNKNOWN = Unknown()


class Other:
    """A value known not to be a tensor: a context manager, a device, True or False; `kind` names it."""

    __slots__ = ("kind",)

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Other) and self.kind == other.kind

    def __hash__(self) -> int:
        return hash(self.kind)

    def __repr__(self) -> str:
        return f"<{self.kind}>"

    def __str__(self) -> str:
        return self.kind
