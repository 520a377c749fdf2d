"""Off the defaults: entry points run again with one argument changed, and what then fails is a warning."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.diagnostics import DEFAULT_CHECKS, Severity
from shapecheck.static import check
from tests.static.programs import CODES, lines_of

FOUND = {
    "a tuple of one number": (
        """
        def accuracy(output, target, topk=(1,)):
            batch = target.size(0)
            _, pred = output.topk(max(topk), 1, True, True)
            correct = pred.t().eq(target.view(1, -1).expand_as(pred.t()))
            return [correct[:k].view(-1).float().sum(0) * (100.0 / batch) for k in topk]  # HERE
        """,
        "fails whenever topk=(1, 5)",
    ),
    "a rate of zero": (
        """
        class Net(nn.Module):
            def __init__(self, width: int, drop=0.0):
                super().__init__()
                self.fc = nn.Linear(width, 2 * width)
                self.rate = drop
                if drop > 0.0:
                    self.out = nn.Sequential(nn.Dropout(drop), nn.Linear(width, 4))  # HERE
                else:
                    self.out = nn.Linear(2 * width, 4)

            def forward(self, x: Float[Tensor, "b width"]):
                return self.out(self.fc(x))
        """,
        "fails whenever drop=0.5",
    ),
    "a view of a moved dimension in a branch": (
        """
        class Net(nn.Module):
            def __init__(self, width: int, first=True):
                super().__init__()
                self.first = first
                self.fc = nn.Linear(width, 12)

            def forward(self, x: Float[Tensor, "2 3 width"]):
                x = self.fc(x)
                return x.view(6, 12) if self.first else x.transpose(0, 1).view(6, 12)  # HERE
        """,
        "fails whenever first=False",
    ),
    "a literal before layers that share a size": (
        """
        class Classifier(nn.Module):
            def __init__(self, dim=256, classes=10):
                super().__init__()
                self.embed = nn.Embedding(1000, 256)
                self.mix = nn.Linear(dim, dim)
                self.fc = nn.Linear(dim, classes)

            def forward(self, x):
                return self.fc(self.mix(self.embed(x)))  # HERE
        """,
        "works only for dim=256",
    ),
    "a branch of the constructor": (
        """
        class Up(nn.Module):
            def __init__(self, width=64, learned=False):
                super().__init__()
                self.first = nn.Conv2d(3, width, 3, padding=1)
                if learned:
                    self.up = nn.ConvTranspose2d(2 * width, width, 2, stride=2)  # HERE
                else:
                    self.up = nn.Upsample(scale_factor=2)

            def forward(self, x):
                return self.up(self.first(x))
        """,
        "fails whenever learned=True",
    ),
    "a layer that replaces the identity": (
        """
        class Block(nn.Module):
            def __init__(self, width: int, ratio: int = 4, normalizes: bool = False):
                super().__init__()
                self.up = nn.Linear(width, ratio * width)
                self.norm = nn.LayerNorm(width + 1) if normalizes else nn.Identity()  # HERE
                self.down = nn.Linear(ratio * width, width)

            def forward(self, x):
                return self.norm(self.down(self.up(x)))
        """,
        "fails whenever normalizes=True",
    ),
    "a branch of a method, selected by an attribute": (
        """
        class Pool(nn.Module):
            def __init__(self, width: int = 16, keeps=False):
                super().__init__()
                self.keeps = keeps
                self.first, self.last = nn.Linear(3, width), nn.Linear(width, 2)

            def forward(self, x):
                x = self.first(x)
                if self.keeps:
                    return self.last(torch.cat([x, x], -1))  # HERE
                return self.last(x)
        """,
        "fails whenever keeps=True",
    ),
    "an argument of a layer": (
        """
        class Reader(nn.Module):
            def __init__(self, hidden: int = 32, both: bool = False):
                super().__init__()
                self.rnn = nn.LSTM(8, hidden, batch_first=True, bidirectional=both)
                self.out = nn.Linear(hidden, 2)

            def forward(self, x):
                states, _ = self.rnn(x)
                return self.out(states)  # HERE
        """,
        "fails whenever both=True",
    ),
    "another string": (
        """
        class Merge(nn.Module):
            def __init__(self, width: int = 16, mode: str = "sum"):
                super().__init__()
                self.mode = mode
                self.left, self.right = nn.Linear(3, width), nn.Linear(3, width)
                self.out = nn.Linear(width, 2)

            def forward(self, x):
                a, b = self.left(x), self.right(x)
                if self.mode == "sum":
                    return self.out(a + b)
                elif self.mode == "cat":
                    return self.out(torch.cat([a, b], -1))  # HERE
                raise ValueError(self.mode)
        """,
        'fails whenever mode="cat"',
    ),
    "an option of forward": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.first, self.last = nn.Linear(3, 8), nn.Linear(8, 2)

            def forward(self, x, doubled=False):
                x = self.first(x)
                if doubled:
                    x = torch.cat([x, x], dim=-1)
                return self.last(x)  # HERE
        """,
        "fails whenever doubled=True",
    ),
    "an option of a method that forward calls": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.first, self.last = nn.Linear(3, 8), nn.Linear(8, 2)

            def features(self, x, raw=False):
                return self.last(x if raw else self.first(x)) + self.first(x)[..., :2]  # HERE

            def forward(self, x):
                return self.features(x)
        """,
        "fails whenever raw=True",
    ),
    "an option of a function": (
        """
        def scores(n: int, transposed=False):
            left, right = torch.zeros(n, 3), torch.zeros(3, 5)
            return left @ (right.t() if transposed else right)  # HERE
        """,
        "fails whenever transposed=True",
    ),
    "a part that is built with its default only": (
        """
        class Part(nn.Module):
            def __init__(self, wide: int, narrow: int, learned: bool = False):
                super().__init__()
                if learned:
                    self.up = nn.ConvTranspose2d(wide, narrow, 2, stride=2)  # HERE
                else:
                    self.up = nn.Upsample(scale_factor=2)
                self.conv = nn.Conv2d(wide, narrow, 3, padding=1)

            def forward(self, small, large):
                return self.conv(torch.cat([large, self.up(small)], 1))

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.one, self.two = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 8, 2, stride=2)
                self.part = Part(16, 8)

            def forward(self, x):
                large = self.one(x)
                return self.part(self.two(large), large)
        """,
        "fails whenever learned=True",
    ),
    "a constructor that a subclass inherits": (
        """
        class Base(nn.Module):
            def __init__(self, width=8, residual=True):
                super().__init__()
                self.residual = residual
                self.fc, self.out = nn.Linear(width, width), nn.Linear(width, 2)

        class Net(Base):
            def forward(self, x):
                y = self.fc(x)
                return self.out(x + y if self.residual else torch.cat([x, y], -1))  # HERE
        """,
        "fails whenever residual=False",
    ),
    "a flag without a default": (
        """
        class Net(nn.Module):
            def __init__(self, width: int, both: bool):
                super().__init__()
                self.rnn = nn.GRU(8, width, bidirectional=both)
                self.out = nn.Linear(width, 2)

            def forward(self, x):
                return self.out(self.rnn(x)[0])  # HERE
        """,
        "fails whenever both=True",
    ),
    "the third string": (
        """
        def merged(n: int, mode="sum"):
            a = torch.zeros(n, 8)
            if mode == "sum":
                a = a + a
            elif mode == "mean":
                a = (a + a) / 2
            elif mode == "cat":
                a = torch.cat([a, a], 1)
            return a @ torch.zeros(8, 2)  # HERE
        """,
        'fails whenever mode="cat"',
    ),
    "more than one layer": (
        """
        class Net(nn.Module):
            def __init__(self, width: int = 16, layers: int = 1):
                super().__init__()
                self.first = nn.Linear(3, width)
                self.more = nn.ModuleList()
                if layers > 1:
                    self.more = nn.ModuleList([nn.Linear(2 * width, width) for _ in range(layers - 1)])  # HERE
                self.layers = layers

            def forward(self, x):
                x = self.first(x)
                for n in range(self.layers - 1):
                    x = self.more[n](x)
                return x
        """,
        "fails for layers=2 and layers=3",
    ),
    "a literal that a layer receives": (
        """
        class Head(nn.Module):
            def __init__(self, hidden=256):
                super().__init__()
                self.up, self.out = nn.Linear(64, hidden), nn.Linear(256, 10)  # HERE

            def forward(self, x):
                return self.out(torch.relu(self.up(x)))
        """,
        "works only for hidden=256",
    ),
    "a literal that a layer returns": (
        """
        class Net(nn.Module):
            def __init__(self, *, hidden: int = 128, classes: int = 10):
                super().__init__()
                self.body = nn.Sequential(nn.Conv2d(3, 128, 3), nn.ReLU())
                self.norm = nn.BatchNorm2d(hidden)
                self.out = nn.Conv2d(hidden, classes, 1)

            def forward(self, x):
                return self.out(self.norm(self.body(x)))  # HERE
        """,
        "works only for hidden=128",
    ),
    "a norm after a linear layer": (
        """
        class Head(nn.Module):
            def __init__(self, wide: int = 2048, hidden: int = 512):
                super().__init__()
                self.layers = nn.Sequential(
                    nn.Linear(wide, hidden),
                    nn.BatchNorm1d(512),  # HERE
                )

            def forward(self, x):
                return self.layers(x)
        """,
        "works only for hidden=512",
    ),
    "a literal number of heads": (
        """
        class Bias(nn.Module):
            def __init__(self, length: int, heads: int = 8):
                super().__init__()
                self.table = nn.Parameter(torch.zeros(1, heads, length, length))
                self.scale = nn.Parameter(torch.ones(8, 1, 1))

            def forward(self):
                return self.table + self.scale.expand(8, 1, 1)  # HERE
        """,
        "works only for heads=8",
    ),
}

QUIET = {
    "a tuple of one number that is only iterated": """
        def pyramid(x: Float[Tensor, "2 3 8 8"], scales=(1,)):
            first, = scales
            return [x.reshape(2, 3, 64) for one in scales]
        """,
    "the largest of a tuple, in a copy": """
        def accuracy(output, target, topk=(1,)):
            _, pred = output.topk(max(topk), 1, True, True)
            correct = pred.t().eq(target.view(1, -1).expand_as(pred.t()))
            return [correct[:k].reshape(-1).float().sum(0) for k in topk]
        """,
    "a rate of zero that fits": """
        class Net(nn.Module):
            def __init__(self, width: int, drop=0.0):
                super().__init__()
                self.fc = nn.Linear(width, width)
                self.drop = nn.Dropout(drop) if drop > 0 else nn.Identity()

            def forward(self, x):
                return self.drop(self.fc(x))
        """,
    "a rate that the constructor refuses": """
        class Net(nn.Module):
            def __init__(self, width: int, drop=0.0):
                super().__init__()
                if drop > 0:
                    raise NotImplementedError("drop")
                self.fc = nn.Linear(width, width) if drop == 0 else nn.Linear(width, 3)
                self.out = nn.Linear(width, 4)

            def forward(self, x):
                return self.out(self.fc(x))
        """,
    "axes or False": """
        def load(data: Tensor, count: int, axes=False):
            b, h, w, c = data.shape
            data = data[:count]
            if axes:
                data = data.permute(axes)
            return data
        """,
    "a parameter that states the size of a fixed part": """
        class Classifier(nn.Module):
            def __init__(self, in_features=512, classes=10):
                super().__init__()
                self.backbone = nn.Sequential(nn.Conv2d(3, 512, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten())
                self.in_features = in_features
                self.fc = nn.Linear(in_features, classes)

            def forward(self, x):
                return self.fc(self.backbone(x))
        """,
    "a class that is local to a function": """
        def model():
            class Head(nn.Module):
                def __init__(self, hidden=256):
                    super().__init__()
                    self.up, self.out = nn.Linear(64, hidden), nn.Linear(256, 10)

                def forward(self, x):
                    return self.out(self.up(x))

            return Head()
        """,
    "arguments that the constructor refuses": """
        class Net(nn.Module):
            def __init__(self, hidden=256, deep=False, mode="a"):
                super().__init__()
                assert hidden == 256 and not deep
                if mode == "b":
                    raise NotImplementedError(mode)
                self.up, self.out = nn.Linear(64, hidden), nn.Linear(256, 10)
                self.extra = nn.Linear(3, 4) if deep or mode == "b" else nn.Identity()

            def forward(self, x):
                return self.extra(self.out(self.up(x)))
        """,
    "an option that a method refuses": """
        class Net(nn.Module):
            def __init__(self, width=8, deep=False):
                super().__init__()
                self.deep, self.fc = deep, nn.Linear(width, 2 * width)

            def forward(self, x):
                if self.deep:
                    raise NotImplementedError("deep")
                return self.fc(x)
        """,
    "sizes and options that fit": """
        class Net(nn.Module):
            def __init__(self, width=64, heads=8, both=False, learned=True, mode="cat"):
                super().__init__()
                self.heads, self.mode = heads, mode
                self.first = nn.Conv1d(64, width, 3, padding=1)
                self.norm = nn.BatchNorm1d(width) if learned else nn.Identity()
                self.rnn = nn.GRU(width, width, batch_first=True, bidirectional=both)
                sizes = width * (2 if both else 1)
                self.out = nn.Linear(2 * sizes if mode == "cat" else sizes, 64)

            def forward(self, x):
                x = self.norm(self.first(x)).transpose(1, 2)
                states, _ = self.rnn(x)
                b, t, c = states.shape
                states = states.view(b, t, self.heads, c // self.heads).flatten(2)
                return self.out(torch.cat([states, states], -1) if self.mode == "cat" else states)
        """,
    "two defaults that must be equal": """
        class Net(nn.Module):
            def __init__(self, width=256, hidden=256):
                super().__init__()
                self.up, self.out = nn.Linear(64, width), nn.Linear(hidden, 10)
                self.other = nn.Linear(256, 3)

            def forward(self, x):
                return self.out(self.up(x))
        """,
    "a literal for something else": """
        class Net(nn.Module):
            def __init__(self, channels=3, width=64):
                super().__init__()
                self.first = nn.Conv2d(channels, width, 3)
                self.skip = nn.Linear(64, 3)

            def forward(self, image, y):
                return self.first(image), self.skip(y)
        """,
    "a part whose callers choose other sizes with the option": """
        class Part(nn.Module):
            def __init__(self, wide: int, narrow: int, learned: bool = False):
                super().__init__()
                self.up = nn.ConvTranspose2d(wide, narrow, 2, 2) if learned else nn.Upsample(scale_factor=2)

            def forward(self, x):
                return self.up(x)

        class Net(nn.Module):
            def __init__(self, learned: bool = False):
                super().__init__()
                wide = 16 if learned else 8
                self.first = nn.Conv2d(3, wide, 3)
                self.part = Part(16, 8, learned)

            def forward(self, x):
                return self.part(self.first(x))
        """,
    "a part whose results have another size with the option": """
        class Part(nn.Module):
            def __init__(self, wide: int, narrow: int, doubles: bool = False):
                super().__init__()
                self.fc, self.doubles = nn.Linear(wide, narrow), doubles

            def forward(self, x):
                x = self.fc(x)
                return torch.cat([x, x], -1) if self.doubles else x

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.one, self.two = Part(4, 8), Part(8, 2)

            def forward(self, x):
                return self.two(self.one(x))
        """,
    "a failure that another option avoids": """
        class Net(nn.Module):
            def __init__(self, doubles=False, projects=False):
                super().__init__()
                self.doubles, self.projects = doubles, projects
                self.down, self.out = nn.Linear(16, 8), nn.Linear(8, 2)

            def forward(self, x):
                x = x[..., :8]
                if self.doubles:
                    x = torch.cat([x, x], -1)
                if self.projects:
                    x = self.down(x)
                return self.out(x)
        """,
    "a count that only some values of do not fit": """
        class Net(nn.Module):
            def __init__(self, kernel: int = 1):
                super().__init__()
                self.kernel = kernel
                self.conv = nn.Conv1d(8, 8, kernel, padding=kernel // 2)
                self.out = nn.Linear(16, 4)

            def forward(self, x):
                y = self.conv(torch.zeros(2, 8, 16))
                return self.out(y if self.kernel > 1 else x)
        """,
    "a rate that is compared": """
        class Net(nn.Module):
            def __init__(self, rate=0, keep=1):
                super().__init__()
                self.drop = nn.Dropout(rate if rate > 0 else 0.1)
                self.more = nn.Dropout(keep) if keep > 0 else nn.Identity()

            def forward(self, x):
                return self.more(self.drop(x))
        """,
    "a flag without a default that fits": """
        class Net(nn.Module):
            def __init__(self, width: int, both: bool):
                super().__init__()
                self.rnn = nn.GRU(8, width, bidirectional=both)
                self.out = nn.Linear(2 * width if both else width, 2)

            def forward(self, x):
                return self.out(self.rnn(x)[0])
        """,
    "a failure that is handled": """
        class Net(nn.Module):
            def __init__(self, wide=False):
                super().__init__()
                self.fc, self.out = nn.Linear(4, 16 if wide else 8), nn.Linear(8, 2)

            def forward(self, x):
                try:
                    return self.out(self.fc(x))
                except RuntimeError:
                    return x
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_a_failure_off_the_defaults_is_a_warning_that_names_the_condition(name: str, tmp_path: Path) -> None:
    program, condition = FOUND[name]
    path, text = lines_of(tmp_path, program)
    (one,) = check([path])
    assert (one.code, one.severity) == ("off-default", Severity.WARNING)
    assert one.message.endswith(f"({condition})")
    assert one.line == 1 + text[: text.index("# HERE")].count("\n")
    assert any(note.message.startswith("found with ") for note in one.notes)


@pytest.mark.parametrize("name", QUIET)
def test_what_works_with_every_argument_is_not_reported(name: str, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, QUIET[name])
    assert check([path], codes=CODES) == []


HEAD_OF_ONE_SIZE = """
class Head(nn.Module):
    def __init__(self, hidden=256):
        super().__init__()
        self.up, self.out = nn.Linear(64, hidden), nn.Linear(256, 10)

    def forward(self, x):
        return self.out(self.up(x))
"""


def test_sizes_of_classes_in_a_file_of_tests_are_fixed(tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, HEAD_OF_ONE_SIZE)
    assert [one.code for one in check([path], codes=DEFAULT_CHECKS)] == ["off-default"]
    assert check([path.rename(tmp_path / "test_head.py")], codes=DEFAULT_CHECKS) == []


@pytest.mark.parametrize("name", FOUND)
def test_nothing_runs_off_the_defaults_without_the_code(name: str, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, FOUND[name][0])
    assert check([path], codes=set(DEFAULT_CHECKS) - {"off-default"}) == []


def test_a_failure_with_the_default_too_is_not_reported_again(tmp_path: Path) -> None:
    path, _ = lines_of(
        tmp_path,
        """
        class Net(nn.Module):
            def __init__(self, width=8, deep=False):
                super().__init__()
                self.fc, self.out = nn.Linear(3, width), nn.Linear(width + 1, 2)
                self.deep = nn.Linear(4, 4) if deep else nn.Identity()

            def forward(self, x):
                return self.out(self.fc(x))
        """,
    )
    assert [one.code for one in check([path])] == ["shape-mismatch"]


IN_BODY = {
    "a constructor": """
        class Net(nn.Module):
            def __init__(self, wide=False):
                super().__init__()
                self.fc = nn.Linear(8 if wide else 4, 2)

            def forward(self, x):
                return self.fc(x + torch.zeros(4))

        Net()(torch.zeros(3, 4))
        Net(wide=True)(torch.zeros(3, 4))
        """,
    "a function under a condition": """
        def work(flip=False):
            x = torch.zeros(3, 4)
            return x.transpose(1, 2) if flip else x

        if unknown:
            work(flip=True)
        """,
}


@pytest.mark.parametrize("name", IN_BODY)
def test_what_the_body_of_the_module_finds_is_not_reported_again(name: str, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, IN_BODY[name])
    assert [one.code for one in check([path])] == ["shape-mismatch"]


def test_the_reported_layer_has_a_note_on_the_call(tmp_path: Path) -> None:
    path, text = lines_of(tmp_path, FOUND["a literal that a layer receives"][0])
    (one,) = check([path])
    call = 1 + text[: text.index("return")].count("\n")
    assert (one.notes[0].line, one.notes[0].message) == (call, "the call that fails")


def test_cheap_classes_run_first_and_expensive_ones_not_at_all(tmp_path: Path) -> None:
    cheap = FOUND["a literal that a layer receives"][0]
    layers = "\n".join(f"                self.fc{n} = nn.Linear({n + 1}, {n + 2})" for n in range(400))
    calls = "\n".join(f"                x = self.fc{n}(x)" for n in range(400))
    expensive = f"""
        class Long(nn.Module):
            def __init__(self, wide=False):
                super().__init__()
{layers}
                self.last = nn.Linear(1, 2) if wide else nn.Identity()

            def forward(self, x):
{calls}
                return self.last(x)
        """
    path, _ = lines_of(tmp_path, expensive + cheap)
    assert [one.message.rpartition(" (")[2] for one in check([path])] == ["works only for hidden=256)"]
