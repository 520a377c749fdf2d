"""off-default: a literal in the place of a parameter that has the same default."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

PART = """
class Part(nn.Module):
    def __init__(self, in_channels: int, width: int, depth: int = 1):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, width, 3)

    def forward(self, x):
        return self.conv(x)
"""
FOUND = {
    "the channels of a part of the project": (
        PART
        + """
class Net(nn.Module):
    def __init__(self, widths, in_channels=3):
        super().__init__()
        self.stem = [Part(in_channels=3, width=widths[0])]  # HERE
        in_channels = widths[0]
        self.rest = Part(in_channels=in_channels, width=widths[1])
""",
        "Part: got 3 in place of in_channels (works only for in_channels=3)",
    ),
    "the channels of a convolution": (
        """
class Net(nn.Module):
    def __init__(self, width: int, in_chans=3):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 7)  # HERE
""",
        "Conv2d: got 3 in place of in_chans (works only for in_chans=3)",
    ),
    "in the only branch that does not use it": (
        """
class Net(nn.Module):
    def __init__(self, width: int, in_chans=3, first: int | None = 32):
        super().__init__()
        if first is None:
            self.stem = nn.Conv2d(in_chans, width, 7)
        else:
            self.stem = nn.Conv2d(3, first, 7)  # HERE
""",
        "Conv2d: got 3 in place of in_chans (works only for in_chans=3)",
    ),
    "the dimension of an operator": (
        """
def join(tensors: list[Tensor], order, dim: int = 0, both: bool = False):
    index = order.sort()
    out = torch.cat(tensors, dim=0)  # HERE
    return (out, index) if both else out
""",
        "cat: got 0 in place of dim (works only for dim=0)",
    ),
    "behind a branch that uses it, and returns": (
        """
def mean(x: Tensor, mask=None, dim=1):
    if mask is not None:
        return (x * mask).sum(dim)
    return x.mean(dim=1)  # HERE
""",
        "mean: got 1 in place of dim (works only for dim=1)",
    ),
}
QUIET = {
    "it is used": """
class Net(nn.Module):
    def __init__(self, width: int, in_chans=3):
        super().__init__()
        self.stem = nn.Conv2d(in_chans, width, 7)
        self.colors = nn.Conv2d(3, width, 7)
""",
    "it is tested": """
class Net(nn.Module):
    def __init__(self, width: int, in_chans=3):
        super().__init__()
        assert in_chans == 3
        self.stem = nn.Conv2d(3, width, 7)
""",
    "it is tested in the condition of the branch": """
def join(x: Tensor, y: Tensor, dim=0):
    if dim == 0:
        return torch.cat([x, y], dim=0)
    return torch.stack([x, y])
""",
    "another number": """
class Net(nn.Module):
    def __init__(self, width: int, in_chans=1):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 7)
""",
    "no default": """
class Net(nn.Module):
    def __init__(self, width: int, in_chans):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 7)
""",
    "another name": """
def positions(x: Tensor, offset=0):
    return torch.cat([x, x], dim=0)
""",
    "another parameter of a convolution": """
class Net(nn.Module):
    def __init__(self, width: int, stages=3):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 7)
""",
    "a variable": """
class Net(nn.Module):
    def __init__(self, width: int, in_chans=3):
        super().__init__()
        colors = 3
        self.stem = nn.Conv2d(colors, width, 7)
""",
    "all variables are read": """
class Net(nn.Module):
    def __init__(self, width: int, in_chans=3):
        super().__init__()
        self.options = locals()
        self.stem = nn.Conv2d(3, width, 7)
""",
    "stored": PART
    + """
class Net(nn.Module):
    def __init__(self, width: int, depth=1):
        super().__init__()
        self.depth = depth
        self.stem = Part(3, width, depth=1)
""",
    "a flag": """
class Net(nn.Module):
    def __init__(self, width: int, bias=True):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 7, bias=True)
""",
    "used in an inner function": """
def join(x: Tensor, y: Tensor, dim=0):
    def again(z):
        return z.sum(dim)

    return again(torch.cat([x, y], dim=0))
""",
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    source, message = FOUND[name]
    assert reported(tmp_path, source) == [(place(source), "off-default", message)]


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
