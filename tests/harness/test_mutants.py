"""Each check finds mistakes that no other check finds, and is silent about the same models without them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from shapecheck.harness.run_options import RunOptions
from tests.harness.mutated import Mutant, codes_found, mutants, originals

_MUTANTS = list(mutants())
CODES = {
    "attention": "attention-mismatch",
    "dropout": "active-dropout",
    "export": "hard-coded-size",
    "finite": "non-finite",
    "gradcheck": "wrong-gradient",
    "kv_cache": "cache-mismatch",
    "meta": "uninitialized-parameter",
    "padding": "ignored-mask",
    "recompiles": "recompilation",
    "recompute": "recompute-mismatch",
    "reload": "lost-state",
    "return_dict": "return-dict-mismatch",
    "tying": "broken-tie",
}


@pytest.mark.parametrize("mutant", _MUTANTS, ids=lambda mutant: f"{mutant.check}-{mutant.name}")
def test_finds_what_no_other_check_finds(mutant: Mutant, tmp_path: Path) -> None:
    assert codes_found(mutant, tmp_path, RunOptions(checks=(mutant.check,))) == {CODES[mutant.check]}
    assert not codes_found(mutant, tmp_path, RunOptions(skip=(mutant.check, "compiled")))


@pytest.mark.parametrize("model", originals(), ids=lambda model: f"{model.check}-{model.model}")
def test_finds_nothing_in_the_correct_model(model: Mutant, tmp_path: Path) -> None:
    assert not codes_found(model, tmp_path, RunOptions(checks=(model.check,)))
    assert not codes_found(model, tmp_path, RunOptions(skip=("compiled",)))


def test_each_check_has_at_least_eight_mutants() -> None:
    counts = Counter(mutant.check for mutant in _MUTANTS)
    assert counts.keys() == CODES.keys()
    assert min(counts.values()) >= 8, counts
