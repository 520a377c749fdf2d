"""A run of `shapecheck annotate`: collect, plan, verify, write."""

from __future__ import annotations

import ast
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path

from shapecheck.annotate.collecting import CallCollector, joined
from shapecheck.annotate.editing import edited
from shapecheck.annotate.evidence import Refuted, SignatureEvidence, matched
from shapecheck.annotate.model import AnnotateOptions, AnnotateResult, Doubt, Dropped, FunctionKey, Trial, Written
from shapecheck.annotate.planning import functions_of, plan_file
from shapecheck.annotate.reusing import Surroundings
from shapecheck.annotate.verifying import Verifier, blamed, new_findings
from shapecheck.diagnostics import Diagnostic
from shapecheck.diagnostics.comments import is_generated
from shapecheck.fix.model import FileResult, FixStatus
from shapecheck.fix.one_file import diff_of, failure, written
from shapecheck.project.files import display_path
from shapecheck.project.notebook import SUFFIX
from shapecheck.project.parsing import CANNOT_PARSE, parse, syntax_error, unreadable_file
from shapecheck.project.source import SourceError, SourceFile

_MOST_PASSES = 4
_MOST_ROUNDS = 10
_MOST_TRIALS = 5
_LONGEST_FILE = 1_500_000
"""Characters of a file that is annotated: no person writes more."""
_INTERNAL = "internal-error"


class _Session:
    """What all passes over the files share."""

    def __init__(self, surroundings: Surroundings, options: AnnotateOptions) -> None:
        self.options = options
        self.collecting = CallCollector(surroundings)
        self.verifier = Verifier(surroundings)


class _Scope(Enum):
    """What is dropped because of new findings."""

    FUNCTIONS = "those that are to blame"
    FILES = "all of the files with findings"
    EVERYTHING = "everything"

    @staticmethod
    def of_round(number: int) -> _Scope:
        """The scope of a round: the last one leaves nothing."""
        left = _MOST_ROUNDS - number
        return _Scope.EVERYTHING if left <= 1 else _Scope.FILES if left <= 3 else _Scope.FUNCTIONS


@dataclass
class _Work:
    """One file on its way."""

    source: SourceFile
    tree: ast.Module
    result: AnnotateResult
    doubted: dict[FunctionKey, Doubt] = field(default_factory=dict)
    refuted: Refuted = field(default_factory=dict)
    text: str | None = None
    annotations: list[Written] = field(default_factory=list)
    is_annotated: bool = False
    """Whether an earlier pass has annotated the source."""
    writes_broadcasts: bool = False
    """Whether functions are annotated whose result is broadcast from arguments of any shape."""

    def annotated(self) -> SourceFile:
        """The source with the annotations."""
        text = self.source.text if self.text is None else self.text
        return SourceFile.from_bytes(self.source.encode(text), self.source.path, self.source.display)

    def add(self, later: _Work) -> None:
        """Adds what another pass has written into the annotated source."""
        keys = {new: old for old, new in self._keys_in(later)}
        self.text = later.text
        self.annotations += [replace(one, function=keys[one.function]) for one in later.annotations]
        written_now = {one.function for one in self.annotations}
        dropped = [replace(one, function=keys[one.function]) for one in later.result.dropped]
        known = [one for one in self.result.dropped if one.part != Doubt.ALL.value or one.function not in written_now]
        self.result.dropped = [*known, *(one for one in dropped if one.function not in {old.function for old in known})]
        for key, names in later.refuted.items():
            self.refuted.setdefault(keys[key], {}).update(names)

    def refuted_in(self, later: _Work) -> Refuted:
        """What is refuted, by the functions of the annotated source."""
        return {new: dict(self.refuted[old]) for old, new in self._keys_in(later) if old in self.refuted}

    def _keys_in(self, later: _Work) -> Iterator[tuple[FunctionKey, FunctionKey]]:
        """Each function, and the same one in the annotated source, where it is at another line."""
        pairs = zip(functions_of(self.tree).items(), functions_of(later.tree), strict=True)
        for (old, name), new in pairs:
            display = self.source.display
            yield FunctionKey(display, name, old.lineno), FunctionKey(display, name, new.lineno)


