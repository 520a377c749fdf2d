"""Options that only unknown arguments may contain, or that users set later: branches on them prove nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

QUANTIZER = """
class Inner(nn.Module):
    def __init__(self, dim, takes_images=False, kind="flat"):
        super().__init__()
        self.takes_images = takes_images
        self.kind = kind
        self.proj = nn.Linear(dim, 4)

    def forward(self, x):
        {branch}
        return self.proj(x)


class Outer(nn.Module):
    def __init__(self, dim=8, *args, **kwargs):
        super().__init__()
        self.inner = Inner(dim, {given})

    def forward(self):
        return self.inner(torch.zeros(2, 5, 8))
"""
BRANCHES = (
    "if self.takes_images:\n            x = x.permute(0, 2, 3, 1)",
    "if not self.takes_images:\n            return self.proj(x)\n        x = x.permute(0, 2, 3, 1)",
    'if self.kind == "image":\n            x = x.permute(0, 2, 3, 1)',
    "images = self.takes_images\n        if images:\n            x = x.permute(0, 2, 3, 1)",
    "is_flat = not self.takes_images\n        if not is_flat:\n            x = x.permute(0, 2, 3, 1)",
    'images = self.kind == "image"\n        if images and self.training:\n            x = x.permute(0, 2, 3, 1)',
    "x = x.permute(0, 2, 3, 1) if self.takes_images else x",
)


@pytest.mark.parametrize("given", ["**kwargs", "*args", "*args, **kwargs"])
@pytest.mark.parametrize("branch", BRANCHES)
def test_branches_on_an_option_from_unknown_arguments(tmp_path: Path, branch: str, given: str) -> None:
    path, _ = lines_of(tmp_path, QUANTIZER.format(branch=branch, given=given))
    assert check([path], codes={"shape-mismatch"}) == []


@pytest.mark.parametrize("branch", BRANCHES)
def test_branches_on_an_option_that_is_given(tmp_path: Path, branch: str) -> None:
    given = 'takes_images=True, kind="image"'
    path, _ = lines_of(tmp_path, QUANTIZER.format(branch=branch, given=given))
    assert [one.code for one in check([path])] == ["shape-mismatch"]


@pytest.mark.parametrize("given", ["**kwargs", "*args", "*args, **kwargs"])
def test_what_follows_the_branch_is_reported(tmp_path: Path, given: str) -> None:
    branch = "if self.takes_images:\n            x = x.permute(0, 2, 1)\n        x = x[..., :7]"
    path, _ = lines_of(tmp_path, QUANTIZER.format(branch=branch, given=given))
    assert [one.code for one in check([path])] == ["shape-mismatch"]


READ = """
class Inner(nn.Module):
    def __init__(self, dim, **options):
        super().__init__()
        self.takes_images = {read}
        self.proj = nn.Linear(dim, 4)

    def forward(self, x):
        if self.takes_images:
            x = x.permute(0, 2, 3, 1)
        return self.proj(x)


class Outer(nn.Module):
    def __init__(self, dim=8, *args, **kwargs):
        super().__init__()
        self.inner = Inner(dim, {given})

    def forward(self):
        return self.inner(torch.zeros(2, 5, 8))
"""
READS = ('options["takes_images"]', 'options.get("takes_images", False)', 'options.pop("takes_images", False)')


@pytest.mark.parametrize("read", READS)
def test_an_option_that_is_read_from_keywords(tmp_path: Path, read: str) -> None:
    path, _ = lines_of(tmp_path, READ.format(read=read, given="**kwargs"))
    assert check([path]) == []
    path, _ = lines_of(tmp_path, READ.format(read=read, given="takes_images=True"))
    assert [one.code for one in check([path])] == ["shape-mismatch"]


SWITCHED = """
class Switched:
    @property
    def mode(self):
        return self._mode

{setter}

class Step(nn.Module, Switched):
    def __init__(self, mode="s"):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self._mode = mode

    def forward(self, x):
        if self.mode == "s":
            return self.conv(x)
        return self.conv(x.flatten(0, 1))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.step = Step()

    def forward(self, x):
        return self.step(x.unsqueeze(0).expand(6, -1, -1, -1, -1))
"""
SETTER = "    @mode.setter\n    def mode(self, value):\n        self._mode = value\n"


def test_a_mode_with_a_setter_is_switched_by_users(tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, SWITCHED.format(setter=SETTER))
    assert check([path]) == []


def test_a_mode_without_a_setter_is_that_of_the_constructor(tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, SWITCHED.format(setter=""))
    assert [one.code for one in check([path])] == ["shape-mismatch"]
