"""The mistakes that `benchmarks.zoo_mutations` plants, and how it tells bugs from changes that are none."""

from __future__ import annotations

import ast
import importlib
import sys
from pathlib import Path

import pytest
import torch

from benchmarks.mutators import Edit, Mutant, mutant_of, place
from benchmarks.zoo_mutations import library_copy, report
from benchmarks.zoo_mutations.library_copy import copied, forget
from benchmarks.zoo_mutations.models import models
from benchmarks.zoo_mutations.mutators import mistakes
from benchmarks.zoo_mutations.observing import Observation, Observed, resized, same
from benchmarks.zoo_mutations.parts import Said
from benchmarks.zoo_mutations.report import Answer, Answers
from benchmarks.zoo_mutations.watching import Watched

MODEL = """
class Model(nn.Module):
    {member}

    def forward(self, x):
        {statement}


class Unused(nn.Module):
    def forward(self, x):
        return x.flatten(dim=1)
"""
STATEMENTS = [
    ("dtype", "y = torch.ones(3, dtype=x.dtype)", ["y = torch.ones(3, dtype=torch.float64)"]),
    ("dtype", "y = torch.ones(3, dtype=torch.int64)", []),
    ("dtype", "y = x.float()", ["y = x.double()"]),
    ("device", "y = torch.arange(3, device=x.device)", ["y = torch.arange(3)"]),
    ("head count", "self.heads = n", ["self.heads = 2 * n", "self.heads = n + 1"]),
    ("lost state", "self.register_buffer('b', x)", ["self.b = x"]),
    ("lost state", "self.p = nn.Parameter(x)", ["self.p = (x)"]),
    ("mask", "y = f(x, attention_mask=mask)", ["y = f(x, attention_mask=None)"]),
    ("cache", "y = cache.get_seq_length()", ["y = 0", "y = (cache.get_seq_length() + 1)"]),
    (
        "cache",
        "k, v = past.update(k, v, 0)",
        ["k, v = (k, v)", "k, v = past.update(v, k, 0)", "k, v = (past.update(k, v, 0)[0], v)"],
    ),
    ("initialization", "nn.init.zeros_(x)", []),
    ("initialization", "self.post_init()", ["pass"]),
    ("initialization", "self.apply(self.init_weights)", ["pass"]),
    ("initialization", "y = torch.zeros(3)", ["y = torch.empty(3)"]),
    ("recomputation", "y = checkpoint_seq(self.blocks, x)", ["self.blocks[1:]", "self.blocks[:-1]"]),
    ("recomputation", "y = checkpoint(block, x)", ["y = x", "x.detach()"]),
    ("scale", "y = x * self.scale", ["y = x"]),
    ("evaluation", "y = F.dropout(x, 0.1, training=self.training)", ["y = F.dropout(x, 0.1)", "training=True"]),
]


def planted(source: str, values: dict[tuple[int, int, int, int], set[object]] | None = None) -> list[tuple[Edit, str]]:
    """The edits and the changed sources, if `Model.forward` ran."""
    tree = ast.parse(source)
    forwards = frozenset(
        member.lineno
        for node in tree.body
        if isinstance(node, ast.ClassDef) and node.name == "Model"
        for member in node.body
        if isinstance(member, ast.FunctionDef)
    )
    edits = mistakes(source, Watched(values or {}, forwards, frozenset({"Model"})))
    made = [(edit, mutant_of("x", source, ast.dump(tree), edit)) for edit in edits]
    return [(edit, one.source) for edit, one in made if one is not None]


@pytest.mark.parametrize(("kind", "statement", "expected"), STATEMENTS)
def test_what_is_planted_in_functions(kind: str, statement: str, expected: list[str]) -> None:
    found = [text for edit, text in planted(MODEL.format(member="", statement=statement)) if edit.kind == kind]
    assert len(found) == len(expected), found
    assert all(any(one in text for text in found) for one in expected)


def test_what_is_planted_in_classes() -> None:
    tied = MODEL.format(member='_tied_weights_keys = {"a": "b", "c": "d"}', statement="pass")
    found = [text for edit, text in planted(tied) if edit.kind == "tie"]
    assert [any(one in text for text in found) for one in ("= {}", '= {"a": "b"}', '= {"c": "d"}')] == [True] * 3


def test_what_is_planted_where_a_tensor_was() -> None:
    source = MODEL.format(member="", statement="y = x + x")
    (node,) = (one.value for one in ast.walk(ast.parse(source)) if isinstance(one, ast.Assign))
    found = planted(source, {place(node): {"Tensor"}})
    expected = {"in place": "y = x.add_(x)", "detach": "y = (x + x).detach()", "non-finite": "y = (x + x).sqrt()"}
    for kind, text in expected.items():
        assert any(edit.kind == kind and text in changed for edit, changed in found)


def test_nothing_is_planted_in_code_that_did_not_run() -> None:
    last = MODEL.count("\n")
    assert all(edit.node.lineno < last for edit, _ in planted(MODEL.format(member="", statement="pass")))


