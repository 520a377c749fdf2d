"""Imports: modules of the project are run once, everything else is a name from outside."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.static.constants import outside
from shapecheck.static.evaluation import run_block
from shapecheck.static.frames import Frame
from shapecheck.static.loading import Loaded
from shapecheck.static.machine import Body, Machine
from shapecheck.static.registries import open_registries
from shapecheck.static.values import External, Later, Namespace, Value


def run_module(machine: Machine, loaded: Loaded) -> Namespace:
    """The names of a module, after its body has run once: by itself, whoever asks for it first."""
    found = machine.modules.get(loaded)
    if found is None:
        found = machine.modules[loaded] = Namespace(loaded)
        frame = Frame(found)

        def body() -> None:
            with machine.inside(frame):
                run_block(machine, loaded.tree.body)
                open_registries(machine, found)

        with machine.afresh():
            machine.safely(loaded, loaded.tree, body)
            machine.bodies[loaded] = Body(list(machine.findings.values()), machine.called)
    return found


def run_import(machine: Machine, node: ast.Import | ast.ImportFrom) -> None:
    """Binds what an import binds."""
    names = machine.frame.names
    if isinstance(node, ast.Import):
        for one in node.names:
            bound = one.asname or one.name.partition(".")[0]
            dotted = one.name if one.asname else bound
            machine.journal.write(names, bound, _module(machine, dotted, 0))
        return
    for one in node.names:
        if one.name == "*":
            _star(machine, node)
        else:
            machine.journal.write(names, one.asname or one.name, _member(machine, node, one.name))


def _module(machine: Machine, dotted: str, level: int) -> Value:
    loaded = machine.project.resolve(dotted, machine.loaded, level)
    if loaded is not None:
        return run_module(machine, loaded)
    return External(dotted) if not level else Unknown(f"no module {dotted}")


def _member(machine: Machine, node: ast.ImportFrom, name: str) -> Value:
    dotted = node.module or ""
    loaded = machine.project.resolve(dotted, machine.loaded, node.level)
    module = None if loaded is None else run_module(machine, loaded)
    if module is not None and name in module.fields:
        return module.fields[name]
    inner = machine.project.resolve(f"{dotted}.{name}" if dotted else name, machine.loaded, node.level)
    if inner is not None:
        return run_module(machine, inner)
    if module is not None and loaded not in machine.bodies:
        return Later(module, name)
    if module is not None or node.level:
        return Unknown(f"no name {name}")
    return outside(f"{dotted}.{name}")


def _star(machine: Machine, node: ast.ImportFrom) -> None:
    loaded = machine.project.resolve(node.module or "", machine.loaded, node.level)
    if loaded is not None:
        for name, value in dict(run_module(machine, loaded).fields).items():
            if isinstance(name, str) and not name.startswith("_"):
                machine.journal.write(machine.frame.names, name, value)
