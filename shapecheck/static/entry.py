"""What is run: each module's body, then what nothing in the project has called."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterable, Sequence
from functools import partial
from pathlib import Path

from shapecheck.diagnostics import Diagnostic
from shapecheck.ops import Unknown
from shapecheck.project.files import display_path
from shapecheck.spec import TensorSpec, unknown
from shapecheck.static.classes import instantiate, is_module
from shapecheck.static.contracts import contract_of
from shapecheck.static.functions import run_function
from shapecheck.static.imports import run_module
from shapecheck.static.layers import base_layer
from shapecheck.static.loading import Loaded, Project
from shapecheck.static.machine import Finding, Frame, Machine
from shapecheck.static.values import ClassValue, FunctionValue, Instance, Value


class Checker:
    """Checks the files of one project; each is parsed once, however many of them import it.

    What is found in running a file depends on that file and on what it imports, never on what was run before it.
    """

    def __init__(self, paths: Sequence[Path], roots: Sequence[Path] = ()) -> None:
        self.project = Project(paths, roots=roots)
        self._machine = Machine(self.project)

    def findings(self, path: Path, asked: Container[str]) -> list[Diagnostic]:
        """What running one file finds in the files that are asked about, by the paths that diagnostics show.

        A finding elsewhere is told at the call that leads there from a file that is asked about.
        """
        loaded = self.project.load(path)
        if loaded is None:
            return []
        found = run_file(self._machine, loaded)
        return [told for one in found for told in [one.told_in(asked)] if told is not None]


def check(paths: Sequence[Path], roots: Sequence[Path] = ()) -> list[Diagnostic]:
    """The findings in the files under these paths, by file and line; nothing of what is read is executed.

    `roots` are further folders where absolute imports may start, such as that of pyproject.toml.
    """
    checker = Checker(paths, roots)
    asked = {display_path(path) for path in checker.project.files}
    found = [(path, checker.findings(path, asked)) for path in checker.project.files]
    return sorted([*checker.project.problems, *merged(found)])


def merged(found: Iterable[tuple[Path, list[Diagnostic]]]) -> list[Diagnostic]:
    """The findings of several files' runs, each place and code once: as the file itself shows it, else the first."""
    own: dict[tuple[str, int, int, str], Diagnostic] = {}
    others: dict[tuple[str, int, int, str], Diagnostic] = {}
    for path, diagnostics in found:
        for one in diagnostics:
            home = own if one.path == display_path(path) else others
            home.setdefault((one.path, one.line, one.column, one.code), one)
    return list({**others, **own}.values())


def run_file(machine: Machine, loaded: Loaded) -> list[Finding]:
    """Runs a module, and then the functions and classes in it that it does not call itself."""
    names = run_module(machine, loaded)
    body = machine.bodies[loaded]
    machine.begin(body.called)
    for value in list(names.fields.values()):
        if isinstance(value, ClassValue) and value.closure is names:
            _safely(machine, loaded, value.node, partial(_run_class, machine, value))
        elif isinstance(value, FunctionValue) and value.closure is names:
            _safely(machine, loaded, value.node, partial(_run_function, machine, value))
    return [*body.findings, *machine.findings.values()]


def _safely(machine: Machine, loaded: Loaded, node: ast.AST, run: Callable[[], object]) -> None:
    """Runs one entry and undoes what it changed; a fault of our own is a finding of its own and hides no other."""
    machine.steps = 0
    machine.journal.apart(lambda: machine.safely(loaded, node, run))


def _run_function(machine: Machine, function: FunctionValue) -> None:
    if function.node not in machine.called:
        _run_alone(machine, function, None)


def _run_class(machine: Machine, cls: ClassValue) -> None:
    """A module as its constructor makes it with what it takes by default, and what its forward does."""
    if not is_module(cls):
        return
    arguments = _unknown_arguments(cls)
    if arguments is None:
        return
    with machine.inside(Frame(cls.closure)):
        made = instantiate(machine, None, cls, (), arguments)
    forward = cls.fields.get("forward")
    if not isinstance(made, Instance) or not isinstance(forward, FunctionValue):
        return
    if forward.node not in machine.called or contract_of(machine, forward) is not None:
        _run_alone(machine, forward, made)


def _unknown_arguments(cls: ClassValue) -> dict[str, Value] | None:
    """A value for each argument that the constructor needs: a size that nobody knows where it is an int.

    None where it takes any number of them, or is a layer's of torch's: what they would be cannot be made up.
    """
    try:
        constructor = cls.lookup("__init__")
    except KeyError:
        return {} if base_layer(cls) is None else None
    if not isinstance(constructor, FunctionValue):
        return {}
    spec = constructor.node.args
    if spec.vararg is not None or spec.kwarg is not None:
        return None
    positional = [*spec.posonlyargs, *spec.args][1:]
    first_default = len(positional) - len(constructor.defaults)
    needed = positional[:first_default]
    needed += [one for one, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if default is None]
    found = {one.arg: _unknown_of(one) for one in needed}
    if found:  # nobody builds it with defaults alone: a None there may well be something else
        optional = zip(positional[first_default:], constructor.defaults, strict=True)
        found |= {one.arg: Unknown(f"the argument {one.arg}") for one, default in optional if default is None}
    return found


def _unknown_of(parameter: ast.arg) -> Value:
    annotation = parameter.annotation
    if isinstance(annotation, ast.Name) and annotation.id == "int":
        return unknown(parameter.arg)
    if isinstance(annotation, (ast.Name, ast.Attribute)) and ast.unparse(annotation) in ("Tensor", "torch.Tensor"):
        return TensorSpec.anything()
    return Unknown(f"the argument {parameter.arg}")


def _perhaps(parameter: ast.arg, default: Value) -> Value:
    """What is known of an argument that has a default: a caller may well give another size, or something for None."""
    if default is None:
        return Unknown(f"the argument {parameter.arg}")
    return unknown(parameter.arg) if type(default) is int else default


def _run_alone(machine: Machine, function: FunctionValue, receiver: Instance | None) -> None:
    """A function with arguments of which only the annotations are known."""
    contract = contract_of(machine, function)
    promised = {} if contract is None else contract.promised(function.name)
    spec = function.node.args
    if spec.vararg is not None or spec.kwarg is not None:
        return
    positional = [*spec.posonlyargs, *spec.args]
    first_default = len(positional) - len(function.defaults)
    args: list[Value] = []
    for index, one in enumerate(positional):
        if index == 0 and receiver is not None:
            args.append(receiver)
        elif one.arg in promised:
            args.append(promised[one.arg])
        elif index < first_default:
            args.append(_unknown_of(one))
        else:
            args.append(_perhaps(one, function.defaults[index - first_default]))
    kwargs = {
        one.arg: promised.get(one.arg, _unknown_of(one))
        for one, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
        if default is None
    }
    with machine.inside(Frame(function.closure)):
        run_function(machine, None, function, tuple(args), kwargs)
