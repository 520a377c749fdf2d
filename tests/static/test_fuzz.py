"""Mutated programs: whatever Python is read, nothing escapes, nothing hangs, and no fault of our own is reported."""

from __future__ import annotations

import ast
import copy
import gc
import math
import random
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from shapecheck.project import garbage
from shapecheck.static import check
from tests.amount import amount
from tests.static.programs import HEAD
from tests.static.test_programs import FOUND, QUIET

RUNS = amount("SHAPECHECK_FUZZ_EXAMPLES", short=150, long=1500)
SOURCES = [HEAD + textwrap.dedent(source) for source in (*(one[0] for one in FOUND.values()), *QUIET.values())]
EXAMPLES = [path.read_text() for path in (Path(__file__).parents[2] / "examples").glob("*.py")]

CONDITIONS = [
    "x.shape == (b, 4)",
    "x.dim() in (2, 3)",
    "x.shape[1:] == y.shape[:-1] and x.ndim > 1",
    "self.fc is not None or x is None",
    "not isinstance(x, (Tensor, tuple))",
    "(b := x.shape[0]) == 2 * b",
    "b % 2 == 0 != c",
    "x.size(-5) == x.shape[7] == -3",
    "len(x) == len(layers) > 0",
    "x.dtype == torch.float32",
]


@pytest.fixture(scope="module")
def without_garbage() -> Iterator[None]:
    """Keeps the collection of what other tests have left out of the times of programs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(garbage, "WORTH_COLLECTING", math.inf)
        gc.collect()
        gc.disable()  # not frozen, which would make the engine itself traverse each tree
        yield
        gc.enable()


@pytest.mark.usefixtures("without_garbage")
@pytest.mark.parametrize("block", range(10))
def test_a_mutated_program(block: int, tmp_path: Path) -> None:
    for seed in range(block * RUNS // 10, (block + 1) * RUNS // 10):
        path = tmp_path / f"program_{seed}.py"
        path.write_text(mutated(random.Random(seed)))
        began = time.process_time()
        findings = check([path])
        assert time.process_time() - began < 2, f"seed {seed}"
        assert [one for one in findings if one.code == "internal-error"] == [], f"seed {seed}"


def mutated(rng: random.Random) -> str:
    tree = ast.parse(rng.choice([*SOURCES, *EXAMPLES]))
    other = [node for node in ast.walk(ast.parse(rng.choice(SOURCES))) if isinstance(node, ast.expr)]
    for _ in range(rng.randint(1, 6)):
        rng.choice(MUTATIONS)(tree, rng, other)
    return ast.unparse(ast.fix_missing_locations(tree))


def _swap_expression(tree: ast.Module, rng: random.Random, other: list[ast.expr]) -> None:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
    if calls:
        call = rng.choice(calls)
        call.args[rng.randrange(len(call.args))] = copy.deepcopy(rng.choice(other))


def _drop_statement(tree: ast.Module, rng: random.Random, other: list[ast.expr]) -> None:
    body = _some_body(tree, rng)
    if len(body) > 1:
        del body[rng.randrange(len(body))]


def _repeat_statement(tree: ast.Module, rng: random.Random, other: list[ast.expr]) -> None:
    body = _some_body(tree, rng)
    body.insert(rng.randrange(len(body) + 1), copy.deepcopy(rng.choice(body)))


def _change_constant(tree: ast.Module, rng: random.Random, other: list[ast.expr]) -> None:
    constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    if constants:
        rng.choice(constants).value = rng.choice([0, -1, 1, 7, 10**12, None, True, 2.5, "text", ...])


def _change_attribute(tree: ast.Module, rng: random.Random, other: list[ast.expr]) -> None:
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    if names:
        rng.choice(names).attr = rng.choice(
            [rng.choice(names).attr, "items", "shape", "append", "view", "T", "forward"]
        )


def _wrap_in_branch(tree: ast.Module, rng: random.Random, other: list[ast.expr]) -> None:
    body = _some_body(tree, rng)
    at = rng.randrange(len(body))
    test = copy.deepcopy(rng.choice(other))
    kinds = (ast.If(test, [body[at]], []), ast.While(test, [body[at]], []), ast.With([ast.withitem(test)], [body[at]]))
    body[at] = rng.choice(kinds)


def _assert_something(tree: ast.Module, rng: random.Random, other: list[ast.expr]) -> None:
    body = _some_body(tree, rng)
    test = ast.parse(rng.choice(CONDITIONS), mode="eval").body
    guard = ast.If(test, [rng.choice([ast.Break(), ast.Continue(), ast.Pass(), ast.Raise()])], [])
    body.insert(rng.randrange(len(body) + 1), rng.choice([ast.Assert(test), guard]))


def _choose_between(tree: ast.Module, rng: random.Random, other: list[ast.expr]) -> None:
    assigned = [node for node in ast.walk(tree) if isinstance(node, (ast.Assign, ast.Return)) and node.value]
    if assigned:
        node = rng.choice(assigned)
        test = rng.choice([ast.Name("flag"), ast.parse(rng.choice(CONDITIONS), mode="eval").body])
        node.value = ast.IfExp(test, node.value or ast.Constant(None), copy.deepcopy(rng.choice(other)))


def _some_body(tree: ast.Module, rng: random.Random) -> list[ast.stmt]:
    return rng.choice([node.body for node in ast.walk(tree) if isinstance(getattr(node, "body", None), list)])


MUTATIONS = [
    _swap_expression,
    _drop_statement,
    _repeat_statement,
    _change_constant,
    _change_attribute,
    _wrap_in_branch,
    _assert_something,
    _choose_between,
]
