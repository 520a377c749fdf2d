"""Flags that a round of nested loops sets: when they are unknown, they depend on each other."""

from __future__ import annotations

from pathlib import Path

from tests.static.rules.programs import place, reported

TRAINING = """
def evaluate(batch):
    return (batch ** 2).mean()

def train(epochs: int, loader):
    is_scalar = False
    is_first = True
    for epoch in range(epochs):
        for batch in loader:
            found = evaluate(batch)
            if is_first:
                if torch.is_tensor(found) and found.dim() == 0:
                    is_scalar = True
                is_first = False
            loss = found if is_scalar else found["loss"]
            if is_scalar:
                loss = found
            else:
                loss = found["loss"]
            loss.backward()
"""
PLAIN = """
def train(epochs: int, x: Float[Tensor, "3 4"]):
    is_first = True
    for epoch in range(epochs):
        for step in range(epochs):
            if is_first:
                x = x + torch.zeros(5, 4)  # HERE
                is_first = False
"""


def test_flags_of_earlier_rounds_agree(tmp_path: Path) -> None:
    assert reported(tmp_path, TRAINING) == []


def test_the_round_in_which_a_flag_is_known_is_checked(tmp_path: Path) -> None:
    ((line, code, _),) = reported(tmp_path, PLAIN)
    assert (line, code) == (place(PLAIN), "shape-mismatch")
