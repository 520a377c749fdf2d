"""shapecheck.guard: which rules, what is allowed, how severe, and how it is put around code."""

from __future__ import annotations

import copy
import pickle
import re
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeTensorMode

import shapecheck
from shapecheck.diagnostics import CODES, GUARDS, Severity
from shapecheck.runtime.guards import GuardError, GuardWarning
from tests.runtime.guards.test_planted import PLANTED, run

OUTER, _ = PLANTED["outer broadcast"]


def outer(x: Tensor, y: Tensor) -> Tensor:
    return x - y


def pair() -> tuple[Tensor, Tensor]:
    return torch.randn(4, 1), torch.randn(4)


@pytest.fixture(autouse=True)
def no_warnings() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GuardWarning)
        yield


ALLOWED: list[tuple[tuple[str, ...], bool]] = [
    ((), False),
    (("silent-broadcast",), True),
    (("loss-broadcast",), False),
    (("program.py",), True),
    (("*.py",), True),
    (("other/*.py",), False),
    (("program.py:6",), True),
    (("program.py:8",), False),
    (("loss-broadcast", "program.py:6"), True),
]


@pytest.mark.parametrize(("allow", "silent"), ALLOWED)
def test_what_is_allowed(allow: tuple[str, ...], silent: bool, tmp_path: Path) -> None:
    found, marked, _ = run(tmp_path, OUTER, allow=allow)
    assert marked == 6
    assert found == ([] if silent else [(6, "silent-broadcast")])


def test_a_comment_silences_its_line(tmp_path: Path) -> None:
    assert run(tmp_path, OUTER.replace("# HERE", "# shapecheck: ignore[silent-broadcast]"))[0] == []
    assert run(tmp_path, OUTER.replace("# HERE", "# shapecheck: ignore[loss-broadcast]"))[0] != []


def test_rules_are_chosen(tmp_path: Path) -> None:
    assert run(tmp_path, OUTER, rules=["loss-broadcast"])[0] == []
    assert run(tmp_path, OUTER, rules="silent-broadcast")[0] == [(6, "silent-broadcast")]
    assert run(tmp_path, OUTER, rules=["default", "hidden-copy"])[0] == [(6, "silent-broadcast")]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"rules": "outer"}, 'unknown rule "outer"; available: default, all, float64-leak'),
    ({"severity": "fatal"}, 'expected severity to be "error", "warning" or "note", got "fatal"'),
    ({"severity": {"hidden-copies": "error"}}, 'unknown rule "hidden-copies"; did you mean "hidden-copy"?'),
    ({"allow": "model.py"}, 'expected allow to be a list of codes, paths and lines ("model.py:12"), got "model.py"'),
    ({"allow": [""]}, 'got ""'),
]


