"""Arguments that no call passes: a default is one of many values, and `*args` and `**kwargs` can be anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.diagnostics import Severity
from shapecheck.static import check
from tests.static.programs import CODES, lines_of

QUIET = {
    "a function for other options than the defaults that the body reads": """
        import argparse
        from elsewhere import TREES

        class Net:
            def __init__(self, channels):
                self.channels = channels

        parser = argparse.ArgumentParser()
        parser.add_argument("--kind", default="net")
        parser.add_argument("--width", type=int, default=4)
        args = parser.parse_args()
        if args.kind in ("tree", "forest"):
            model = TREES[args.kind]
        else:
            model = Net if args.kind == "net" else None
            assert model is not None

        def run_tree():
            return model(depth=3), nn.Linear(args.width, 2)(torch.zeros(1, 8))

        if __name__ == "__main__":
            if args.kind in ("tree", "forest"):
                run_tree()
        """,
    "an assert about an option of the command line": """
        import argparse

        parser = argparse.ArgumentParser()
        parser.add_argument("--specs", default="norm")
        count = 0
        for one in parser.parse_args().specs.split():
            if one.startswith("clusters"):
                count = int(one[8:])
        assert count > 0
        """,
    "an assert about options in a function": """
        import argparse

        def main():
            parser = argparse.ArgumentParser()
            parser.add_argument("--width", type=int, default=10)
            parser.add_argument("--heads", type=int, default=4)
            args = parser.parse_args()
            assert args.width % args.heads == 0
        """,
    "the modules of *parts": """
        class Boxes(nn.Module):
            def __init__(self, *parts: nn.Module):
                super().__init__()
                self.parts, self.count = nn.ModuleList(parts), len(parts)

            def volume(self):
                return torch.stack([p.volume() for p in self.parts])

            def forward(self, x):
                return torch.stack([self.parts[i](x) for i in range(self.count)])
        """,
    "*args that are passed to the base": """
        class Base(nn.Module):
            def __init__(self, sizes=(), width: int = 0):
                super().__init__()
                self.sizes = tuple(sizes)
                self.fc = nn.Linear(width, 4)

        class Sub(Base):
            def __init__(self, *args):
                super().__init__(*args)

            def forward(self, x):
                return torch.cat([self.fc(x[:size]) for size in self.sizes])
        """,
    "an argument that **kwargs contains": """
        class Actor(nn.Module):
            def __init__(self, width: int, keys=None):
                super().__init__()
                self.fc = nn.Linear(width, 2)

        def make_actor(**kwargs):
            keys = kwargs.pop("keys", None)
            return Actor(keys=keys, **kwargs)

        def make_named(name="a", **options):
            return make_other(name, options)

        def make_other(name, options):
            return Actor(**options)
        """,
    "sizes that **options contains": """
        def pooled(**options):
            return torch.cat([torch.zeros(3, size) for size in options.get("sizes", ())])

        def every(**tensors):
            return torch.stack(list(tensors.values()))
        """,
    "an empty tuple that the constructor refuses": """
        class Head(nn.Module):
            def __init__(self, ch: tuple[int, ...] = ()):
                super().__init__()
                self.nl, first = len(ch), ch[0]
                self.cv = nn.ModuleList(nn.Conv2d(c, first, 1) for c in ch)

            def heads(self, x):
                return torch.cat([self.cv[i](x[i]) for i in range(self.nl)], 2)

        class Oriented(Head):
            def heads(self, x):
                return torch.cat([self.cv[i](x[i]).flatten(2) for i in range(self.nl)], 2)
        """,
    "an empty tensor for one that is missing": """
        class Attention(nn.Module):
            def __init__(self, dim: int):
                super().__init__()
                self.positions = nn.Linear(dim, dim)

            def forward(self, x: Tensor, positions: Tensor = torch.empty([0]), cache: Tensor = torch.zeros((0, 0, 0))):
                return x + self.positions(positions)
        """,
    "placeholders for sizes": """
        class Last(nn.Module):
            def __init__(self, width: int, out: int = -1, skip: int = 0):
                super().__init__()
                self.fc, self.skip = nn.Linear(width, out), nn.Linear(skip, width)
                self.table = torch.zeros(skip, 3)

            def forward(self, x):
                return self.fc(self.skip(x)), self.table[0]

        def collate(rows=[], pad=0):
            return torch.stack(rows), torch.zeros(pad)[0]
        """,
    "None in place of the sizes of the parts": """
        class Embeddings(nn.Module):
            def __init__(self, wide=8, sizes: list[int] | None = None, names=None):
                super().__init__()
                self.count = len(sizes) if sizes is not None else 0
                self.sizes = sizes
                self.first = nn.Linear(wide, 4)

            def forward(self, x):
                parts = []
                if self.sizes is not None:
                    parts += [x[:, :size] for size in self.sizes]
                return torch.cat(parts, 1), torch.zeros(1, self.count).reshape(1, self.count, -1)

        def joined(parts=None):
            return torch.cat([one for one in parts or []])
        """,
    "an option that an assert of the constructor refuses": """
        class Decoder(nn.Module):
            def __init__(self, dim: int, refine=False):
                super().__init__()
                assert refine, "only refine"
                self.fc = nn.Linear(dim, dim) if refine else nn.Linear(dim, 1)
                self.out = nn.Linear(dim if refine else 2, dim)

            def forward(self, x):
                return self.out(self.fc(x))
        """,
    "a default that a function called by the constructor refuses": """
        def require(heads):
            if heads == 1:
                raise ValueError("heads")

        class Attention(nn.Module):
            def __init__(self, heads=1):
                super().__init__()
                require(heads)
                self.fc, self.out = nn.Linear(4, 8 // heads), nn.Linear(4, 2)

            def forward(self, x):
                return self.out(self.fc(x))

        class Cross(Attention):
            def __init__(self, heads=1):
                super().__init__(heads)
                self.query = nn.Linear(4, 8 // heads)

            def forward(self, x):
                return self.out(self.query(x))
        """,
    "a dimension counted from the end": """
        class Insert(nn.Module):
            def forward(self, x, dim=-1):
                if dim < 0:
                    dim += x.dim() + 1
                assert dim != 1
                return x.unsqueeze(dim)
        """,
    "lists that a dataclass starts with": """
        from dataclasses import dataclass, field

        @dataclass
        class Batch:
            images: list[Tensor] = field(default_factory=list)
            keys: tuple = ()

            def stacked(self):
                return torch.stack(self.images)

            def __call__(self, rows):
                return torch.cat([row[key] for row in rows for key in self.keys])
        """,
    "options of the command line": """
        import argparse

        def main(argv=None):
            parser = argparse.ArgumentParser()
            parser.add_argument("--layers", type=int, default=0)
            parser.add_argument("--sizes", nargs="*", default=[])
            args = parser.parse_args(argv)
            torch.stack([torch.zeros(3) for _ in range(args.layers)])
            return torch.cat([torch.zeros(size) for size in args.sizes])

        main()
        """,
    "the tests of a mixin": """
        class ModelTesterMixin:
            model_class, shape = None, ()

            def test_forward(self):
                return self.model_class()(torch.stack([torch.zeros(size) for size in self.shape]))
        """,
    "a base of test cases, and tests that are skipped": """
        import unittest

        class Common(unittest.TestCase):
            sizes = []

            def run_all(self):
                return torch.stack([torch.zeros(size) for size in self.sizes])

        class TestShared:
            __test__ = False
            sizes = []

            def test_all(self):
                return torch.stack([torch.zeros(size) for size in self.sizes])

        class Skipped(unittest.TestCase):
            def setUp(self):
                raise unittest.SkipTest

            def test_all(self):
                return torch.zeros(2) + torch.zeros(3)
        """,
    "functions of a class that serves as a namespace": """
        class Strategy:
            def median(x, fill): return x.median()

            def constant(x, fill): return fill
        """,
    "methods that subclasses override": """
        from abc import abstractmethod

        class Base(nn.Module):
            def __init__(self, width: int):
                super().__init__()
                self.build(width)

            def build(self, width):
                raise NotImplementedError(width)

            scaled = lambda self, x: self.build(x)

            def parts(self, x):
                return []

            @abstractmethod
            def embed(self, x):
                pass

            def forward(self, x):
                return torch.stack(self.parts(self.embed(x)))
        """,
}

FOUND = {
    "the class of a layer instead of a layer": (
        """
        class Net(nn.Module):
            def __init__(self, act: nn.Module = nn.ReLU):
                super().__init__()
                self.act = act
                self.dropout = nn.Dropout()

            def forward(self, x: Tensor):
                return self.dropout(self.act(x))  # HERE
        """,
        Severity.WARNING,
        "with the default act: nn.Module=nn.ReLU",
    ),
    "shapes after a layer that is a default": (
        """
        class Net(nn.Module):
            def __init__(self, act=nn.ReLU):
                super().__init__()
                self.layers = nn.Sequential(nn.Linear(3, 4), act(), nn.Linear(5, 3))

            def forward(self, x):
                return self.layers(x)  # HERE
        """,
        Severity.ERROR,
        "",
    ),
    "a layer that no size matches": (
        """
        class Net(nn.Module):
            def __init__(self, hidden=256, depth=2, norm=nn.LayerNorm):
                super().__init__()
                self.up, self.norm = nn.Linear(64, hidden), norm(hidden)
                self.blocks = nn.ModuleList([nn.Linear(hidden, hidden) for _ in range(depth)])
                self.out = nn.Linear(hidden + 1, 10)

            def forward(self, x):
                x = self.norm(self.up(x))
                for block in self.blocks:
                    x = block(x)
                return self.out(x)  # HERE
        """,
        Severity.ERROR,
        "",
    ),
    "sizes that do not depend on *args and **kwargs": (
        """
        class Base(nn.Module):
            def __init__(self, width=4, **options):
                super().__init__()
                self.a, self.b = nn.Linear(3, width), nn.Linear(2 * width, 3)

        class Net(Base):
            def __init__(self, *args, **kwargs):
                super().__init__(*args, **kwargs)
                self.c = nn.Linear(5, 6)

            def forward(self, x):
                return self.c(torch.zeros(3, 6))  # HERE
        """,
        Severity.ERROR,
        "",
    ),
    "two defaults": (
        """
        def added(n=100, t=431):
            return torch.zeros(n, 3) + torch.zeros(t, 3)  # HERE
        """,
        Severity.WARNING,
        "with the default n=100",
    ),
    "an option": (
        """
        class Net(nn.Module):
            def __init__(self, dim: int, mode="sum"):
                super().__init__()
                self.fc = nn.Linear(dim, dim if mode == "sum" else 2 * dim)
                self.out = nn.Linear(2 * dim, dim)

            def forward(self, x):
                return self.out(self.fc(x))  # HERE
        """,
        Severity.WARNING,
        "with the default mode='sum'",
    ),
    "a default that a call selects": (
        """
        class Net(nn.Module):
            def __init__(self, hidden: int = 256):
                super().__init__()
                self.up, self.out = nn.Linear(64, hidden), nn.Linear(128, 10)

            def forward(self, x):
                return self.out(self.up(x))  # HERE

        def fit(trainer):
            trainer.fit(Net())
        """,
        Severity.ERROR,
        "",
    ),
    "a default that a later call selects": (
        """
        def added(n=100, t=431):
            return torch.zeros(n, 3) + torch.zeros(t, 3)  # HERE

        def main():
            return added()
        """,
        Severity.ERROR,
        "",
    ),
    "a branch that every value takes": (
        """
        def pick(n=3, mode="a"):
            if mode == "a":
                return torch.zeros(n, 2) @ torch.zeros(3, 5)  # HERE
            return torch.zeros(n)
        """,
        Severity.ERROR,
        "",
    ),
    "a model without arguments for **kwargs": (
        """
        class Net(nn.Module):
            def __init__(self, width, hidden=8):
                super().__init__()
                self.a, self.b = nn.Linear(width, hidden), nn.Linear(4, 2)

            def forward(self, x):
                return self.b(self.a(x))  # HERE

        def small(**kwargs):
            return Net(16, **kwargs)
        """,
        Severity.WARNING,
        "without arguments for **kwargs",
    ),
    "an empty tuple that a call selects": (
        """
        class Heads(nn.Module):
            def __init__(self, sizes=(), width: int = 8):
                super().__init__()
                self.heads = nn.ModuleList(nn.Linear(width, size) for size in sizes)

            def forward(self, x):
                return torch.cat([head(x) for head in self.heads], 1)  # HERE

        def fit(trainer):
            trainer.fit(Heads(width=16))
        """,
        Severity.ERROR,
        "",
    ),
    "None that a call selects": (
        """
        class Heads(nn.Module):
            def __init__(self, width=8, sizes=None):
                super().__init__()
                self.heads = nn.ModuleList(nn.Linear(width, size) for size in sizes or ())

            def forward(self, x):
                return torch.cat([head(x) for head in self.heads], 1)  # HERE

        def fit(trainer):
            trainer.fit(Heads())
        """,
        Severity.ERROR,
        "",
    ),
    "a failure with None and with everything else": (
        """
        class Head(nn.Module):
            def __init__(self, width=4, parts=None):
                super().__init__()
                self.parts = parts
                self.a, self.b = nn.Linear(width, 8), nn.Linear(7, 2)

            def forward(self, x):
                if self.parts is None:
                    x = self.a(x)
                else:
                    x = self.a(x + 1)
                return self.b(x)  # HERE
        """,
        Severity.ERROR,
        "",
    ),
    "a function of a class that serves as a namespace": (
        """
        class Strategy:
            def median(x: Tensor, fill):
                return x.median() + torch.zeros(2) @ torch.zeros(3)  # HERE
        """,
        Severity.ERROR,
        "",
    ),
    "a trainer that tests its model": (
        """
        class Trainer:
            def __init__(self):
                self.head = nn.Linear(3, 4)

            def test(self):
                return self.head(torch.zeros(7, 2))  # HERE
        """,
        Severity.ERROR,
        "",
    ),
    "a test case with tests": (
        """
        import unittest

        class Common(unittest.TestCase):
            def setUp(self):
                self.head = nn.Linear(8, 4)

        class Cases(Common):
            def test_one(self):
                self.head(torch.zeros(4, 7))  # HERE
        """,
        Severity.ERROR,
        "",
    ),
    "options of the command line with a useful default": (
        """
        import argparse

        def main():
            parser = argparse.ArgumentParser()
            parser.add_argument("--width", type=int, default=16)
            args = parser.parse_args()
            return nn.Linear(args.width, 2)(torch.zeros(1, 8))  # HERE

        main()
        """,
        Severity.WARNING,
        "with the default --width=16",
    ),
    "options of the command line, in the body of the module": (
        """
        import argparse

        parser = argparse.ArgumentParser()
        group = parser.add_argument_group("model")
        group.add_argument("-k", "--kind", default="wide", choices=["wide", "deep"])
        args, _ = parser.parse_known_args()
        layer = nn.Linear(3 if args.kind == "wide" else 4, 2)
        layer(torch.zeros(1, 4))  # HERE
        """,
        Severity.WARNING,
        "with the default -k='wide'",
    ),
    "a flag of the command line": (
        """
        import argparse

        def main():
            parser = argparse.ArgumentParser()
            parser.add_argument("--wide", action="store_true")
            args = parser.parse_args()
            return nn.Linear(4 if args.wide else 3, 2)(torch.zeros(1, 4))  # HERE
        """,
        Severity.WARNING,
        "with the default --wide=False",
    ),
    "options of the command line, with every value": (
        """
        import argparse

        parser = argparse.ArgumentParser()
        parser.add_argument("--width", type=int, default=16)
        args = parser.parse_args()
        nn.Linear(args.width, 2)(torch.zeros(1, args.width + 1))  # HERE
        """,
        Severity.ERROR,
        "",
    ),
    "options of the command line, in a function that is not called, with every value": (
        """
        import argparse

        parser = argparse.ArgumentParser()
        parser.add_argument("--width", type=int, default=16)
        args = parser.parse_args()

        def run():
            nn.Linear(args.width, 2)(torch.zeros(1, args.width + 1))  # HERE
        """,
        Severity.ERROR,
        "",
    ),
    "options that are not read from the command line": (
        """
        import argparse

        parser = argparse.ArgumentParser()
        parser.add_argument("--width", type=int, default=16)
        args = parser.parse_args([])
        nn.Linear(args.width, 2)(torch.zeros(1, 8))  # HERE
        """,
        Severity.ERROR,
        "",
    ),
    "what the program sets instead of an option": (
        """
        import argparse

        parser = argparse.ArgumentParser()
        parser.add_argument("--width", type=int, default=8)
        args = parser.parse_args()
        args.width = 16
        nn.Linear(args.width, 2)(torch.zeros(1, 8))  # HERE
        """,
        Severity.ERROR,
        "",
    ),
    "a long default, of which the note has a part": (
        """
        class Net(nn.Module):
            def __init__(
                self,
                sizes: dict = {"hidden_dimension": 128, "encoder_channels": 1, "number_of_filters": 32, "layers": 1},
            ):
                super().__init__()
                self.layer = nn.Linear(sizes["hidden_dimension"], 3)

            def forward(self, x):
                return self.layer(torch.zeros(2, 4))  # HERE
        """,
        Severity.WARNING,
        "with the default sizes: dict={'hidden_dimension': 128, 'encoder_channels': 1, ...}",
    ),
    "a long text, of which the note has a part": (
        """
        def f(kind="a name that is much longer than anyone would want to read in a note"):
            return nn.Linear(3 if kind.startswith("a name") else 4, 2)(torch.zeros(1, 4))  # HERE
        """,
        Severity.WARNING,
        "with the default kind='a name that is much longer than anyone would want to rea...",
    ),
}


@pytest.mark.parametrize("name", QUIET)
def test_what_may_be_right_is_not_reported(name: str, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, QUIET[name])
    assert check([path], codes=CODES) == []


@pytest.mark.parametrize("name", FOUND)
def test_what_holds_for_all_values_is_an_error_and_a_warning_names_the_default(name: str, tmp_path: Path) -> None:
    source, severity, default = FOUND[name]
    path, text = lines_of(tmp_path, source)
    (only,) = check([path])
    assert text.splitlines()[only.line - 1].endswith("# HERE"), only
    noted = [one.message for one in only.notes if one.message.startswith("found with")]
    expected = [f"found {default}; another value may avoid it"] if default else []
    assert (only.severity, noted) == (severity, expected)


def test_code_after_a_call_that_never_returns_does_not_run(tmp_path: Path) -> None:
    path, _ = lines_of(
        tmp_path,
        """
        def fail(x):
            raise ValueError(x)

        def joined(parts: list[Tensor], mode):
            fail(mode)
            return torch.zeros(2) + torch.zeros(3)
        """,
    )
    assert check([path]) == []


OVERRIDDEN = """
class Mlp(nn.Module):
    def __init__(self, n: int, act_layer=nn.GELU) -> None:
        super().__init__()
        self.fc, self.act = nn.Linear(n, n), act_layer()

    def forward(self, x):
        return self.act(self.fc(x))


class Embedder(nn.Module):
    def __init__(self, n: int, {parameter}):
        super().__init__()
        self.proj = Mlp({call})

    def forward(self, x):
        return self.proj(x)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = Embedder(8, {given})

    def forward(self, x):
        return self.embed(x)
"""


def test_a_layer_that_is_called_as_a_class_is_wrong_whatever_callers_pass(tmp_path: Path) -> None:
    layer = OVERRIDDEN.format(parameter="act=nn.GELU(approximate='tanh')", call="n, act", given="act=nn.GELU")
    path, _ = lines_of(tmp_path, layer)
    assert [(one.code, one.severity) for one in check([path])] == [("wrong-call", Severity.WARNING)]


def test_another_default_that_every_caller_overrides_is_not_reported(tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, OVERRIDDEN.format(parameter="act=None", call="n, act", given="act=nn.GELU"))
    assert check([path]) == []


_NESTED = """
class Block(nn.Module):
    def __init__(self, outer, inner, middle=None, outermost=False, innermost=False):
        super().__init__()
        down = [nn.Conv2d(outer, inner, 4, 2, 1)]
        if outermost:
            up = [nn.ReLU(), nn.ConvTranspose2d(2 * inner, outer, 4, 2, 1)]
        elif innermost:
            up = [nn.ReLU(), nn.ConvTranspose2d(inner, outer, 4, 2, 1)]
        else:
            up = [nn.ReLU(), nn.ConvTranspose2d(2 * inner, outer, 4, 2, 1)]
        if middle is not None:
            self.model = nn.Sequential(*down, middle, *up)
        else:
            self.model = nn.Sequential(*down, *up)

    def forward(self, x):
        return self.model(x)


class UNet(nn.Module):
    def __init__(self, width: int = 8):
        super().__init__()
        block = Block(4 * width, 8 * width, {innermost})
        block = Block(2 * width, 4 * width, middle=block)
        self.model = Block(3, 2 * width, middle=block, outermost=True)
"""


@pytest.mark.parametrize(("innermost", "count"), [("innermost=True", 0), ("innermost=False", 1)])
def test_defaults_that_no_call_uses_together_are_not_combined(innermost: str, count: int, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, _NESTED.format(innermost=innermost))
    assert len(check([path])) == count


_STEM = """
import torch
from torch import nn


class Stem(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.first = nn.Conv2d(3, width // 2, 3)
        self.second = nn.Conv2d(2 * (width // 2), width, 3)

    def forward(self, x):
        return self.second(self.first(x))


class Model(nn.Module):
    def __init__(self, vision_width: int):
        super().__init__()
        self.stem = Stem(width=vision_width)
"""


def test_a_size_that_every_caller_overrides_is_one_unknown_size(tmp_path: Path) -> None:
    path = tmp_path / "stem.py"
    path.write_text(_STEM)
    assert [(one.code, one.severity) for one in check([path])] == [("shape-mismatch", Severity.ERROR)]
