"""What is analyzed: the body of each module, then the functions and classes that nothing in the project calls."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import shapecheck.static.entry.registration  # noqa: F401 - fills the dispatch table
from shapecheck.diagnostics import DEFAULT_CHECKS, Diagnostic, Note
from shapecheck.project.files import display_path
from shapecheck.project.observed_code import Observing
from shapecheck.project.outcomes import FileOutcome, merged_diagnostics
from shapecheck.project.same_cause import one_per_cause
from shapecheck.project.silencing import silence
from shapecheck.project.templates import Templates
from shapecheck.static.calls.overridden_defaults import overridden_defaults
from shapecheck.static.calls.transparent_decorators import has_transparent_decorators
from shapecheck.static.contracts.invalid_annotations import report_invalid_annotations
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.class_facts import is_module
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance, Namespace
from shapecheck.static.engine.call_stack import with_deep_stack
from shapecheck.static.engine.contradicted_claims import is_contradicted
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.findings import ELSEWHERE, Finding, FindingKey, diagnostic_at, fault_text
from shapecheck.static.engine.loading import Project, SourceModule
from shapecheck.static.engine.places import Place
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.scopes import dry_run
from shapecheck.static.engine.session import Body, NotedFindings, Session
from shapecheck.static.entry.body_options import drop_with_options
from shapecheck.static.entry.class_entry import is_pending, run_class
from shapecheck.static.entry.collecting import collecting_once
from shapecheck.static.entry.conditional_findings import drop_conditional
from shapecheck.static.entry.default_dependence import is_broken_layer
from shapecheck.static.entry.entry_runs import Found, run_entry, set_doubtful_apart
from shapecheck.static.entry.later_state import havoc_placeholders
from shapecheck.static.entry.observed_uses import observe_uses_of_function
from shapecheck.static.entry.stale_claims import CODE as STALE_DOCSTRING
from shapecheck.static.entry.structural_fingerprint import structural_fingerprint
from shapecheck.static.entry.variant_findings import CODE as OFF_DEFAULT
from shapecheck.static.entry.variant_runs import VariantRuns
from shapecheck.static.rules import rules_for
from shapecheck.static.statements.imports import run_body_with

if TYPE_CHECKING:
    from shapecheck.static.engine.parsed_files import ParsedFiles
    from shapecheck.static.observing.observer import RunObserver

__all__ = ["Checker", "FileOutcome", "check", "merged_diagnostics", "run_file"]

_MOST_STRUCTURES = 3


class Checker:
    """Checks the files of one project; each is parsed once, however many of them import it.

    The findings of a file depend on that file and its imports, never on what was run before it. `codes` are those whose
    rules are called; errors that torch raises are found in any case. `watch` is an observer of all runs. `libraries`
    are directories with installed libraries, whose source is read where the files call them. `parsed` are files that
    earlier checkers have parsed.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        roots: Sequence[Path] = (),
        codes: Iterable[str] = DEFAULT_CHECKS,
        watch: RunObserver | None = None,
        libraries: Sequence[Path] = (),
        parsed: ParsedFiles | None = None,
    ) -> None:
        self.project = Project(paths, roots=roots, libraries=libraries, parsed=parsed)
        chosen = frozenset(codes)
        self.session = Session(
            self.project,
            rules_for(chosen),
            watch,
            has_variants=OFF_DEFAULT in chosen,
            checks_claims=STALE_DOCSTRING in chosen,
        )
        self._places: dict[str, set[tuple[str, int, int, str]]] = {}
        """Where each finding is, for the files that other files have findings in."""

    def outcome(self, path: Path, asked: Container[str]) -> FileOutcome:
        """The findings of one file, syntax errors included, and whether it was analyzed completely."""
        return self._outcome(path, lambda: self.findings(path, asked))

    def outcome_of(self, path: Path) -> FileOutcome:
        """The same with the findings that are reported in that file alone."""
        return self._outcome(path, lambda: self.findings_of(path))

    def _outcome(self, path: Path, find: Callable[[], list[Diagnostic]]) -> FileOutcome:
        with Observing() as observed, NotedFindings(self.session) as noted:
            found = find()
        display = display_path(path)
        problems = [problem for problem in self.project.problems if problem.path == display]
        loaded = self.project.load(path)
        whole = loaded not in self.session.unfinished
        diagnostics = [*problems, *found]
        had_findings = noted.any or loaded in self.session.had_findings_in_body or bool(diagnostics)
        return FileOutcome(path, diagnostics, whole, had_findings, frozenset(observed), self.project.newly_read())

    def findings(self, path: Path, asked: Container[str]) -> list[Diagnostic]:
        """The findings of running one file that are in the requested files, named as in diagnostics.

        A finding in another file is reported at the call in a requested file that leads there, unless a comment in
        the other file silences it.
        """
        pairs = [(one.diagnostic, one.reported_in(asked)) for one in self._run(path)]
        moved = [there for there, here in pairs if here is not None and here is not there]
        heard = set(silence(moved, self.project.content).reported) if moved else set()
        return [here for there, here in pairs if here is not None and (here is there or there in heard)]

    def findings_of(self, path: Path) -> list[Diagnostic]:
        """The findings of running one file, reported in that file alone.

        A finding that another file has by itself is not reported at the calls of this file as well.
        """
        return [
            one
            for one in self.findings(path, {display_path(path)})
            if not one.notes or one.notes[0].message != ELSEWHERE or not self._is_found_there(one.code, one.notes[0])
        ]

    def _is_found_there(self, code: str, there: Note) -> bool:
        if there.path not in self._places:
            found = [one.diagnostic for one in self._run(Path(there.path).absolute())]
            self._places[there.path] = {(one.path, one.line, one.column, one.code) for one in found}
        return (there.path, there.line, there.column, code) in self._places[there.path]

    def _run(self, path: Path) -> list[Finding]:
        with collecting_once():
            loaded = self.project.load(path)
            return [] if loaded is None else with_deep_stack(partial(self._run_loaded, loaded))

    def _run_loaded(self, loaded: SourceModule) -> list[Finding]:
        """The findings of a file; an error outside of its entry points costs its other findings, not the run."""
        try:
            return run_file(self.session, loaded)
        except RecursionError:
            self.session.unfinished.add(loaded)
            return []
        except Exception as fault:
            return [Finding(diagnostic_at("internal-error", Place(loaded, loaded.tree), fault_text(fault), []), [])]


