"""What is run: each module's body, then what nothing in the project has called."""

from __future__ import annotations

import ast
import gc
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import shapecheck.static.entry.registration  # noqa: F401 - it fills the dispatch table
from shapecheck.diagnostics import DEFAULT_CHECKS, Diagnostic, Note
from shapecheck.ops import Unknown
from shapecheck.project.files import display_path
from shapecheck.project.outcomes import FileOutcome, merged_diagnostics
from shapecheck.project.silencing import silence
from shapecheck.static.calls.functions import has_transparent_decorators
from shapecheck.static.calls.overridden_defaults import overridden_defaults
from shapecheck.static.contracts import contract_of
from shapecheck.static.contracts.contract import is_record
from shapecheck.static.contracts.invalid_annotations import report_invalid_annotations
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.class_facts import base_layer, is_module
from shapecheck.static.domain.values import ClassValue, FunctionValue, Instance, Value, allocation_ids
from shapecheck.static.engine.argument_binding import UNKNOWN_KEYWORDS, defaults_of, parameters_of, positional_names
from shapecheck.static.engine.budget import Budget
from shapecheck.static.engine.call_stack import on_one_stack
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.findings import ELSEWHERE, Finding, FindingKey
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.loading import Project, SourceModule
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.scopes import dry_run
from shapecheck.static.engine.session import Session
from shapecheck.static.engine.symbolic_inputs import SymbolicArgument, run_with_symbolic_inputs
from shapecheck.static.entry.isolation import symbolic_argument
from shapecheck.static.entry.receivers import analyze_annotated_methods, annotated_methods
from shapecheck.static.entry.structural_fingerprint import structural_fingerprint
from shapecheck.static.entry.uncalled_methods import analyze_uncalled_methods
from shapecheck.static.rules import rules_for

if TYPE_CHECKING:
    from shapecheck.static.observing.observer import RunObserver

__all__ = ["Checker", "FileOutcome", "check", "merged_diagnostics", "run_file"]

_MANY_OBJECTS = 100_000


_MOST_VARIETIES = 3
_UNCACHED = 4
"""How many times the steps a run may take that notes origins, for which no call is cached."""
_NOTHING: Mapping[str, Value] = MappingProxyType({})


class Checker:
    """Checks the files of one project; each is parsed once, however many of them import it.

    What is found in running a file depends on that file and on what it imports, never on what was run before it.
    `codes` are those whose rules are asked; what torch refuses is found whether it is among them or not. `watch` is an
    observer of all runs.
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
        """For files that were run for that: where each of their findings is."""

    def outcome(self, path: Path, asked: Container[str]) -> FileOutcome:
        """What running one file finds, that it does not parse included, and whether it was run to its end."""
        found = self.findings(path, asked)
        display = display_path(path)
        problems = [problem for problem in self.project.problems if problem.path == display]
        whole = self.project.load(path) not in self.session.unfinished
        return FileOutcome(path, [*problems, *found], whole, self.project.newly_read())

    def findings(self, path: Path, asked: Container[str]) -> list[Diagnostic]:
        """What running one file finds in the files that are asked about, by the paths that diagnostics show.

        A finding elsewhere is told at the call that leads there from a file that is asked about, unless a comment
        silences it where it happens.
        """
        told = [(one.diagnostic, one.told_in(asked)) for one in self._run(path)]
        moved = [there for there, here in told if here is not None and here is not there]
        heard = set(silence(moved).reported) if moved else set()
        return [here for there, here in told if here is not None and (here is there or there in heard)]

    def findings_of(self, path: Path) -> list[Diagnostic]:
        """What running one file finds, told in that file alone.

        What another file has whoever calls it is found by running that one, so it is not told at each call as well.
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
        with _collecting_once():
            loaded = self.project.load(path)
            return [] if loaded is None else on_one_stack(partial(run_file, self.session, loaded))


