"""What is run: each module's body, then what nothing in the project has called."""

from __future__ import annotations

import ast
import gc
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import shapecheck.static.expressions.table
import shapecheck.static.statements.table  # noqa: F401 - it fills the tables of what can be run
from shapecheck.diagnostics import DEFAULT_CHECKS, Diagnostic, Note
from shapecheck.ops import Unknown
from shapecheck.project.files import display_path
from shapecheck.project.outcomes import FileOutcome, merged_diagnostics
from shapecheck.project.silencing import silence
from shapecheck.static.alone import run_alone, some_argument
from shapecheck.static.alternatives import Alternatives
from shapecheck.static.classes import instantiate, is_module
from shapecheck.static.contracts import contract_of
from shapecheck.static.contracts.objects import is_record
from shapecheck.static.contracts.wrong import report_wrong_annotations
from shapecheck.static.factories import variety
from shapecheck.static.findings import ELSEWHERE, Finding
from shapecheck.static.frames import Frame
from shapecheck.static.functions import MISSING, UNKNOWN_KEYWORDS, decorators_keep_meaning
from shapecheck.static.imports import run_module
from shapecheck.static.inputs import Given, run_learning
from shapecheck.static.left_methods import run_left_methods
from shapecheck.static.loading import Loaded, Project
from shapecheck.static.machine import Machine
from shapecheck.static.nn.layers import base_layer
from shapecheck.static.receivers import annotated_methods, run_methods
from shapecheck.static.replaced import replaced_in
from shapecheck.static.rules import rules_for
from shapecheck.static.stack import with_room
from shapecheck.static.values import ClassValue, FunctionValue, Instance, Value

__all__ = ["Checker", "FileOutcome", "check", "merged_diagnostics", "run_file"]

_MANY_OBJECTS = 100_000


_MOST_VARIETIES = 3
_NOTHING: Mapping[str, Value] = MappingProxyType({})


class Checker:
    """Checks the files of one project; each is parsed once, however many of them import it.

    What is found in running a file depends on that file and on what it imports, never on what was run before it.
    `codes` are those whose rules are asked; what torch refuses is found whether it is among them or not.
    """

    def __init__(
        self, paths: Sequence[Path], roots: Sequence[Path] = (), codes: Iterable[str] = DEFAULT_CHECKS
    ) -> None:
        self.project = Project(paths, roots=roots)
        self.machine = Machine(self.project, rules_for(frozenset(codes)))
        self._places: dict[str, set[tuple[str, int, int, str]]] = {}
        """For files that were run for that: where each of their findings is."""

    def outcome(self, path: Path, asked: Container[str]) -> FileOutcome:
        """What running one file finds, that it does not parse included, and whether it was run to its end."""
        found = self.findings(path, asked)
        display = display_path(path)
        problems = [problem for problem in self.project.problems if problem.path == display]
        whole = self.project.load(path) not in self.machine.unfinished
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
            return [] if loaded is None else with_room(partial(run_file, self.machine, loaded))


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


def run_file(machine: Machine, loaded: Loaded) -> list[Finding]:
    """Runs a module, and then the functions and classes in it that it does not call itself."""
    names = run_module(machine, loaded)
    body = machine.bodies[loaded]
    machine.begin(body.called)
    _safely(machine, loaded, loaded.tree, partial(report_wrong_annotations, machine, names))
    varieties: set[Hashable] = set()
    found: list[tuple[ClassValue, set[Any]]] = []
    for value in list(names.fields.values()):
        if isinstance(value, ClassValue) and value.closure is names:
            before = set(machine.findings)
            _safely(machine, loaded, value.node, partial(_run_class, machine, value))
            found.append((value, machine.findings.keys() - before))
        elif isinstance(value, FunctionValue) and value.closure is names and _is_new(value, varieties):
            _safely(machine, loaded, value.node, partial(_run_function, machine, value))
    for cls, keys in found:
        if keys:
            _reconsider(machine, cls, keys)
    return [*body.findings, *machine.findings.values()]


def _reconsider(machine: Machine, cls: ClassValue, keys: set[Any]) -> None:
    """Keeps what was found in a class with its defaults where that holds whatever the project gives for them."""
    replaced = replaced_in(cls, machine.called)
    if replaced:
        kept, called, alone = machine.findings, machine.called, machine.alone
        machine.findings, machine.called, machine.alone = {}, set(), set()  # as if its forward had not been run
        _safely(machine, cls.closure.loaded, cls.node, partial(_run_class, machine, cls, replaced))
        again, machine.called, machine.alone = machine.findings, called, alone
        machine.findings = {key: one for key, one in kept.items() if key not in keys or key in again}


def _is_new(function: FunctionValue, varieties: set[Hashable]) -> bool:
    """Whether no other function under a decorator of the project does the same with other numbers.

    A registry of models has hundreds of them, of which the first that differ are enough.
    """
    if decorators_keep_meaning(function.node):
        return True
    kind = variety(function.node)
    if kind in varieties or len(varieties) >= _MOST_VARIETIES:
        return False
    varieties.add(kind)
    return True


