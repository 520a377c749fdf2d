"""What is analyzed: the body of each module, then the functions and classes that nothing in the project calls."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import shapecheck.static.entry.registration  # noqa: F401 - fills the dispatch table
from shapecheck.diagnostics import DEFAULT_CHECKS, Diagnostic, Note
from shapecheck.ops import Unknown
from shapecheck.project.files import display_path
from shapecheck.project.outcomes import FileOutcome, merged_diagnostics
from shapecheck.project.same_cause import one_per_cause
from shapecheck.project.silencing import silence
from shapecheck.static.calls.functions import has_transparent_decorators
from shapecheck.static.calls.overridden_defaults import overridden_defaults
from shapecheck.static.contracts import contract_of
from shapecheck.static.contracts.contract import is_record
from shapecheck.static.contracts.invalid_annotations import report_invalid_annotations
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.class_facts import base_layer, is_module
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance, allocation_ids
from shapecheck.static.engine.argument_binding import UNKNOWN_KEYWORDS, defaults_of, parameters_of, positional_names
from shapecheck.static.engine.budget import Budget
from shapecheck.static.engine.call_stack import with_deep_stack
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.findings import ELSEWHERE, Finding, FindingKey, diagnostic_at, fault_text
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.loading import Project, SourceModule
from shapecheck.static.engine.places import Place
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.scopes import dry_run
from shapecheck.static.engine.session import Session
from shapecheck.static.engine.symbolic_inputs import SymbolicArgument, run_with_symbolic_inputs
from shapecheck.static.entry.collecting import collecting_once
from shapecheck.static.entry.isolation import symbolic_argument
from shapecheck.static.entry.receivers import analyze_annotated_methods, annotated_methods
from shapecheck.static.entry.structural_fingerprint import structural_fingerprint
from shapecheck.static.entry.uncalled_methods import analyze_uncalled_methods
from shapecheck.static.rules import rules_for

if TYPE_CHECKING:
    from shapecheck.static.observing.observer import RunObserver

__all__ = ["Checker", "FileOutcome", "check", "merged_diagnostics", "run_file"]

_MOST_STRUCTURES = 3
_UNCACHED_FACTOR = 4
"""By what factor a run that records origins may take more steps, because no call in it is cached."""
_NOTHING: Mapping[str, Value] = MappingProxyType({})


class Checker:
    """Checks the files of one project; each is parsed once, however many of them import it.

    The findings of a file depend on that file and its imports, never on what was run before it. `codes` are those whose
    rules are called; errors that torch raises are found in any case. `watch` is an observer of all runs.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        roots: Sequence[Path] = (),
        codes: Iterable[str] = DEFAULT_CHECKS,
        watch: RunObserver | None = None,
    ) -> None:
        self.project = Project(paths, roots=roots)
        self.session = Session(self.project, rules_for(frozenset(codes)), watch)
        self._places: dict[str, set[tuple[str, int, int, str]]] = {}
        """Where each finding is, for the files that other files have findings in."""

    def outcome(self, path: Path, asked: Container[str]) -> FileOutcome:
        """The findings of one file, syntax errors included, and whether it was analyzed completely."""
        found = self.findings(path, asked)
        display = display_path(path)
        problems = [problem for problem in self.project.problems if problem.path == display]
        whole = self.project.load(path) not in self.session.unfinished
        return FileOutcome(path, [*problems, *found], whole, self.project.newly_read())

    def findings(self, path: Path, asked: Container[str]) -> list[Diagnostic]:
        """The findings of running one file that are in the requested files, named as in diagnostics.

        A finding in another file is reported at the call in a requested file that leads there, unless a comment in
        the other file silences it.
        """
        pairs = [(one.diagnostic, one.reported_in(asked)) for one in self._run(path)]
        moved = [there for there, here in pairs if here is not None and here is not there]
        heard = set(silence(moved).reported) if moved else set()
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
    found = [(path, checker.findings(path, asked)) for path in checker.project.files]
    return one_per_cause(sorted([*checker.project.problems, *merged_diagnostics(found)]))