@contextmanager
def _collecting_once() -> Iterator[None]:
    """Garbage in cycles is looked for at the end, where there may be much, and among what is new.

    A third of the time would go into looking for it again and again among syntax trees, which are kept anyway.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if gc.get_count()[0] > _MANY_OBJECTS:
            gc.collect(0)
        if enabled:
            gc.enable()


def check(paths: Sequence[Path], roots: Sequence[Path] = (), codes: Iterable[str] = DEFAULT_CHECKS) -> list[Diagnostic]:
    """The findings in the files under these paths, by file and line; nothing of what is read is executed.

    `roots` are further folders where absolute imports may start, such as that of pyproject.toml.
    """
    checker = Checker(paths, roots, codes)
    asked = {display_path(path) for path in checker.project.files}
    found = [(path, checker.findings(path, asked)) for path in checker.project.files]
    return sorted([*checker.project.problems, *merged_diagnostics(found)])


@dataclass(slots=True)
class _Found:
    """What the entry points of one file have found so far, called, and analyzed in isolation."""

    findings: dict[FindingKey, Finding] = field(default_factory=dict)
    called: set[Hashable] = field(default_factory=set)
    analyzed: set[ast.AST] = field(default_factory=set)

    def copy(self) -> _Found:
        """The same, for an attempt that may not count."""
        return _Found(dict(self.findings), set(self.called), set(self.analyzed))


_Entry = Callable[[Run], object]


def run_file(session: Session, loaded: SourceModule) -> list[Finding]:
    """Runs a module, and then the functions and classes in it that it does not call itself."""
    names = dispatch.run_module(session, loaded)
    body = session.bodies[loaded]
    enter = partial(_run_entry, session, loaded)
    so_far = enter(loaded.tree, lambda run: report_invalid_annotations(run, names), _Found(called=set(body.called)))
    varieties: set[Hashable] = set()
    by_class: list[tuple[ClassValue, set[FindingKey]]] = []
    for value in list(names.fields.values()):
        if isinstance(value, ClassValue) and value.closure is names:
            before = set(so_far.findings)
            so_far = enter(value.node, partial(_run_class, cls=value), so_far)
            by_class.append((value, so_far.findings.keys() - before))
        elif isinstance(value, FunctionValue) and value.closure is names and _is_new(value, varieties):
            so_far = enter(value.node, partial(_run_function, function=value), so_far)
    for cls, keys in by_class:
        if keys:
            _reconsider(session, so_far, cls, keys)
    return [*body.findings, *so_far.findings.values()]


def _reconsider(session: Session, found: _Found, cls: ClassValue, keys: set[FindingKey]) -> None:
    """Keeps what was found in a class with its defaults where that holds whatever the project gives for them."""
    replaced = overridden_defaults(cls, found.called)
    if replaced:
        entry = partial(_run_class, cls=cls, given=replaced)
        again = _run_entry(session, cls.closure.loaded, cls.node, entry, _Found())  # as if its forward had not been run
        found.findings = {key: one for key, one in found.findings.items() if key not in keys or key in again.findings}


def _is_new(function: FunctionValue, varieties: set[Hashable]) -> bool:
    """Whether no other function under a decorator of the project does the same with other numbers.

    A registry of models has hundreds of them, of which the first that differ are enough.
    """
    if has_transparent_decorators(function.node):
        return True
    kind = structural_fingerprint(function.node)
    if kind in varieties or len(varieties) >= _MOST_VARIETIES:
        return False
    varieties.add(kind)
    return True


def _run_entry(session: Session, loaded: SourceModule, node: ast.AST, entry: _Entry, before: _Found) -> _Found:
    """Runs one entry point; once more, with notes of what comes from where, if it has findings."""
    with session.origins.resting():
        found = _once(session, loaded, node, entry, before.copy())
    if len(found.findings) > len(before.findings):
        with session.origins.passing():
            found = _once(session, loaded, node, entry, before.copy(), Budget(_UNCACHED * Budget().most))
    return found


def _once(
    session: Session, loaded: SourceModule, node: ast.AST, entry: _Entry, found: _Found, budget: Budget | None = None
) -> _Found:
    """Runs one entry point, adds to what was found, and undoes what it changed."""
    run = Run(
        session, found.findings, found.called, found.analyzed, mark=next(allocation_ids), budget=budget or Budget()
    )
    run.journal.apart(lambda: run.safely(loaded, node, partial(entry, run)))
    return found


def _run_function(run: Run, function: FunctionValue) -> None:
    if _is_left(run, function):
        _run_models(run, dispatch.analyze_isolated(run, function))


def _run_models(run: Run, made: Value) -> None:
    """What the forwards do of the modules that a function builds, where it does not call them itself.

    Of several that it may build each is run for who watches alone: perhaps one is never built so.
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


