"""Runs and their scopes: every field is restored, and nothing else assigns one."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest

import shapecheck
from shapecheck.static.domain.objects import Namespace
from shapecheck.static.engine import scopes
from shapecheck.static.engine.active_calls import may_follow
from shapecheck.static.engine.budget import Budget, OutOfSteps, StepCost
from shapecheck.static.engine.effects import Recording
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.loading import Project
from shapecheck.static.engine.memo import Kept
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.session import Session
from shapecheck.static.rules import rules_for

ENGINE = frozenset(("run.py", "session.py"))
FILES = [one for one in Path(shapecheck.__file__).parent.rglob("*.py") if "static" in one.parts or "cli" in one.parts]


@pytest.fixture
def run() -> Run:
    return Run(Session(Project([]), rules_for(frozenset())))


def state(run: Run) -> dict[str, object]:
    return {one.name: getattr(run, one.name) for one in fields(Run)}


def same(one: dict[str, object], other: dict[str, object]) -> bool:
    return one.keys() == other.keys() and all(value is other[name] for name, value in one.items())


@pytest.mark.parametrize("name", [one.name for one in fields(Run) if one.name != "frames"])
def test_a_scope_restores_every_field_that_was_assigned_in_it(run: Run, name: str) -> None:
    before = state(run)
    with run.scope():
        setattr(run, name, object())
        assert not same(state(run), before)
    assert same(state(run), before)


@pytest.mark.parametrize("name", [one.name for one in fields(Run) if one.name != "frames"])
def test_a_scope_has_the_fields_that_it_is_given(run: Run, name: str) -> None:
    before, own = state(run), object()
    with run.scope(**{name: own}):
        assert same(state(run), {**before, name: own})
    assert same(state(run), before)


def test_a_scope_that_raises_restores_the_fields_and_the_frames(run: Run) -> None:
    before = state(run)
    with pytest.raises(OutOfSteps), run.scope(trials=3):
        run.frames.append(frame())
        raise OutOfSteps
    assert same(state(run), before)
    assert run.frames == []


def test_a_dry_run_ends_quietly_and_finds_nothing(run: Run) -> None:
    before = state(run)
    with scopes.dry_run(run):
        run.called.add("a function")
        raise OutOfSteps
    assert same(state(run), before)
    assert not run.called


def frame() -> Frame:
    return Frame(Namespace(None))  # type: ignore[arg-type]  # no test asks for the module


def test_an_attempt_keeps_what_it_called_apart(run: Run) -> None:
    run.called.add("before")

    def body() -> int:
        assert run.trials == 1
        run.called.add("inside")
        return 7

    tried = scopes.attempt(run, body)
    assert (tried.result, tried.called, run.called, run.trials) == (7, {"inside"}, {"before"}, 0)


def follow_deep(run: Run) -> None:
    run.frames.extend([run.frame] * 50)
    assert not may_follow(run, ast.Pass(), {})


def read_own_metadata(run: Run) -> None:
    own = object()
    run.attach(own, "kind", 1)
    assert run.metadata(own, "kind") == 1


READERS: dict[str, Callable[[Run], object]] = {
    "is_quiet": lambda run: run.is_quiet,
    "is_unconditional": lambda run: run.is_unconditional,
    "is_analyzed": lambda run: run.is_analyzed(ast.Pass()),
    "callers": lambda run: list(run.outward()),
    "metadata": lambda run: run.metadata(run, "kind"),
    "axis names": lambda run: run.begin_analysis(ast.Pass(), with_axis_names=True),
    "too deep": follow_deep,
    "nested alternatives": lambda run: scopes.attempt(run, lambda: scopes.attempt(run, run.may_nest)),
}
HARMLESS: dict[str, Callable[[Run], object]] = {
    "its own frame": lambda run: next(run.outward()),
    "metadata of its own": read_own_metadata,
    "no metadata": lambda run: run.metadata(object(), "kind"),
    "room": lambda run: (may_follow(run, ast.Pass(), {}), run.may_nest()),
    "analysis": lambda run: run.begin_analysis(ast.Pass(), with_axis_names=False),
}


@pytest.mark.parametrize(("name", "is_pure"), [*((one, False) for one in READERS), *((one, True) for one in HARMLESS)])
def test_what_reads_the_state_of_the_run_is_not_cached(run: Run, name: str, is_pure: bool) -> None:
    run.side_table.attach(run, "kind", 1)
    with run.inside(frame()), Recording(run, 0) as effects, run.inside(frame()), Recording(run, 0) as inner:
        (READERS | HARMLESS)[name](run)
    if name == "its own frame":  # of the caller of the inner call
        assert not inner.is_pure
    else:
        assert inner.is_pure is is_pure
    assert effects.is_pure is is_pure


def test_a_cached_call_costs_what_it_took_once_in_a_run_and_then_one_step() -> None:
    inner = StepCost(100, {})
    outer = StepCost(10, {inner: 3})
    budget = Budget()
    budget.charge(outer)
    assert budget.steps == 10 + 100 + 2
    budget.charge(outer)
    assert budget.steps == 112 + 1
    budget.charge(inner)
    assert budget.steps == 113 + 1


def test_the_cost_of_a_call_is_the_same_whether_its_parts_were_run_or_cached(run: Run) -> None:
    def call(steps: int) -> Kept:
        with Recording(run, 0) as effects:
            for _ in range(steps):
                run.step()
        kept = Kept(None, [], effects, set(), has_inputs=True)
        run.memoized(kept.cost, effects.steps)
        return kept

    with Recording(run, 0) as whole:
        run.step()
        part = call(20)
        run.replay(part)
    assert (run.budget.steps, whole.cost().own) == (22, 1)
    elsewhere = Budget()
    elsewhere.charge(whole.cost())
    assert elsewhere.steps == 22


def assigned(tree: ast.AST) -> list[str]:
    """The attributes of runs and sessions, as they are called everywhere, that are assigned or deleted."""
    changed = (
        one
        for one in ast.walk(tree)
        if isinstance(one, ast.Attribute) and isinstance(one.ctx, (ast.Store, ast.Del)) and names_run(one.value)
    )
    return [ast.unparse(one) for one in sorted(changed, key=lambda one: one.lineno)]


def names_run(node: ast.expr) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name.lstrip("_") in {"run", "machine", "session", "inner_run"}


@pytest.mark.parametrize("path", [one for one in FILES if one.name not in ENGINE], ids=lambda one: one.name)
def test_no_other_module_assigns_fields_of_a_run_or_a_session(path: Path) -> None:
    assert assigned(ast.parse(path.read_text())) == []


def test_assignments_are_found() -> None:
    tree = ast.parse("run.trials += 1\na, machine.inputs = b\nself._run.findings: dict = {}\nrun.called\ndel run.mark")
    assert assigned(tree) == ["run.trials", "machine.inputs", "self._run.findings", "run.mark"]
    assert assigned(ast.parse("run.budget.steps += 1\nself.findings = {}\nfound.findings = {}")) == []
