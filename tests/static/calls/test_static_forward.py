"""A `forward` that is a static method: the module is not passed to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

PROGRAM = """
class Loss(nn.Module):
    {decorator}
    def forward({first}x, y):
        return x @ y

def main():
    return Loss()(torch.zeros(2, 3), torch.zeros({rows}, 2))
"""


@pytest.mark.parametrize(("decorator", "first"), [("@staticmethod", ""), ("", "self, "), ("@classmethod", "cls, ")])
@pytest.mark.parametrize(("rows", "codes"), [(3, []), (4, ["shape-mismatch"])])
def test_the_arguments_are_those_of_the_call(
    decorator: str, first: str, rows: int, codes: list[str], tmp_path: Path
) -> None:
    path, _ = lines_of(tmp_path, PROGRAM.format(decorator=decorator or "# bound", first=first, rows=rows))
    assert [one.code for one in check([path])] == codes


def test_an_isinstance_of_a_slice_is_false_for_a_tensor(tmp_path: Path) -> None:
    source = """
    def pick(index):
        if isinstance(index, slice):
            return index.indices(3)
        return index

    pick(torch.zeros(3))
    """
    path, _ = lines_of(tmp_path, source)
    assert check([path]) == []
