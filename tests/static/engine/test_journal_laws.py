"""Undoing a branch restores the state before it, and applying its changes again restores the state after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shapecheck.spec import ShapeError, unknown
from shapecheck.static.domain.join import join
from shapecheck.static.domain.objects import ITEMS, DictValue, ListValue, Object
from shapecheck.static.engine.journal import Journal
from tests.static.strategies import alike, covers, plain, tensors

_FIELDS = ("a", "b")


class Step(NamedTuple):
    """One operation on the objects of a world; the steps in `parts` run in branches of their own."""

    kind: str
    target: int = 0
    field: str = "a"
    value: Any = None
    parts: tuple[tuple[Step, ...], ...] = ()


class World:
    """A journal and objects allocated before any step runs: three plain ones, a list and a dict."""

    def __init__(self) -> None:
        self.journal = Journal()
        self.plain: list[Object] = [Object({"a": 0}), Object({"a": 1, "b": "b"}), Object()]
        self.list = ListValue((1, 2))
        self.dict = DictValue({"k": 1})
        self.made: list[Object] = []

    def state(self) -> list[dict[str, Any]]:
        """The fields of the initial objects."""
        return [dict(one.fields) for one in (*self.plain, self.list, self.dict)]

    def whole_state(self) -> list[dict[str, Any]]:
        """The fields of all objects, those allocated later included."""
        return [*self.state(), *(dict(one.fields) for one in self.made)]

    def run(self, steps: Sequence[Step]) -> None:
        for step in steps:
            _DO[step.kind](self, step)


def _write(world: World, step: Step) -> None:
    world.journal.write(world.plain[step.target], step.field, step.value)


def _delete(world: World, step: Step) -> None:
    world.journal.delete(world.plain[step.target], step.field)


def _narrow(world: World, step: Step) -> None:
    world.journal.narrow(world.plain[step.target], step.field, step.value)


def _append(world: World, step: Step) -> None:
    if not world.list.lost:
        world.journal.write(world.list, ITEMS, (*world.list.items, step.value))


def _put(world: World, step: Step) -> None:
    if not world.dict.lost:
        world.journal.write(world.dict, ITEMS, {**world.dict.items, step.field: step.value})


def _lose(world: World, step: Step) -> None:
    world.journal.lose(world.list if step.target else world.dict)


def _new(world: World, step: Step) -> None:
    made = Object()
    world.made.append(made)
    world.journal.write(made, "a", step.value)
    world.journal.write(world.plain[step.target], step.field, made)


def _change_new(world: World, step: Step) -> None:
    for one in world.made:
        world.journal.write(one, step.field, step.value)


def _apart(world: World, step: Step) -> None:
    for part in step.parts:
        world.journal.apart(partial(world.run, part))


def _branch(world: World, step: Step) -> None:
    world.journal.merge([world.journal.apart(partial(world.run, part))[1] for part in step.parts])


def _leave(world: World, step: Step) -> None:
    """`if ...: ...; return` in a function, and the code after it."""
    leaving, going_on = step.parts
    began, exits = world.journal.mark(), []

    def leave() -> None:
        world.run(leaving)
        exits.append(world.journal.since(began))

    world.journal.apart(leave)
    world.run(going_on)
    exits.append(world.journal.since(began))
    world.journal.undo(began)
    world.journal.merge(exits)
    world.journal.rejoin(began)


def _loop(world: World, step: Step) -> None:
    for widen in (False, True):
        changes = [world.journal.apart(partial(world.run, part))[1] for part in step.parts]
        world.journal.merge(changes, widen=widen)


def _tried(world: World, step: Step) -> None:
    for part in step.parts:
        world.journal.tried(partial(world.run, part))


def _refused(world: World, step: Step) -> None:
    def run() -> None:
        world.run(step.parts[0])
        raise ShapeError("refused")

    with pytest.raises(ShapeError):
        world.journal.tried(run)


_NESTED: dict[str, Callable[[World, Step], None]] = {
    "apart": _apart,
    "branch": _branch,
    "leave": _leave,
    "loop": _loop,
    "tried": _tried,
    "refused": _refused,
}
_SIMPLE: dict[str, Callable[[World, Step], None]] = {
    "write": _write,
    "delete": _delete,
    "narrow": _narrow,
    "append": _append,
    "put": _put,
    "lose": _lose,
    "new": _new,
    "change new": _change_new,
}
_DO = _SIMPLE | _NESTED


def _programs(simple: Sequence[str] = tuple(_SIMPLE)) -> st.SearchStrategy[tuple[Step, ...]]:
    held = st.one_of(plain(), tensors())
    steps: st.SearchStrategy[Step] = st.tuples(
        st.sampled_from(simple), st.integers(0, 2), st.sampled_from(_FIELDS), held
    ).map(lambda found: Step(*found))
    inside = st.sampled_from(tuple(_NESTED))

    def nested(inner: st.SearchStrategy[tuple[Step, ...]]) -> st.SearchStrategy[tuple[Step, ...]]:
        branching = st.tuples(inside, st.tuples(inner, inner)).map(lambda found: Step(found[0], parts=found[1]))
        return st.lists(st.one_of(steps, branching), max_size=4).map(tuple)

    return st.recursive(st.lists(steps, max_size=4).map(tuple), nested, max_leaves=6)


def _is_unchanged(state: list[dict[str, Any]], before: list[dict[str, Any]]) -> bool:
    """Whether every field holds the identical value."""
    return all(
        now.keys() == then.keys() and all(now[name] is then[name] for name in then)
        for now, then in zip(state, before, strict=False)  # objects allocated later do not matter
    )


def _agrees(value: Any, other: Any) -> bool:
    if isinstance(value, dict) and isinstance(other, dict):
        return _agree([value], [other])
    return alike(value, other)


def _agree(state: list[dict[str, Any]], other: list[dict[str, Any]]) -> bool:
    return all(
        one.keys() == two.keys() and all(_agrees(one[name], two[name]) for name in one)
        for one, two in zip(state, other, strict=True)
    )


@given(_programs(), _programs())
def test_undoing_restores_the_state(first: tuple[Step, ...], then: tuple[Step, ...]) -> None:
    world = World()
    world.run(first)
    before = world.whole_state()
    world.journal.apart(lambda: world.run(then))
    assert _is_unchanged(world.whole_state(), before)
    world.journal.tried(lambda: world.run(then))
    assert _is_unchanged(world.whole_state(), before)


@given(_programs(), _programs(), _programs())
def test_undoing_to_a_mark_restores_the_state_at_the_mark(
    first: tuple[Step, ...], second: tuple[Step, ...], third: tuple[Step, ...]
) -> None:
    world = World()
    outside = world.whole_state()

    def run() -> None:
        world.run(first)
        mark = world.journal.mark()
        world.journal.since(mark)
        before = world.whole_state()
        world.run(second)
        inner = world.journal.mark()
        world.journal.since(inner)
        after = world.whole_state()
        world.run(third)
        world.journal.undo(inner)
        assert _is_unchanged(world.whole_state(), after)
        world.journal.undo(mark)
        assert _is_unchanged(world.whole_state(), before)

    world.journal.apart(run)
    assert _is_unchanged(world.whole_state(), outside)


@given(_programs())
def test_applying_undone_changes_restores_the_later_state(program: tuple[Step, ...]) -> None:
    states: list[list[dict[str, Any]]] = []
    world = World()

    def run() -> None:
        world.run(program)
        states.append(world.state())

    _, changes = world.journal.apart(run)
    world.journal.apply(changes)
    assert _is_unchanged(world.state(), states[0])


@given(_programs(tuple(kind for kind in _SIMPLE if kind not in ("new", "change new", "narrow"))))
def test_merging_a_single_branch_equals_running_it(program: tuple[Step, ...]) -> None:
    """Except for new objects, which differ between worlds, and for narrowing, which the next test covers."""
    direct, alone, twice = World(), World(), World()
    direct.run(program)
    alone.journal.merge([alone.journal.apart(lambda: alone.run(program))[1]])
    assert _agree(alone.state(), direct.state())
    changes = twice.journal.apart(lambda: twice.run(program))[1]
    twice.journal.merge([changes, changes])
    assert _agree(twice.state(), direct.state())


@pytest.mark.parametrize("is_nested", [True, False])
def test_narrowing_in_one_branch_keeps_the_value_after_the_merge(is_nested: bool) -> None:
    world, size = World(), unknown("size", low=0)
    world.journal.write(world.plain[0], "a", size)

    def run() -> None:
        world.journal.write(world.plain[1], "a", 2)
        world.run([Step("branch", parts=((Step("narrow", 0, "a", 3),), ()))])
        assert world.plain[0].fields["a"] is size

    if is_nested:
        world.journal.apart(run)
    else:
        run()


def test_cyclic_narrowing_does_not_prevent_a_merge() -> None:
    world, first, second = World(), unknown("first", low=0), unknown("second", low=0)

    def run() -> None:
        world.run([Step("narrow", 0, "a", second), Step("narrow", 0, "a", first), Step("write", 0, "a", "other")])
        world.run([Step("branch", parts=((Step("write", 0, "a", first),), ()))])
        assert alike(world.plain[0].fields["a"], join(first, "other"))

    world.journal.write(world.plain[0], "a", first)
    world.journal.apart(run)


@given(_programs(("write", "delete")), _programs(("write", "delete")))
def test_a_merge_covers_both_branches(one: tuple[Step, ...], other: tuple[Step, ...]) -> None:
    world, ways = World(), [World(), World()]
    ways[0].run(one)
    ways[1].run(other)
    world.journal.merge([world.journal.apart(partial(world.run, part))[1] for part in (one, other)])
    for at, held in enumerate(world.plain):
        for name, value in held.fields.items():
            for way in ways:
                assert name not in way.plain[at].fields or covers(value, way.plain[at].fields[name])
        for way in ways:
            assert way.plain[at].fields.keys() <= held.fields.keys()