def check(paths: Sequence[Path], roots: Sequence[Path] = (), codes: Iterable[str] = DEFAULT_CHECKS) -> list[Diagnostic]:
    """The findings in the files under these paths, sorted by file and line; no code of them is executed.

    `roots` are further folders that absolute imports may start from, such as that of pyproject.toml.
    """
    checker = Checker(paths, roots, codes)
    asked = {display_path(path) for path in checker.project.files}
    templates = Templates()
    found = [(path, templates.without(path, checker.findings(path, asked))) for path in checker.project.files]
    return one_per_cause(sorted([*checker.project.problems, *merged_diagnostics(found)]))


def run_file(session: Session, loaded: SourceModule) -> list[Finding]:
    """Runs a module, then the functions and classes in it that its body does not call."""
    names = dispatch.run_module(session, loaded)
    body = session.bodies[loaded]
    enter = partial(run_entry, session, loaded)
    so_far = enter(loaded.tree, lambda run: report_invalid_annotations(run, names), Found(called=set(body.called)))
    fingerprints: set[Hashable] = set()
    by_class: list[tuple[ClassValue, set[FindingKey]]] = []
    by_function: list[tuple[FunctionValue, set[FindingKey]]] = []
    costs: list[tuple[ClassValue | FunctionValue, int]] = []
    for value in _definitions(session, names):
        if isinstance(value, ClassValue) and value.closure is names:
            before = so_far
            so_far = enter(value.node, partial(run_class, cls=value), so_far)
            by_class.append((value, _new_keys(so_far, before)))
            costs.append((value, so_far.steps - before.steps))
        elif isinstance(value, FunctionValue) and value.closure is names and _is_new(value, fingerprints):
            before = so_far
            so_far = enter(value.node, partial(_run_function, function=value), so_far)
            by_function.append((value, _new_keys(so_far, before)))
            costs.append((value, so_far.steps - before.steps))
    for cls, keys in by_class:
        if keys:
            _recheck_with_overrides(session, so_far, cls, keys)
    drop_with_options(session, loaded, so_far, by_function, _run_function)
    _drop_contradicted(session, so_far)
    drop_conditional(so_far, loaded, body)
    variants = VariantRuns(session, so_far, body.findings.keys(), costs).findings() if session.has_variants else ()
    return [*_of_body(session, loaded, body), *so_far.reported(), *variants]