def run(
    files: Sequence[Path],
    surroundings: Surroundings,
    options: AnnotateOptions,
    given: SourceFile | None = None,
) -> list[AnnotateResult]:
    """Annotates files, and returns a result for each, in order; `given` is the source if it is not on disk.

    What is written shows more about other functions, so the annotated files are analyzed until nothing is added.
    """
    sources = {} if given is None else {given.path: given}
    session = _Session(surroundings, options)
    results, work = _pass(files, sources, session, {})
    for _ in range(_MOST_PASSES):
        annotated = {path: one.annotated() for path, one in work.items() if one.text is not None}
        if not annotated:
            break
        _, again = _pass(files, {**sources, **annotated}, session, work)
        added = [path for path, one in again.items() if one.text is not None and path in work]
        for path in added:
            work[path].add(again[path])
        if not added:
            break
    for one in work.values():
        _note_refuted(one)
        _finish(one, options, given=given is not None)
    return [results[path] for path in files]


def _pass(
    files: Sequence[Path],
    sources: Mapping[Path, SourceFile],
    session: _Session,
    earlier: Mapping[Path, _Work],
) -> tuple[dict[Path, AnnotateResult], dict[Path, _Work]]:
    """Plans and verifies what one analysis shows; `sources` replace files, `earlier` is the work of the first pass."""
    results: dict[Path, AnnotateResult] = {}
    work: dict[Path, _Work] = {}
    options = session.options
    for path in files:
        made = _read(path, sources.get(path), options)
        if isinstance(made, _Work):
            work[path] = made
            results[path] = made.result
        else:
            results[path] = AnnotateResult(made)
    readable = [path for path in files if path in work]
    replaced = {path: one.raw for path, one in sources.items()}
    parts = session.collecting.collect(readable, replaced)
    for part in parts:
        if part.failure:
            results[part.path] = AnnotateResult(failure(display_path(part.path), _INTERNAL, part.failure))
            work.pop(part.path, None)
    chosen = {path: one for path, one in work.items() if not options.selected or path in options.selected}
    for path in chosen.keys() & earlier.keys():
        chosen[path].refuted = earlier[path].refuted_in(chosen[path])
        chosen[path].is_annotated = earlier[path].text is not None
    trees = {path: (one.source.display, one.tree) for path, one in chosen.items()}
    evidence = SignatureEvidence(joined(parts), matched(options.recorded, trees))
    for writes_broadcasts in (False, True):
        for one in chosen.values():
            one.writes_broadcasts = writes_broadcasts
            _plan_as_recorded(one, evidence, options)
        if any(one.text is not None for one in chosen.values()):
            break  # what is written may show more about the others
    _verify(chosen, readable, session, evidence)
    if options.trial is not None and (not earlier or any(one.text is not None for one in chosen.values())):
        _try(chosen.values(), evidence, options.trial, options)
    return results, chosen


def _read(path: Path, given: SourceFile | None, options: AnnotateOptions) -> _Work | FileResult:
    display = display_path(path) if given is None else given.display
    result = FileResult(display)
    if path.suffix == SUFFIX:
        return replace(result, outcome=FixStatus.SKIPPED, reason="notebook")
    try:
        source = given or SourceFile.from_bytes(path.read_bytes(), path, display)
        if not options.generated and is_generated(source.text):
            return replace(result, outcome=FixStatus.SKIPPED, reason="generated")
        if len(source.text) > _LONGEST_FILE:
            return replace(result, outcome=FixStatus.SKIPPED, reason=f"longer than {_LONGEST_FILE:,} characters")
        tree = parse(source.text)
    except (OSError, SourceError) as error:
        return _failed(unreadable_file(display, error))
    except CANNOT_PARSE as error:
        return _failed(syntax_error(display, error))
    return _Work(source, tree, AnnotateResult(result))


def _failed(diagnostic: Diagnostic) -> FileResult:
    return FileResult(diagnostic.path, FixStatus.FAILED, diagnostic.message, left=[diagnostic])


def _plan_as_recorded(one: _Work, evidence: SignatureEvidence, options: AnnotateOptions) -> None:
    """Plans a file until no recorded call contradicts what is written; each round drops what one contradicts."""
    while True:
        _plan(one, evidence, options)
        if one.text is None:
            return
        written = {(note.function, note.name) for note in one.annotations}
        found = [
            (key, name, why)
            for key, name, why in evidence.refute(one.tree, one.text, one.source.display)
            if (key, name) in written
        ]
        if not found:
            return
        for key, name, why in found:
            one.refuted.setdefault(key, {})[name] = why


