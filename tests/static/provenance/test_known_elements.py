"""Conditions on the data of tensors whose elements are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

_F = """
        import numpy as np

        def f(mask, x):
            if {test}:
                return x.permute(0, 1, 2){mark}
            return x

        {setup}
        f(mask, torch.zeros(2, 3))
        """
_PADDED = "mask = F.pad(torch.rand(2, 4), [0, 2])"
FOUND = {
    name: _F.format(test=test, setup=setup, mark="  # HERE")
    for name, test, setup in (
        ("random numbers", "mask.any()", "mask = torch.rand(3) > 2"),
        ("random numbers among others", "(mask + torch.rand(3)).max() > 1", "mask = torch.tensor([1, 2, 3])"),
        ("unknown numbers", "mask.any()", "import lib; mask = torch.as_tensor(lib.items()).view(3)"),
        ("the shape of ones", "mask.size(0) > x.dim() and lib.flag", "import lib; mask = torch.ones(3)"),
        ("ones", "torch.all(mask == 1)", "mask = torch.ones(3)"),
        ("an item was set", "mask.any()", "mask = torch.zeros(3)\n        mask[0] = 1"),
        ("filled in place", "mask.any()", "mask = torch.zeros(3).fill_(1)"),
        ("before the padding", "torch.any(mask[..., 3] != 0)", _PADDED),
        ("another mode of padding", "mask[..., 4].any()", "mask = F.pad(torch.rand(2, 4), [0, 2], mode='replicate')"),
    )
}
QUIET = {
    name: _F.format(test=test, setup=setup, mark="")
    for name, test, setup in (
        ("zeros", "mask.any()", "mask = torch.zeros(3)"),
        ("ones", "not torch.all(mask == 1) or (mask > 2).any()", "mask = torch.ones(3)"),
        ("one number", "(mask.view(3, 1) != 4).any()", "mask = torch.full((3,), 4)"),
        ("another dtype", "mask.type(x.type()).max() != 0", "mask = torch.zeros(3)"),
        ("numbers in a list", "mask.max() == 0", "mask = torch.tensor([0])"),
        ("numbers in an array", "mask.long().max() == 0", "mask = torch.from_numpy(np.array([3, 2]))"),
        ("counted numbers", "(mask.view(3, 1) + 1).sum() > 4", "mask = torch.arange(3)"),
        ("what two of them give", "(mask == mask[:, None]).any()", "mask = torch.tensor([1, 2, 2])"),
        ("a number of Python", "(total := mask.sum().item()) == 0 and total < 2", "mask = torch.zeros(3)"),
        (
            "a number that is read in the condition",
            "int(mask.sum()) == 4 and x.dim() == 2",
            "mask = torch.tensor([1, 2])",
        ),
        ("padding", "torch.any(mask[..., 4] != 0)", _PADDED),
        ("padding with a number", "torch.any(mask[..., -1] != 2)", "mask = F.pad(torch.rand(2, 4), (1, 1), value=2)"),
    )
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    found = reported(tmp_path, FOUND[name])
    assert [(line, code) for line, code, _ in found] == [(place(FOUND[name]), "shape-mismatch")]


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []


_AFTER = """
        def f(lengths, x):
            if {test}:
                return x
            return x.permute(0, 1, 2){mark}

        f({given}, torch.zeros(2, 3))
        """


def test_after_a_branch_that_returns_the_outcome_is_as_unknown(tmp_path: Path) -> None:
    quiet = _AFTER.format(test="(lengths == lengths[0]).all()", given="torch.tensor([2, 3])", mark="")
    found = _AFTER.format(test="(lengths == lengths[0]).all()", given="torch.randint(4, (2,))", mark="  # HERE")
    assert reported(tmp_path, quiet) == []
    assert [line for line, _, _ in reported(tmp_path, found)] == [place(found)]