def _safely(machine: Machine, loaded: Loaded, node: ast.AST, run: Callable[[], object]) -> None:
    """Runs one entry and undoes what it changed; once more, with notes of what comes from where, if it has findings."""
    before, called, alone = dict(machine.findings), set(machine.called), set(machine.alone)
    with machine.origins.resting():
        _once(machine, loaded, node, run)
    if len(machine.findings) > len(before):
        machine.findings, machine.called, machine.alone = before, called, alone
        with machine.origins.passing():
            _once(machine, loaded, node, run)


def _once(machine: Machine, loaded: Loaded, node: ast.AST, run: Callable[[], object]) -> None:
    machine.start()
    machine.journal.apart(lambda: machine.safely(loaded, node, run))


def _run_function(machine: Machine, function: FunctionValue) -> None:
    if _is_left(machine, function):
        _run_models(machine, run_alone(machine, function))


def _run_models(machine: Machine, made: Value) -> None:
    """What the forwards do of the modules that a function builds, where it does not call them itself.

    Of several that it may build each is run for who watches alone: perhaps one is never built so.
    """
    if isinstance(made, Alternatives):
        if machine.watch is not None:
            with machine.rehearsed():
                machine.journal.apart(lambda: _run_forwards(machine, made.members))
    else:
        _run_forwards(machine, made if type(made) is tuple else (made,))


def _run_forwards(machine: Machine, models: Iterable[Value]) -> None:
    for one in models:
        if isinstance(one, Instance) and is_module(one.cls):
            try:
                forward = one.cls.lookup("forward")
            except KeyError:
                continue
            if isinstance(forward, FunctionValue):
                run_alone(machine, forward, (one,))


def _is_left(machine: Machine, function: FunctionValue) -> bool:
    """Whether nothing has called it, or it promises shapes, which its body must do for all sizes."""
    return function.node not in machine.called or contract_of(machine, function) is not None


def _run_class(machine: Machine, cls: ClassValue, given: Mapping[str, Value] = _NOTHING) -> None:
    """A module as its constructor makes it with what it takes by default, and what its forward does.

    Some arguments may be `given`.
    """
    if is_module(cls):
        if machine.watch is not None:
            _watch_defaults(machine, cls)
        made = _made(machine, cls, given)
        forward = cls.fields.get("forward")
        if isinstance(made, Instance) and isinstance(forward, FunctionValue) and _is_left(machine, forward):
            result = run_alone(machine, forward, (made,))
            if isinstance(result, Unknown):
                _skipped(machine, cls, result.reason)
        run_methods(machine, cls, made)
    else:
        made = None if is_record(cls) else _made(machine, cls)
        if annotated_methods(machine, cls):
            run_methods(machine, cls, made)
    run_left_methods(machine, cls, made)


def _watch_defaults(machine: Machine, cls: ClassValue) -> None:
    """For who watches, a module as every default makes it, None included; what is found so proves nothing."""

    def run() -> None:
        made, forward = _made(machine, cls, keeps_none=True), cls.fields.get("forward")
        if isinstance(made, Instance) and isinstance(forward, FunctionValue):
            run_alone(machine, forward, (made,), keeps_none=True)

    with machine.rehearsed():
        machine.journal.apart(run)


def _made(
    machine: Machine, cls: ClassValue, given: Mapping[str, Value] = _NOTHING, *, keeps_none: bool = False
) -> Value:
    """An object as its constructor makes it with what it takes by default; None where nobody can tell.

    A default of None is kept, or may be anything.
    """
    arguments = _unknown_arguments(machine, cls, keeps_none=keeps_none)
    if arguments is None:
        _skipped(machine, cls, "its constructor is that of a layer of torch's")
        return None
    arguments |= given

    def build(learnt: Mapping[str, Value]) -> Value:
        return instantiate(machine, None, cls, (), {**arguments, **learnt})

    with machine.inside(Frame(cls.closure)):
        made = run_learning(machine, {name: one for name, one in arguments.items() if isinstance(one, Given)}, build)
    if isinstance(made, Unknown):
        _skipped(machine, cls, made.reason)
    return made


def _skipped(machine: Machine, cls: ClassValue, why: str) -> None:
    if machine.watch is not None:
        machine.watch.classes[cls.node] = why


def _unknown_arguments(machine: Machine, cls: ClassValue, *, keeps_none: bool) -> dict[str, Value] | None:
    """A value for each argument that the constructor needs: a size that nobody knows where it is an int.

    None where it is a layer's of torch's: what they would be cannot be made up.
    """
    try:
        constructor = cls.lookup("__init__")
    except KeyError:
        return {} if base_layer(cls) is None else None
    if not isinstance(constructor, FunctionValue):
        return {}
    spec = constructor.node.args
    positional = [*spec.posonlyargs, *spec.args][1:]
    first_default = len(positional) - len(constructor.defaults)
    needed = positional[:first_default]
    needed += [one for one, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if default is None]
    found = {one.arg: some_argument(machine, constructor, one) for one in needed}
    optional = {one.arg: value for one, value in zip(positional[first_default:], constructor.defaults, strict=True)}
    if found and not keeps_none:  # nobody builds it with defaults alone: a None there may well be something else
        found |= {name: Unknown(f"the argument {name}") for name, default in optional.items() if default is None}
    if spec.kwarg is not None:
        named = zip(spec.kwonlyargs, constructor.kw_defaults, strict=True)
        found = optional | {one.arg: value for one, value in named if value is not MISSING} | found
        found[UNKNOWN_KEYWORDS] = Unknown("any keyword arguments")
    return found
