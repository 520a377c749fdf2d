"""What is run: each module's body, then what nothing in the project has called."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from shapecheck.diagnostics import Diagnostic
from shapecheck.ops import Unknown
from shapecheck.project.files import display_path
from shapecheck.static.alone import run_alone, some_argument
from shapecheck.static.classes import instantiate, is_module
from shapecheck.static.contracts import contract_of
from shapecheck.static.contracts.objects import is_record
from shapecheck.static.contracts.wrong import report_wrong_annotations
from shapecheck.static.imports import run_module
from shapecheck.static.loading import Loaded, Project
from shapecheck.static.machine import Frame, Machine, OutOfSteps
from shapecheck.static.receivers import annotated_methods, run_methods
from shapecheck.static.values import ClassValue, FunctionValue, Instance, Namespace, Value


def check(paths: Sequence[Path]) -> list[Diagnostic]:
    """The findings in the files under these paths, by file and line; nothing of what is read is executed."""
    project = Project(paths)
    machine = Machine(project)
    for path in project.files:
        loaded = project.load(path)
        if loaded is not None:
            run_file(machine, loaded)
    asked = {display_path(path) for path in project.files}
    return sorted([*project.problems, *(one for one in machine.findings.values() if one.path in asked)])


def run_file(machine: Machine, loaded: Loaded) -> None:
    """Runs a module, and then the functions and classes in it that nothing has called."""
    names = run_module_safely(machine, loaded)
    if names is not None:
        _safely(machine, loaded, loaded.tree, partial(report_wrong_annotations, machine, names))
    for value in list(names.fields.values()) if names is not None else []:
        if isinstance(value, ClassValue) and value.closure is names:
            _safely(machine, loaded, value.node, partial(_run_class, machine, value))
        elif isinstance(value, FunctionValue) and value.closure is names and _is_left(machine, value):
            _safely(machine, loaded, value.node, partial(run_alone, machine, value))


def _is_left(machine: Machine, function: FunctionValue) -> bool:
    """Whether nothing has called it, or it promises shapes, which its body must do for all sizes."""
    return function.node not in machine.called or contract_of(machine, function) is not None


def run_module_safely(machine: Machine, loaded: Loaded) -> Namespace | None:
    """The names of a module after its body has run, as far as it got."""
    _safely(machine, loaded, loaded.tree, lambda: run_module(machine, loaded))
    return machine.modules.get(loaded)


def _safely(machine: Machine, loaded: Loaded, node: ast.AST, run: Callable[[], object]) -> None:
    """Runs one entry; a fault of our own is a finding of its own and hides no other."""
    machine.steps = 0
    depth = len(machine.frames)
    try:
        run()
    except OutOfSteps:
        return
    except RecursionError:
        return
    except Exception as fault:
        del machine.frames[depth:]
        with machine.inside(Frame(Namespace(loaded))):
            machine.report("internal-error", node, f"{type(fault).__name__}: {fault}")
    finally:
        del machine.frames[depth:]


def _run_class(machine: Machine, cls: ClassValue) -> None:
    """A module as its constructor makes it with what it takes by default, and what its forward does."""
    if is_module(cls):
        made = _made(machine, cls)
        forward = cls.fields.get("forward")
        if isinstance(made, Instance) and isinstance(forward, FunctionValue) and _is_left(machine, forward):
            run_alone(machine, forward, (made,))
        run_methods(machine, cls, made)
    elif annotated_methods(machine, cls):
        run_methods(machine, cls, None if is_record(cls) else _made(machine, cls))


def _made(machine: Machine, cls: ClassValue) -> Value:
    """An object as its constructor makes it with what it takes by default; None where nobody can tell."""
    arguments = _unknown_arguments(machine, cls)
    if arguments is None:
        return None
    with machine.inside(Frame(cls.closure)):
        return instantiate(machine, None, cls, (), arguments)


def _unknown_arguments(machine: Machine, cls: ClassValue) -> dict[str, Value] | None:
    """A value for each argument that the constructor needs: a size that nobody knows where it is an int.

    None where it takes any number of them: what they would be cannot be made up.
    """
    try:
        constructor = cls.lookup("__init__")
    except KeyError:
        return {}
    if not isinstance(constructor, FunctionValue):
        return {}
    spec = constructor.node.args
    if spec.vararg is not None or spec.kwarg is not None:
        return None
    positional = [*spec.posonlyargs, *spec.args][1:]
    first_default = len(positional) - len(constructor.defaults)
    needed = positional[:first_default]
    needed += [one for one, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if default is None]
    found = {one.arg: some_argument(machine, constructor, one) for one in needed}
    if found:  # nobody builds it with defaults alone: a None there may well be something else
        optional = zip(positional[first_default:], constructor.defaults, strict=True)
        found |= {one.arg: Unknown(f"the argument {one.arg}") for one, default in optional if default is None}
    return found