@pytest.mark.parametrize(("settings", "message"), WRONG)
def test_what_is_no_setting_is_said(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        shapecheck.guard(**settings)


def test_a_line_is_counted_and_warned_of_once() -> None:
    with warnings.catch_warnings(record=True) as heard, shapecheck.guard() as guard:
        warnings.simplefilter("always")
        for _ in range(5):
            outer(*pair())
    (only,) = guard
    assert only.count == 5
    assert [one.category for one in heard] == [GuardWarning]
    assert (heard[0].filename, heard[0].lineno) == (__file__, only.line)
    assert str(only).endswith("both operands are broadcast: (4, 1) - (4,) -> (4, 4) [silent-broadcast] (5 times)")


def test_severity_by_code() -> None:
    with shapecheck.guard(severity={"silent-broadcast": "error", "loss-broadcast": "note"}) as guard:
        F.kl_div(*pair())
        with pytest.raises(GuardError):
            outer(*pair())
    assert {one.code: one.severity for one in guard} == {
        "loss-broadcast": Severity.NOTE,
        "silent-broadcast": Severity.ERROR,
    }


def test_as_a_decorator() -> None:
    guard = shapecheck.guard()

    @guard
    def step(x: Tensor, y: Tensor) -> Tensor:
        """Documented."""
        return outer(x, y)

    assert step(*pair()).shape == (4, 4)
    assert step.__doc__ == "Documented."
    assert len(guard) == 1


def _generator() -> Any:
    yield 1


async def _coroutine() -> None:
    return None


@pytest.mark.parametrize("function", [_generator, _coroutine])
def test_what_leaves_the_block_in_between_cannot_be_decorated(function: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match=re.escape("use `with shapecheck.guard():` in its body")):
        shapecheck.guard()(function)


def test_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHAPECHECK", "0")
    assert shapecheck.guard()(outer) is outer
    with shapecheck.guard(severity="error") as guard:
        outer(*pair())
    assert len(guard) == 0


def test_guards_nest_and_are_used_again() -> None:
    with shapecheck.guard() as wide, shapecheck.guard("loss-broadcast") as narrow:
        outer(*pair())
        with wide:
            outer(*pair())
    assert sum(one.count for one in wide) == 3
    assert len(narrow) == 0


def test_nothing_stays_on_after_an_exception() -> None:
    guard = shapecheck.guard()
    with pytest.raises(KeyError), guard:
        raise KeyError("the user's own")
    outer(*pair())
    assert len(guard) == 0


def test_the_layer_is_called_from_the_line_of_the_program() -> None:
    with shapecheck.guard() as guard:
        nn.KLDivLoss(reduction="sum")(*pair())
    assert [(one.path, one.code) for one in guard] == [(__file__, "loss-broadcast")]


def test_other_threads_are_left_alone() -> None:
    with shapecheck.guard() as guard:
        thread = threading.Thread(target=lambda: outer(*pair()))
        thread.start()
        thread.join()
    assert len(guard) == 0


class Tagged(torch.Tensor):
    pass


KINDS: dict[str, Callable[[Tensor], Tensor]] = {
    "parameters": nn.Parameter,
    "meta": lambda x: x.to("meta"),
    "a subclass": lambda x: x.as_subclass(Tagged),
    "double": lambda x: x.double(),
}


@pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
def test_kinds_of_tensors(make: Callable[[Tensor], Tensor]) -> None:
    with shapecheck.guard() as guard:
        result = outer(*map(make, pair()))
    assert result.shape == (4, 4)
    assert [one.code for one in guard] == ["silent-broadcast"]


def test_fake_tensors() -> None:
    with FakeTensorMode(), shapecheck.guard("all") as guard:
        outer(*pair())
        torch.randn(3, 4).t().reshape(12)
    assert [one.code for one in guard] == ["silent-broadcast", "hidden-copy"]


def test_nested_and_sparse_tensors() -> None:
    with shapecheck.guard("all"):
        nested = torch.nested.nested_tensor([torch.randn(2, 3), torch.randn(4, 3)])
        assert (nested + nested).is_nested
        assert (torch.eye(3).to_sparse() * 2.0).is_sparse


def test_transforms_and_autograd() -> None:
    def loss(w: Tensor, x: Tensor) -> Tensor:
        return ((x * w) ** 2).sum()

    with shapecheck.guard("all") as guard:
        gradient = torch.func.grad(loss)(torch.randn(3), torch.randn(4, 3))
        mapped = torch.func.vmap(loss, in_dims=(None, 0))(torch.randn(3), torch.randn(4, 3))
        torch.utils.checkpoint.checkpoint(loss, torch.randn(3, requires_grad=True), torch.randn(3), use_reentrant=False)
    assert (gradient.shape, mapped.shape) == ((3,), (4,))
    assert len(guard) == 0


def test_copies_and_pickles_go_through() -> None:
    with shapecheck.guard("all"):
        layer = copy.deepcopy(nn.Linear(3, 4))
        assert pickle.loads(pickle.dumps(layer)).weight.shape == (4, 3)


def test_compiled_functions_run_in_one_graph() -> None:
    graphs = []

    def backend(graph: Any, inputs: Any) -> Any:
        graphs.append(graph)
        return graph.forward

    compiled = torch.compile(lambda x: torch.relu(x @ x.t()).sum(), backend=backend, fullgraph=True)
    with shapecheck.guard():
        for _ in range(3):
            compiled(torch.randn(4, 4))
    assert len(graphs) == 1


def test_every_rule_has_a_code_and_every_code_a_rule() -> None:
    from shapecheck.runtime.guards.rules.table import rules_of  # noqa: PLC0415 - imports torch

    by_function, others = rules_of(frozenset(CODES))
    asked = {one.code for rules in by_function.values() for one in rules} | {one.code for one in others}
    assert asked == set(GUARDS)