def _is_left(run: Run, function: FunctionValue) -> bool:
    """Whether nothing has called it, or it promises shapes, which its body must do for all sizes."""
    return function.node not in run.called or contract_of(run, function) is not None


def _run_class(run: Run, cls: ClassValue, given: Mapping[str, Value] = _NOTHING) -> None:
    """A module as its constructor makes it with what it takes by default, and what its forward does.

    Some arguments may be `given`.
    """
    if is_module(cls):
        if run.watch is not None:
            _watch_defaults(run, cls)
        made = _made(run, cls, given)
        forward = cls.fields.get("forward")
        if isinstance(made, Instance) and isinstance(forward, FunctionValue) and _is_left(run, forward):
            result = dispatch.analyze_isolated(run, forward, (made,))
            if isinstance(result, Unknown):
                _skipped(run, cls, result.reason)
        analyze_annotated_methods(run, cls, made)
    else:
        made = None if is_record(cls) else _made(run, cls)
        if annotated_methods(run, cls):
            analyze_annotated_methods(run, cls, made)
    analyze_uncalled_methods(run, cls, made)


def _watch_defaults(run: Run, cls: ClassValue) -> None:
    """For who watches, a module as every default makes it, None included; what is found so proves nothing."""

    def body() -> None:
        made, forward = _made(run, cls, keeps_none=True), cls.fields.get("forward")
        if isinstance(made, Instance) and isinstance(forward, FunctionValue):
            dispatch.analyze_isolated(run, forward, (made,), keeps_none=True)

    with dry_run(run):
        run.journal.apart(body)


def _made(run: Run, cls: ClassValue, given: Mapping[str, Value] = _NOTHING, *, keeps_none: bool = False) -> Value:
    """An object as its constructor makes it with what it takes by default; None where nobody can tell.

    A default of None is kept, or may be anything.
    """
    arguments = _unknown_arguments(run, cls, keeps_none=keeps_none)
    if arguments is None:
        _skipped(run, cls, "its constructor is that of a layer of torch's")
        return None
    arguments |= given

    def build(learnt: Mapping[str, Value]) -> Value:
        return dispatch.instantiate(run, None, cls, (), {**arguments, **learnt})

    with run.inside(Frame(cls.closure)):
        made = run_with_symbolic_inputs(
            run, {name: one for name, one in arguments.items() if isinstance(one, SymbolicArgument)}, build
        )
    if isinstance(made, Unknown):
        _skipped(run, cls, made.reason)
    return made


def _skipped(run: Run, cls: ClassValue, why: str) -> None:
    if run.watch is not None:
        run.watch.classes[cls.node] = why


def _unknown_arguments(run: Run, cls: ClassValue, *, keeps_none: bool) -> dict[str, Value] | None:
    """A value for each argument that the constructor needs: a size that nobody knows where it is an int.

    None where it is a layer's of torch's: what they would be cannot be made up.
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
    if found and not keeps_none:  # nobody builds it with defaults alone: a None there may well be something else
        unset = [one.name for one in parameters if one.by_position and defaults.get(one.name, ...) is None]
        found |= {name: Unknown(f"the argument {name}") for name in unset}
    if constructor.node.args.kwarg is not None:
        found = defaults | found
        found[UNKNOWN_KEYWORDS] = Unknown("any keyword arguments")
    return found