@dataclass(slots=True)
class _Found:
    """The findings of the entry points of one file so far, and the functions that they called or analyzed."""

    findings: dict[FindingKey, Finding] = field(default_factory=dict)
    called: set[Hashable] = field(default_factory=set)
    analyzed: set[ast.AST] = field(default_factory=set)

    def copy(self) -> _Found:
        """A copy for an attempt that may be discarded."""
        return _Found(dict(self.findings), set(self.called), set(self.analyzed))


_Entry = Callable[[Run], object]


def run_file(session: Session, loaded: SourceModule) -> list[Finding]:
    """Runs a module, then the functions and classes in it that its body does not call."""
    names = dispatch.run_module(session, loaded)
    body = session.bodies[loaded]
    enter = partial(_run_entry, session, loaded)
    so_far = enter(loaded.tree, lambda run: report_invalid_annotations(run, names), _Found(called=set(body.called)))
    fingerprints: set[Hashable] = set()
    by_class: list[tuple[ClassValue, set[FindingKey]]] = []
    for value in list(names.fields.values()):
        if isinstance(value, ClassValue) and value.closure is names:
            before = set(so_far.findings)
            so_far = enter(value.node, partial(_run_class, cls=value), so_far)
            by_class.append((value, so_far.findings.keys() - before))
        elif isinstance(value, FunctionValue) and value.closure is names and _is_new(value, fingerprints):
            so_far = enter(value.node, partial(_run_function, function=value), so_far)
    for cls, keys in by_class:
        if keys:
            _recheck_with_overrides(session, so_far, cls, keys)
    return [*body.findings, *so_far.findings.values()]


def _recheck_with_overrides(session: Session, found: _Found, cls: ClassValue, keys: set[FindingKey]) -> None:
    """Keeps the findings of a class that do not depend on constructor defaults that the project overrides."""
    replaced = overridden_defaults(cls, found.called)
    if replaced:
        entry = partial(_run_class, cls=cls, given=replaced)
        # With nothing found, called or analyzed yet, as if its forward had not been called.
        again = _run_entry(session, cls.closure.loaded, cls.node, entry, _Found())
        found.findings = {key: one for key, one in found.findings.items() if key not in keys or key in again.findings}


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


def _run_entry(session: Session, loaded: SourceModule, node: ast.AST, entry: _Entry, before: _Found) -> _Found:
    """Runs one entry point, and again with recorded origins if it has findings."""
    with session.origins.resting():
        found = _run_once(session, loaded, node, entry, before.copy())
    if len(found.findings) > len(before.findings):
        with session.origins.passing():
            found = _run_once(session, loaded, node, entry, before.copy(), Budget(_UNCACHED_FACTOR * Budget().most))
    return found


def _run_once(
    session: Session, loaded: SourceModule, node: ast.AST, entry: _Entry, found: _Found, budget: Budget | None = None
) -> _Found:
    """Runs one entry point, adds its findings, and undoes its changes."""
    run = Run(
        session, found.findings, found.called, found.analyzed, mark=next(allocation_ids), budget=budget or Budget()
    )
    run.journal.apart(lambda: run.safely(loaded, node, partial(entry, run)))
    return found


def _run_function(run: Run, function: FunctionValue) -> None:
    if _is_pending(run, function):
        _run_returned_modules(run, dispatch.analyze_isolated(run, function))


def _run_returned_modules(run: Run, made: Value) -> None:
    """Runs the forwards of the modules that a function returns.

    Alternatives are run only for an observer, without findings: possibly none of them is ever built that way.
    """
    if isinstance(made, Alternatives):
        if run.watch is not None:
            with dry_run(run):
                run.journal.apart(lambda: _run_forwards(run, made.members))
    else:
        _run_forwards(run, made if type(made) is tuple else (made,))


def _run_forwards(run: Run, models: Iterable[Value]) -> None:
    for one in models:
        if isinstance(one, Instance) and is_module(one.cls):
            try:
                forward = one.cls.lookup("forward")
            except KeyError:
                continue
            if isinstance(forward, FunctionValue):
                dispatch.analyze_isolated(run, forward, (one,))