def test_a_copy_has_one_changed_file_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = tmp_path / "installed"
    (installed / "some_library").mkdir(parents=True)
    (installed / "some_library" / "__init__.py").write_text("")
    (installed / "some_library" / "part.py").write_text("number = 1")
    monkeypatch.syspath_prepend(str(installed))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    library = copied(["some_library"], tmp_path / "copy")
    with library.changed("some_library/part.py", "number = 2"):
        assert importlib.import_module("some_library.part").number == 2
    forget("some_library.part")
    assert importlib.import_module("some_library.part").number == 1
    assert (installed / "some_library" / "part.py").read_text() == "number = 1"
    for name in ("some_library", "some_library.part"):
        sys.modules.pop(name)


def test_a_library_that_is_not_installed_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_library"):
        library_copy.copied(["no_such_library"], tmp_path)


def use(*values: float, error: str = "", gradient: float = 0.0) -> Observation:
    numbers = torch.tensor(values).double().numpy()
    return Observation(error, (((len(values),), "float", (1,), numbers),), (("w", torch.tensor([gradient]).numpy()),))


PLAIN = Observed((use(1.0, 2.0),), {"w": (3,)})
DIFFERENT = {
    "numbers": Observed((use(1.0, 2.5),), {"w": (3,)}),
    "shapes": Observed((use(1.0),), {"w": (3,)}),
    "gradients": Observed((use(1.0, 2.0, gradient=1.0),), {"w": (3,)}),
    "failures": Observed((use(1.0, 2.0, error="ValueError"),), {"w": (3,)}),
    "state": Observed((use(1.0, 2.0),), {}),
    "ties": Observed((use(1.0, 2.0),), {"w": (3,)}, ties=frozenset({frozenset({"a", "b"})})),
    "imports": Observed(error="NameError"),
}


@pytest.mark.parametrize("other", DIFFERENT.values(), ids=DIFFERENT)
def test_what_differs_is_a_bug(other: Observed) -> None:
    assert not same(PLAIN, other)
    assert not resized(PLAIN, other)


def test_rounding_is_no_bug() -> None:
    assert same(PLAIN, Observed((use(1.0, 2.0000001),), {"w": (3,)}))


def test_other_sizes_inside_are_no_bug() -> None:
    assert resized(PLAIN, Observed((use(1.0, 7.0),), {"w": (6,)}))


def test_findings_of_the_model_without_the_mistake_do_not_count() -> None:
    usual = Said(("a [x]", "a [x]"), ("fake",))
    assert Said(("a [x]", "a [x]", "b [y]"), ("fake", "finite")).beyond(usual) == Said(("b [y]",), ("finite",))
    assert Said(("a [x]",), ("fake",)).beyond(usual) == Said(())


def answer(kind: str, found: dict[str, tuple[str, ...]], alone: str = "") -> Answer:
    checks = (alone,) if alone else ()
    said = {part: Said(found.get(part, ()), checks if part == "run" else ()) for part in report.PARTS}
    return Answer(Mutant("model", kind, 3, "", "- a\n+ b"), said, alone)


def test_shares_and_misses_are_printed() -> None:
    answers = Answers(
        [
            answer("mask", {"run": ("r",)}, "padding"),
            answer("mask", {"check": ("c",), "run": ("r",)}, "padding"),
            answer("axis", {}),
            answer("axis", {"guards": ("g",)}),
        ]
    )
    assert list(report.shares(answers))[:4] == ["check: 25 %", "guards: 25 %", "run: 50 %", "together: 75.0 % of 4"]
    assert [line.split() for line in report.table(answers).splitlines()][2:] == [
        ["axis", "2", "0", "1", "0", "1"],
        ["mask", "2", "1", "0", "2", "2"],
        ["all", "4", "1", "1", "2", "3"],
    ]
    assert report.checks(answers).splitlines()[-1].split() == ["padding", "2", "2", "1"]
    assert list(report.misses(answers)) == ["\nnot found: model.py:3 [axis]\n- a\n+ b"]


def test_findings_without_a_mistake_are_printed() -> None:
    said = {"model": {"check": Said(()), "run": Said(("text [code]",))}}
    assert list(report.usual(said)) == ["without a mistake, run says of model: text [code]"]


def test_the_list_has_each_module_once() -> None:
    assert len({one.target for one in models().values()}) == len(models())


DRAWS = [
    ((0.0, 0.02, 1000), (0.001, 0.0203, 1000), True),
    ((0.0, 0.02, 1000), (0.0, 0.1, 1000), False),
    ((0.0, 0.0, 8), (1.0, 0.0, 8), False),
    ((0.0, 0.0, 8), (0.0, 0.0, 8), True),
]


@pytest.mark.parametrize(("one", "other", "expected"), DRAWS)
def test_other_random_numbers_are_no_bug(
    one: tuple[float, float, int], other: tuple[float, float, int], expected: bool
) -> None:
    assert same(Observed(initial=(one,)), Observed(initial=(other,))) is expected
