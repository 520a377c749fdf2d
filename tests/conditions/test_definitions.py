"""A rule that both observers report has one definition, and both report the same message for one call."""

from __future__ import annotations

import textwrap
import warnings
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

import shapecheck
from shapecheck import conditions
from shapecheck.diagnostics import CHECKS, GUARDS
from shapecheck.ops import Trait, names_with
from shapecheck.runtime.guards import GuardWarning
from shapecheck.runtime.guards.rules import loss_broadcast, operands, silent_broadcast
from shapecheck.static import check

SHARED = {"intent", "operand", "operators", "shared_lead", "stated_shapes"}
HEAD = """\
import torch
import torch.nn.functional as F
"""
BOTH = {
    "outer difference": "torch.zeros(4, 1) - torch.zeros(4)",
    "outer quotient, by name": "torch.div(torch.zeros(4, 1), torch.zeros(4))",
    "a word inside another": (
        "router, preview = torch.zeros(4, 1), torch.zeros(5, 1)\nrouter - torch.zeros(4)\npreview - torch.zeros(5)"
    ),
    "a loss": "F.mse_loss(torch.zeros(8, 1), torch.zeros(8))",
    "float64": "torch.zeros(3) + torch.zeros(3).double()",
    "float64 in where": "torch.where(torch.ones(3) > 0, torch.zeros(3).half(), torch.zeros(3).double())",
}
AT_RUN_TIME = {
    "a loss that broadcasts its target": "F.soft_margin_loss(torch.zeros(4, 8), torch.ones(8))",
    "float64 in a list": "torch.cat([torch.zeros(3), torch.zeros(3).double()])",
    "float64 and half beside a scalar": "torch.addcmul(torch.ones(3).half(), torch.ones(3).double(), torch.ones(()))",
}
NEITHER = {
    "vectors of two sets": "a, b = torch.zeros(5, 1, 3), torch.zeros(4, 3)\na - b",
    "an index beside measurements": "a, b = torch.zeros(4, 1), torch.arange(3)\na + b",
    "float64 added in place": "x = torch.zeros(3)\nx += torch.zeros(3).double()",
    "an empty result": "a, b = torch.zeros(0, 1), torch.zeros(0)\na - b",
    "an expanded operand by name": "expanded = torch.zeros(4, 1, 4)\nexpanded - torch.zeros(4, 4)",
    "no tensor wider than a scalar": "torch.zeros(3) + torch.zeros(()).double()",
}


def found(folder: Path, program: str) -> tuple[list[tuple[int, str, str]], list[tuple[int, str, str]]]:
    """Line, code and message: what is found in the source, and while it runs."""
    path = folder / "program.py"
    path.write_text(HEAD + textwrap.dedent(program) + "\n")
    with warnings.catch_warnings(), shapecheck.guard() as guard:
        warnings.simplefilter("ignore", GuardWarning)
        warnings.simplefilter("ignore", UserWarning)
        exec(compile(path.read_text(), str(path), "exec"), {})
    return [(one.line, one.code, one.message) for one in check([path])], [
        (one.line, one.code, one.message) for one in guard
    ]


@pytest.mark.parametrize("program", BOTH.values(), ids=BOTH)
def test_both_observers_say_the_same(program: str, tmp_path: Path) -> None:
    in_source, at_run_time = found(tmp_path, program)
    assert len(in_source) == max(1, program.count(" - torch"))
    if "by name" not in program and "torch.div" not in program:
        assert in_source == at_run_time
    else:
        assert [one[:2] for one in in_source] == [one[:2] for one in at_run_time]


@pytest.mark.parametrize("program", NEITHER.values(), ids=NEITHER)
def test_neither_observer_reports_what_is_exempt(program: str, tmp_path: Path) -> None:
    assert found(tmp_path, program) == ([], [])


@pytest.mark.parametrize("program", AT_RUN_TIME.values(), ids=AT_RUN_TIME)
def test_guards_watch_more_operators(program: str, tmp_path: Path) -> None:
    in_source, at_run_time = found(tmp_path, program)
    assert not in_source
    assert len(at_run_time) == 1


WATCHED = {
    "silent-broadcast": (Trait.SUM, silent_broadcast._SUMS, ()),
    "loss-broadcast": (Trait.BROADCASTING_LOSS, loss_broadcast._LOSSES, ("soft_margin_loss",)),
    "float64-leak": (
        Trait.PROMOTES_DTYPES,
        operands.PROMOTING,
        ("pow", "atan2", "cat", "concat", "stack", "addcmul", "addcdiv"),
    ),
}


@pytest.mark.parametrize(("trait", "functions", "more"), WATCHED.values(), ids=WATCHED)
def test_guards_watch_the_operators_with_the_trait(
    trait: Trait, functions: tuple[str, ...], more: tuple[str, ...]
) -> None:
    with_trait = {name for name in names_with(trait) if name.isidentifier()}
    assert set(functions) == with_trait.union(more)
    assert with_trait.isdisjoint(more)


def test_each_code_of_both_observers_has_a_definition() -> None:
    names = {module.name for module in iter_modules(conditions.__path__)} - SHARED
    codes = {import_module(f"{conditions.__name__}.{name}").CODE for name in names}
    assert codes == set(CHECKS) & set(GUARDS)
    assert codes == {name.replace("_", "-") for name in names}


def test_a_batch_of_one_is_known_at_run_time_alone(tmp_path: Path) -> None:
    in_source, ((line, code, message),) = found(tmp_path, "torch.zeros(1, 1, 8).squeeze()")
    assert not in_source
    assert (line, code) == (3, "squeeze-batch")
    assert message == "squeeze() also removes the batch dimension; use squeeze(1)"
