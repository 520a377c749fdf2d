"""The marker of annotations that are not read yet."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Unread(Enum):
    """The type of UNREAD."""

    UNREAD = "unread"


UNREAD: Final = Unread.UNREAD
"""The annotations of a function or a class before they are read."""
