"""Imports: modules of the project are run once, everything else is an external name."""

from __future__ import annotations

import ast
from collections.abc import Container
from functools import partial

from shapecheck.ops import Unknown
from shapecheck.project.observed_code import Observing
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.constants import outside
from shapecheck.static.domain.objects import Namespace
from shapecheck.static.domain.values import ExternalReference, LateName
from shapecheck.static.engine.dispatch import dispatch, run_block
from shapecheck.static.engine.entry_defaults import EntryDefaults
from shapecheck.static.engine.findings import FindingKey
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.engine.library_names import namespace_of
from shapecheck.static.engine.loading import SourceModule
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.session import Body, NotedFindings, Session
from shapecheck.static.statements.library_imports import run_library_body, run_library_import
from shapecheck.static.statements.main_guards import ends_in_main_guard, run_main_guard
from shapecheck.static.statements.registries import havoc_registries


def run_module(session: Session, loaded: SourceModule) -> Namespace:
    """Returns the namespace of a module; runs its body, in a run of its own, the first time."""
    found = session.modules.get(loaded)
    if found is None:
        found = namespace_of(session, loaded) if loaded.is_library else Namespace(loaded)
        session.modules[loaded] = found
        run = Run(session)
        with session.origins.lasting(), Observing() as observed, NotedFindings(session) as noted:
            run.safely(loaded, loaded.tree, partial(run_body, run, found))
        session.project.observed_by_body(loaded, observed)
        if noted.any:
            session.had_findings_in_body.add(loaded)
        session.bodies[loaded] = Body(run.findings, run.called, run.defaults.used)
    return found


def run_body_with(session: Session, loaded: SourceModule, opened: frozenset[ast.AST]) -> Container[FindingKey]:
    """The findings of the body of a module if these options of the command line have unknown values."""
    run = Run(session, defaults=EntryDefaults(opened))
    with session.origins.passing():
        run.journal.apart(lambda: run.safely(loaded, loaded.tree, partial(run_body, run, Namespace(loaded))))
    return run.findings


def run_body(run: Run, names: Namespace) -> None:
    """Runs the body of a module."""
    with run.inside(Frame(names)):
        if names.loaded.is_library:
            run_library_body(run, names)
        elif ends_in_main_guard(names.loaded):
            if run_block(run, names.loaded.tree.body[:-1]):
                run_main_guard(run, names)
        else:
            run_block(run, names.loaded.tree.body)
        havoc_registries(run, names)


def run_import(run: Run, node: ast.Import | ast.ImportFrom) -> None:
    """Binds the names of an import."""
    if run.loaded.is_library:
        run_library_import(run, node)
        return
    names = run.frame.names
    if isinstance(node, ast.Import):
        for one in node.names:
            bound = one.asname or one.name.partition(".")[0]
            dotted = one.name if one.asname else bound
            run.journal.write(names, bound, _module(run, dotted, 0))
        return
    for one in node.names:
        if one.name == "*":
            _star(run, node)
        else:
            run.journal.write(names, one.asname or one.name, _member(run, node, one.name))


def _module(run: Run, dotted: str, level: int) -> Value:
    loaded = run.project.resolve(dotted, run.loaded, level)
    if loaded is not None:
        return run_module(run.session, loaded)
    return ExternalReference(dotted) if not level else Unknown(f"no module {dotted}")


def _member(run: Run, node: ast.ImportFrom, name: str) -> Value:
    dotted = node.module or ""
    loaded = run.project.resolve(dotted, run.loaded, node.level)
    module = None if loaded is None else run_module(run.session, loaded)
    if module is not None and name in module.fields:
        return module.fields[name]
    inner = run.project.resolve(f"{dotted}.{name}" if dotted else name, run.loaded, node.level)
    if inner is not None:
        return run_module(run.session, inner)
    if module is not None and loaded not in run.session.bodies:
        return LateName(module, name)
    if module is not None or node.level:
        return Unknown(f"no name {name}")
    return outside(f"{dotted}.{name}")


def _star(run: Run, node: ast.ImportFrom) -> None:
    """Binds the names that a module exports: those of `__all__`, else its public ones.

    If `__all__` is unknown, the module exports some of its public names: a name that was bound before is unknown.
    """
    loaded = run.project.resolve(node.module or "", run.loaded, node.level)
    if loaded is None:
        return
    fields, names = dict(run_module(run.session, loaded).fields), run.frame.names
    exported = _strings(fields["__all__"]) if "__all__" in fields else None
    for name in exported or ():
        run.journal.write(names, name, _member(run, node, name))
    if exported is not None:
        return
    for key, value in fields.items():
        if isinstance(key, str) and not key.startswith("_"):
            is_certain = "__all__" not in fields or names.fields.get(key, value) is value
            run.journal.write(names, key, value if is_certain else Unknown(f"{key} of one of two modules"))


def _strings(value: Value) -> list[str] | None:
    """The items of a list or tuple of strings; None if some are unknown."""
    items = items_of(value) or []
    found = [one for one in items if isinstance(one, str)]
    return found if found and len(found) == len(items) else None


dispatch.run_module = run_module
