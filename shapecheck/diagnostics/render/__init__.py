"""Renderers: diagnostics for people, programs and CI services, one module per format.

A renderer is a module with one function, `render(diagnostics, stream, extra)`. To add one, write the file and
name it in `FORMATS`; it is imported on first use.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Protocol, TextIO, cast

from shapecheck.diagnostics.model import Diagnostic

FORMATS: dict[str, str] = {
    "text": "text",
    "json": "as_json",
    "github": "github",
    "sarif": "sarif",
    "junit": "junit",
    "gitlab": "gitlab",
    "markdown": "markdown",
}
"""The names for `--format`, and the module of each in this directory."""


class DiagnosticRenderer(Protocol):
    """Writes diagnostics to a stream; `extra` contains additional data of a front end, such as its summary."""

    def __call__(self, diagnostics: Iterable[Diagnostic], stream: TextIO, extra: Mapping[str, object]) -> None:
        """Write all of them."""


def renderer(name: str) -> DiagnosticRenderer:
    """The renderer called `name` in FORMATS."""
    module = import_module(f"{__name__}.{FORMATS[name]}")
    return cast(DiagnosticRenderer, module.render)
