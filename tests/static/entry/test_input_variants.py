"""Off the defaults: a batch of one, and odd sizes. What then fails is a warning that names the condition."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.diagnostics import DEFAULT_CHECKS, Severity
from shapecheck.static import check
from tests.static.programs import lines_of

UNET = """
class Double(nn.Module):
    def __init__(self, wide, narrow):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(wide, narrow, 3, padding=1), nn.ReLU())

    def forward(self, x):
        return self.conv(x)

class Up(nn.Module):
    def __init__(self, wide, narrow):
        super().__init__()
        self.up = nn.ConvTranspose2d(wide, narrow, 2, stride=2)
        self.conv = Double(2 * narrow, narrow)

    def forward(self, x, skip):
        x = self.up(x){}
        return self.conv(torch.cat([x, skip], dim=1))  # HERE

class UNet(nn.Module):
    def __init__(self, channels=3):
        super().__init__()
        self.one, self.two, self.three = Double(channels, 8), Double(8, 16), Double(16, 32)
        self.pool = nn.MaxPool2d(2)
        self.up_two, self.up_one = Up(32, 16), Up(16, 8)

    def forward(self, x):
        one = self.one(x)
        two = self.two(self.pool(one))
        y = self.up_two(self.three(self.pool(two)), two)
        return self.up_one(y, one)
"""
MATCHED = """
def upscaled(small, large):
    return F.interpolate(small, size=large.shape[-2:])
"""
SHORTCUT = """
class Block(nn.Module):
    def __init__(self, wide: int = 8, stride: int = 2):
        super().__init__()
        self.conv = nn.Conv2d(3, wide, 3, stride=stride, padding=1)
        self.pool = nn.AvgPool2d(stride{})
        self.project = nn.Conv2d(3, wide, 1)

    def forward(self, x):
        return self.conv(x) + self.project(self.pool(x))  # HERE
"""

FOUND = {
    "a squeeze of the batch": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(8, 4)

            def forward(self, x):
                b, t, c = x.shape
                x = self.fc(x).squeeze(0)
                return x[:, 0, :2]  # HERE
        """,
        "fails for a batch of one",
    ),
    "a branch for one sample": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv, self.fc = nn.Conv2d(3, 8, 3), nn.Linear(8, 4)

            def forward(self, x):
                x = self.conv(x).mean((2, 3))
                if x.size(0) == 1:
                    x = x[0]
                return self.fc(x)[:, 0]  # HERE
        """,
        "fails for a batch of one",
    ),
    "a squeeze of any dimension in a function": (
        """
        def totals(x: Tensor):
            b, t = x.shape
            y = x.squeeze()
            return y.sum(1)  # HERE
        """,
        "fails for a batch of one",
    ),
    "a skip connection, where another place matches sizes": (UNET.format("") + MATCHED, "fails for odd sizes"),
    "a shortcut that rounds down": (SHORTCUT.format(""), "fails for odd sizes"),
}

QUIET = {
    "blocks into which an image is split, where another place matches sizes": MATCHED
    + """
def blocks(x):
    b, c, h, w = x.size()
    return x.view(b, c, h // 4, 4, w // 4, 4).permute(0, 3, 5, 1, 2, 4).reshape(b, 16 * c, h // 4, w // 4)
""",
    "a squeeze of one dimension": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(8, 1)

            def forward(self, x):
                b, t, c = x.shape
                return self.fc(x).squeeze(-1)[:, 0]
        """,
    "a branch that restores the batch": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv, self.fc = nn.Conv2d(3, 8, 3), nn.Linear(8, 4)

            def forward(self, x):
                x = self.conv(x).mean((2, 3)).squeeze(0)
                if x.dim() == 1:
                    x = x[None]
                return self.fc(x)[:, 0]
        """,
    "steps, of which there are several": """
        def differences(x: Tensor, skip: int = 1):
            t, c = x.shape
            if skip > 1:
                x = x[::skip]
            one, two = x.chunk(2)
            return x[1] - x[0], x.select(0, 1), x.unfold(0, 2, 1), one - two
        """,
    "pairs of samples": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(8, 4)

            def forward(self, x):
                b, t, c = x.shape
                one, two = self.fc(x).squeeze(-1).view(b // 2, 2, t, 4).unbind(1)
                return one - two
        """,
    "groups of samples": """
        class Net(nn.Module):
            def __init__(self, group: int = 8):
                super().__init__()
                self.group, self.fc = group, nn.Linear(8, 4)

            def forward(self, x):
                b, t, c = x.shape
                x = self.fc(x).view(-1, self.group, t, 4)
                return x.squeeze(1) if self.group == 1 else x.mean(1)
        """,
    "a single sample that is expected": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(8, 4)

            def forward(self, x):
                b, t, c = x.shape
                assert b == 1
                return self.fc(x).squeeze(0)[:, 0]
        """,
    "a model for multiples of a power of two": UNET.format(""),
    "a model that says which sizes it expects": '"""Sizes must be multiples of 4."""\n' + UNET.format("") + MATCHED,
    "a skip connection that is padded": UNET.format(
        """
        dy, dx = skip.shape[2] - x.shape[2], skip.shape[3] - x.shape[3]
        x = F.pad(x, [0, dx, 0, dy])"""
    ),
    "a skip connection that is cropped": UNET.format(
        """
        skip = skip[..., : x.shape[2], : x.shape[3]]"""
    ),
    "a shortcut that rounds up": SHORTCUT.format(", ceil_mode=True"),
    "halves and quarters of one path": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.one, self.two = nn.Conv2d(3, 8, 3, 2, 1), nn.Conv2d(3, 8, 1, 2)
                self.pool = nn.MaxPool2d(3, 2, 1)

            def forward(self, x):
                return self.pool(self.one(x)) + self.pool(self.two(x))
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_a_failure_for_other_inputs_is_a_warning_that_names_the_condition(name: str, tmp_path: Path) -> None:
    program, condition = FOUND[name]
    path, text = lines_of(tmp_path, program)
    (one,) = check([path])
    assert (one.code, one.severity) == ("off-default", Severity.WARNING)
    assert one.message.endswith(f"({condition})")
    assert one.line == 1 + text[: text.index("# HERE")].count("\n")
    assert one.notes[-1].message.startswith("found with ")


@pytest.mark.parametrize("name", QUIET)
def test_what_works_or_is_excluded_is_not_reported(name: str, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, QUIET[name])
    assert check([path]) == []


@pytest.mark.parametrize("name", FOUND)
def test_nothing_is_found_without_the_code(name: str, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, FOUND[name][0])
    assert check([path], codes=set(DEFAULT_CHECKS) - {"off-default"}) == []


def test_what_squeeze_batch_reports_is_not_reported_again(tmp_path: Path) -> None:
    path, _ = lines_of(
        tmp_path,
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(8, 1)

            def forward(self, x):
                b, c = x.shape
                scores = self.fc(x).squeeze()
                return scores.sum(0), scores[0]
        """,
    )
    assert [one.code for one in check([path])] == ["squeeze-batch"]
