"""Whether what fails in the active calls proves a mistake, or may be due to what the analysis assumes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from shapecheck.static.engine.frames import Frame

_OF_SOURCE: Final = frozenset(
    """
    discarded-result constant-comparison direct-forward shared-module flattened-index unknown-attribute normalized-axis
    unused-layer
    """.split()
)
"""Codes of mistakes that do not depend on what the caller passes."""
_OF_DTYPES: Final = frozenset(("dtype-mismatch", "float64-leak"))
"""Codes that assume that the default dtype is float32."""


def is_proven(code: str, frames: Sequence[Frame], *, is_wary: bool) -> bool:
    """Whether a finding with this code may be reported; `is_wary` is whether the state of the receiver is uncertain."""
    about_dtypes = code in _OF_DTYPES
    in_any_mode = about_dtypes or code in _OF_SOURCE
    for_any_caller = in_any_mode or code == "wrong-call"
    if any(frame.proves_nothing(in_any_mode=in_any_mode, for_any_caller=for_any_caller) for frame in frames):
        return False
    if is_wary and any(frame.is_parted for frame in frames if frame.call is not None):
        return False
    return not (about_dtypes and any(frame.names.loaded.sets_dtype for frame in frames))