def _new_keys(found: Found, before: Found) -> set[FindingKey]:
    """The findings of the entry point that ran last."""
    return (found.findings.keys() - before.findings) | (found.doubtful.keys() - before.doubtful)


def _drop_contradicted(session: Session, found: Found) -> None:
    """Drops what depends on a claim of a docstring or a comment that a later call contradicts."""
    for key, function in session.claimed.items():
        if is_contradicted(function, found.called):
            found.findings.pop(key, None)
            found.doubtful.pop(key, None)


def _of_body(session: Session, loaded: SourceModule, body: Body) -> Iterator[Finding]:
    """The findings of the body of a module; those that depend on an option of the command line as warnings."""
    found = Found(dict(body.findings), used=body.used)
    if found.findings and found.used:
        set_doubtful_apart(found, Found(), partial(run_body_with, session, loaded))
    return found.reported()


def _definitions(session: Session, names: Namespace) -> list[Value]:
    """The values of the names of a module, and what it defines under a condition."""
    found = list(names.fields.values())
    return found + [one for one in session.conditional.get(names, ()) if not any(one is other for other in found)]


def _recheck_with_overrides(session: Session, found: Found, cls: ClassValue, keys: set[FindingKey]) -> None:
    """Keeps the findings of a class that do not depend on constructor defaults that the project overrides."""
    replaced = overridden_defaults(cls, found.called)
    if replaced:
        entry = partial(run_class, cls=cls, given=replaced)
        # With nothing found, called or analyzed yet, as if its forward had not been called.
        again = run_entry(session, cls.closure.loaded, cls.node, entry, Found(cold=found.cold))
        every = again.findings.keys() | again.doubtful.keys()
        for key in keys:
            is_gone = key not in every and not (key in found.doubtful and is_broken_layer(*found.doubtful[key][:2]))
            if is_gone:
                found.findings.pop(key, None)
            if key in again.findings or is_gone:
                found.doubtful.pop(key, None)
            if key in again.findings:
                found.findings.setdefault(key, again.findings[key])


def _is_new(function: FunctionValue, fingerprints: set[Hashable]) -> bool:
    """Whether a function under a decorator of the project differs in structure from those before it.

    A registry of models has hundreds of functions; the first few with different structures are enough.
    """
    if has_transparent_decorators(function.node):
        return True
    kind = structural_fingerprint(function.node)
    if kind in fingerprints or len(fingerprints) >= _MOST_STRUCTURES:
        return False
    fingerprints.add(kind)
    return True


def _run_function(run: Run, function: FunctionValue) -> None:
    if is_pending(run, function):
        _run_returned_modules(run, dispatch.analyze_isolated(run, function), function.closure.loaded)
    if run.watch is not None:
        observe_uses_of_function(run, function)


def _run_returned_modules(run: Run, made: Value, loaded: SourceModule) -> None:
    """Runs the forwards of the modules that a function returns.

    Alternatives are run only for an observer, without findings: possibly none of them is ever built that way.
    """
    if isinstance(made, Alternatives):
        if run.watch is not None:
            with dry_run(run):
                run.journal.apart(lambda: _run_forwards(run, made.members, loaded))
    else:
        _run_forwards(run, made if type(made) is tuple else (made,), loaded)


def _run_forwards(run: Run, models: Iterable[Value], loaded: SourceModule) -> None:
    for one in models:
        if isinstance(one, Instance) and is_module(one.cls):
            try:
                forward = one.cls.lookup("forward")
            except KeyError:
                continue
            if isinstance(forward, FunctionValue):
                havoc_placeholders(run, one, loaded)
                dispatch.analyze_isolated(run, forward, (one,))