def _is_pending(run: Run, function: FunctionValue) -> bool:
    """Whether a function was not called, or has an annotation contract, which its body must fulfil for all sizes."""
    return function.node not in run.called or contract_of(run, function) is not None


def _run_class(run: Run, cls: ClassValue, given: Mapping[str, Value] = _NOTHING) -> None:
    """Instantiates a class with its defaults, or the `given` arguments, and analyzes its methods."""
    if is_module(cls):
        if run.watch is not None:
            _observe_defaults(run, cls)
        made = _instance(run, cls, given)
        forward = cls.fields.get("forward")
        if isinstance(made, Instance) and isinstance(forward, FunctionValue) and _is_pending(run, forward):
            result = dispatch.analyze_isolated(run, forward, (made,))
            if isinstance(result, Unknown):
                _note_skipped(run, cls, result.reason)
        analyze_annotated_methods(run, cls, made)
    else:
        made = None if is_record(cls) else _instance(run, cls)
        if annotated_methods(run, cls):
            analyze_annotated_methods(run, cls, made)
    analyze_uncalled_methods(run, cls, made)


def _observe_defaults(run: Run, cls: ClassValue) -> None:
    """For an observer, runs a module built with all defaults, None included, without findings."""

    def body() -> None:
        made, forward = _instance(run, cls, keeps_none=True), cls.fields.get("forward")
        if isinstance(made, Instance) and isinstance(forward, FunctionValue):
            dispatch.analyze_isolated(run, forward, (made,), keeps_none=True)

    with dry_run(run):
        run.journal.apart(body)


def _instance(run: Run, cls: ClassValue, given: Mapping[str, Value] = _NOTHING, *, keeps_none: bool = False) -> Value:
    """An instance built with the defaults of its constructor and symbolic arguments; None if that is impossible.

    A default of None is kept if `keeps_none`, else unknown.
    """
    arguments = _unknown_arguments(run, cls, keeps_none=keeps_none)
    if arguments is None:
        _note_skipped(run, cls, "constructor inherited from a torch layer")
        return None
    arguments |= given

    def build(learnt: Mapping[str, Value]) -> Value:
        return dispatch.instantiate(run, None, cls, (), {**arguments, **learnt})

    with run.inside(Frame(cls.closure)):
        made = run_with_symbolic_inputs(
            run, {name: one for name, one in arguments.items() if isinstance(one, SymbolicArgument)}, build
        )
    if isinstance(made, Unknown):
        _note_skipped(run, cls, made.reason)
    return made


def _note_skipped(run: Run, cls: ClassValue, why: str) -> None:
    if run.watch is not None:
        run.watch.classes[cls.node] = why


def _unknown_arguments(run: Run, cls: ClassValue, *, keeps_none: bool) -> dict[str, Value] | None:
    """A symbolic value for each argument that the constructor requires, None if it is that of a layer of torch.

    For a layer no sensible values can be chosen.
    """
    try:
        constructor = cls.lookup("__init__")
    except KeyError:
        return {} if base_layer(cls) is None else None
    if not isinstance(constructor, FunctionValue):
        return {}
    receiver = positional_names(constructor.node.args)[:1]
    parameters = [one for one in parameters_of(constructor.node.args) if one.name not in receiver]
    found = {one.name: symbolic_argument(run, constructor, one.node) for one in parameters if one.default is None}
    defaults = {name: value for name, value in defaults_of(constructor).items() if name not in receiver}
    if found and not keeps_none:  # it is never built with defaults alone, so that a default of None may be overridden
        unset = [one.name for one in parameters if one.by_position and defaults.get(one.name, ...) is None]
        found |= {name: Unknown(f"argument {name}") for name in unset}
    if constructor.node.args.kwarg is not None:
        found = defaults | found
        found[UNKNOWN_KEYWORDS] = Unknown("unknown keyword arguments")
    return found
