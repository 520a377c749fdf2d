"""Operators of a tensor and an object whose class defines them: the result is that of the class."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import reported

CLASSES = """
import dataclasses


@dataclasses.dataclass
class Ray:
    start: Tensor

    def __rmul__(self, other):
        return Ray(self.start * other)

    def __add__(self, other):
        return self.start + other

    def cloned(self):
        return Ray(self.start.clone())


class Beam:
    def __init__(self, start):
        self.start = start

    def __rmul__(self, other):
        return Beam(self.start * other)

    def cloned(self):
        return Beam(self.start)


class Weight(nn.Parameter):
    pass

"""
QUIET = [
    "def f(ray: Ray, x: Tensor):\n    return (x * ray).cloned()",
    "def f(beam: Beam, x: Tensor):\n    return (2 * x * beam).cloned()",
    "def f(ray: Ray, x: Tensor):\n    x *= ray\n    return x.cloned()",
    "def f(start, x: Tensor):\n    return (x * Beam(start)).cloned()",
]
FOUND = {
    "(torch.zeros(2, 3) * Weight(torch.zeros(3))) @ torch.zeros(2)  # HERE": "shape-mismatch",
    "def f(x: Tensor):\n    return (x * 2.0 + x).cloned()  # HERE": "wrong-call",
    "(torch.zeros(3) * Ray(torch.zeros(3))).start + torch.zeros(2)  # HERE": "shape-mismatch",
    "(Ray(torch.zeros(3)) + torch.zeros(3)) @ torch.zeros(2)  # HERE": "shape-mismatch",
}


@pytest.mark.parametrize("source", QUIET)
def test_the_result_is_no_tensor(source: str, tmp_path: Path) -> None:
    assert reported(tmp_path, f"{CLASSES}{source}\n") == []


@pytest.mark.parametrize("source", FOUND)
def test_the_result_of_the_method_is_known(source: str, tmp_path: Path) -> None:
    assert [code for _, code, _ in reported(tmp_path, f"{CLASSES}{source}\n")] == [FOUND[source]]
