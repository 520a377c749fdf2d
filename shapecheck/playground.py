"""One document without files or a configuration, checked after each edit: what the page of the playground runs."""

from __future__ import annotations

import json
from pathlib import Path

from shapecheck.diagnostics import DEFAULT_CHECKS, FAILURES, REVEALED, Diagnostic
from shapecheck.diagnostics.render.as_json import as_dict
from shapecheck.editing.files import EditedFiles
from shapecheck.editing.hints import hints_of
from shapecheck.ops.families import load
from shapecheck.project.outcomes import merged_diagnostics
from shapecheck.project.same_cause import silence_causes

_CODES = frozenset((*DEFAULT_CHECKS, *REVEALED))


class Playground:
    """The document, with what its checks keep for the next one."""

    def __init__(self, path: Path) -> None:
        load()
        self._path = path
        self._files = EditedFiles(path.parent, _CODES)

    def answer(self, text: str, *, is_quick: bool = False) -> str:
        """The findings in source and its shapes, as JSON; while it does not parse, the reason alone."""
        content = text.encode("utf-8", "surrogatepass")
        failure = self._files.failure(self._path, content)
        if failure is not None:
            return _written([failure], [], parses=False)
        self._files.texts[self._path] = content
        self._files.check(self._path, is_quick=is_quick)
        analysis = self._files.analyses[self._path]
        hints = [{"line": one.line, "column": one.column, "label": one.label()} for one in hints_of(analysis)]
        return _written(self._findings(), hints, parses=True)

    def _findings(self) -> list[Diagnostic]:
        """The findings as `shapecheck check` reports them without a configuration."""
        analysis = self._files.analyses[self._path]
        found = sorted(merged_diagnostics([(self._path, analysis.outcome.diagnostics)]))
        kept = [one for one in found if one.code in _CODES or one.code in FAILURES]
        return silence_causes(kept, analysis.checker.project.content).reported


def _written(found: list[Diagnostic], hints: list[dict[str, object]], *, parses: bool) -> str:
    return json.dumps({"parses": parses, "diagnostics": [as_dict(one) for one in found], "hints": hints})