def _plan(one: _Work, evidence: SignatureEvidence, options: AnnotateOptions) -> None:
    """The text of a file with all annotations that are not dropped; a file that cannot be written keeps its text."""
    one.text, one.annotations = None, []
    signatures = evidence.signatures(one.doubted, one.refuted, one.source.display)
    try:
        options = replace(options, broadcasts=one.writes_broadcasts)
        plan = plan_file(one.source, one.tree, signatures, options, one.doubted)
        text = edited(one.source, plan, options.width, noqa=options.noqa)
        one.source.encode(text)
    except (SyntaxError, RecursionError, MemoryError, UnicodeEncodeError) as error:
        one.result.file = _failed(syntax_error(one.source.display, error, "cannot rewrite"))
        return
    one.result.skipped = plan.skipped
    if text != one.source.text:
        one.text = text
        one.annotations = [written for function in plan.functions for written in function.written]


# -- verifying


def _verify(
    work: Mapping[Path, _Work],
    files: Sequence[Path],
    session: _Session,
    evidence: SignatureEvidence,
) -> None:
    """Drops annotations until a check of the annotated files finds nothing new."""
    changed = {path: one for path, one in work.items() if one.text is not None}
    if not changed:
        return
    originals = {path: one.source.raw for path, one in work.items()}
    before = session.verifier.findings(files, originals)
    for attempt in range(_MOST_ROUNDS):
        texts = {one.source.display: one.text for one in changed.values() if one.text is not None}
        content = {path: one.source.encode(one.text or one.source.text) for path, one in work.items()}
        after = session.verifier.findings(files, content)
        old = {one.source.display: one.source.text for one in changed.values()}
        new = {**old, **texts}
        found = new_findings(before, after, old, new)
        if not found:
            return
        _drop(changed, found, new, _Scope.of_round(attempt))
        for one in changed.values():
            _plan_as_recorded(one, evidence, session.options)


def _next(doubt: Doubt | None) -> Doubt:
    """What is dropped if that is not enough."""
    return Doubt.NAMES if doubt is None else Doubt.CALLERS if doubt is Doubt.NAMES else Doubt.ALL


def _drop(changed: Mapping[Path, _Work], found: Sequence[Diagnostic], texts: Mapping[str, str], scope: _Scope) -> None:
    """Doubts what leads to new findings: first names, then what only the callers of a function show, then all of it.

    If that is not enough, all of the files with findings is dropped, and at last everything. So nothing is written that
    was not checked.
    """
    written_in = dict.fromkeys(note.function for one in changed.values() for note in one.annotations)
    guilty: dict[FunctionKey, Diagnostic] = {}
    for finding in found:
        keys = blamed(finding, texts, written_in) or [key for key in written_in if key.path == finding.path]
        guilty |= dict.fromkeys(keys or written_in, finding)
    files = {finding.path for finding in found} | {key.path for key in guilty}
    for one in changed.values():
        for key in guilty if scope is _Scope.FUNCTIONS else written_in:
            if key.path == one.source.display and (scope is not _Scope.FILES or key.path in files):
                part = Doubt.ALL if scope is not _Scope.FUNCTIONS else _next(one.doubted.get(key))
                one.doubted[key] = part
                finding = guilty.get(key, found[0])
                one.result.dropped = [note for note in one.result.dropped if note.function != key]
                one.result.dropped.append(Dropped(key, part.value, f"{finding.message} [{finding.code}]"))


def _try(work: Collection[_Work], evidence: SignatureEvidence, trial: Trial, options: AnnotateOptions) -> None:
    """Drops annotations until a run of the annotated functions contradicts none."""
    for _ in range(_MOST_TRIALS):
        texts = {
            os.path.realpath(one.source.path): one.source.text if one.text is None else one.text
            for one in work
            if one.is_annotated or one.text is not None
        }
        written = {(note.function, note.name) for one in work for note in one.annotations}
        found = [item for item in trial(texts, written) if item[:2] in written]
        if not found:
            return
        for one in work:
            mine = [item for item in found if item[0].path == one.source.display]
            for key, name, why in mine:
                one.refuted.setdefault(key, {})[name] = why
            if mine:
                _plan_as_recorded(one, evidence, options)


# -- writing


def _note_refuted(one: _Work) -> None:
    for key, names in one.refuted.items():
        if one.doubted.get(key) is not Doubt.ALL:
            one.result.dropped += [Dropped(key, name, why) for name, why in names.items()]


def _finish(one: _Work, options: AnnotateOptions, *, given: bool) -> None:
    result = one.result
    if one.text is None or result.file.outcome is FixStatus.FAILED:
        return
    result.written = one.annotations
    result.file.outcome = FixStatus.CHANGED
    result.file.new_text = one.text
    if options.diff:
        result.file.diff = diff_of(one.source, one.text)
    if options.write and not given:
        result.file = written(one.source, result.file)
