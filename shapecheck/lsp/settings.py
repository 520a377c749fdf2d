"""What a client may set, in `initializationOptions` and in the section `shapecheck` of its configuration."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct


class InlayHints(Struct, rename="camel"):
    """What inlay hints show."""

    enabled: bool = True
    parameters: bool = True
    results: bool = True
    assigned: bool = True
    dtype: bool = False


class EditorSettings(Struct, rename="camel"):
    """All settings."""

    inlay_hints: InlayHints = msgspec.field(default_factory=InlayHints)
    syntax_errors: bool = True
    """Whether syntax errors are shown, as information."""
    code_lens: bool = True
    workspace_diagnostics: bool = True
    """Whether clients that ask for the diagnostics of the project get those of files that are not open."""


def settings_from(given: Any) -> EditorSettings:
    """The settings in what a client sends; what is not valid is ignored."""
    if isinstance(given, dict) and isinstance(given.get("shapecheck"), dict):
        given = given["shapecheck"]
    try:
        return msgspec.convert(given or {}, EditorSettings)
    except msgspec.ValidationError:
        return EditorSettings()
