"""The notes of a finding: small programs, the line of the finding, and the origins of its sizes in the notes."""

from __future__ import annotations

import ast
import json
import random
import textwrap
from io import StringIO
from pathlib import Path

import pytest

from shapecheck.diagnostics import Diagnostic
from shapecheck.diagnostics.render import FORMATS, renderer
from shapecheck.static import check
from shapecheck.static.provenance.conflicts import shows_number
from tests.amount import amount
from tests.static.test_fuzz import MUTATIONS, mutated

HEAD = """\
import torch
import torch.nn.functional as F
from dataclasses import dataclass
from jaxtyping import Float
from torch import Tensor, nn
"""

NOTES = {
    "a default of the constructor": (
        """
        class Net(nn.Module):
            def __init__(self, hidden=256):
                super().__init__()
                self.fc1 = nn.Linear(64, hidden)
                self.fc2 = nn.Linear(128, 10)

            def forward(self, x):
                x = self.fc1(x)
                return self.fc2(x)
        """,
        9,
        [
            "5:20 layer expects 128: nn.Linear(128, 10)",
            "8:13 x has shape (..., 256) from here: self.fc1(x)",
            "2:24 256 comes from hidden=256",
            "2:24 found with the default hidden=256; another value may avoid it",
        ],
    ),
    "a keyword argument": (
        """
        class Net(nn.Module):
            def __init__(self, hidden=128):
                super().__init__()
                self.fc = nn.Linear(hidden, 10)

            def forward(self, x):
                return self.fc(x)

        Net(hidden=32)(torch.zeros(2, 16))
        """,
        7,
        [
            "4:19 layer expects 32: nn.Linear(hidden, 10)",
            "9:5 32 comes from hidden=32",
            "9:1 when called here: Net(hidden=32)(torch.zeros(2, 16))",
        ],
    ),
    "a positional argument": (
        """
        class Net(nn.Module):
            def __init__(self, hidden):
                super().__init__()
                self.fc = nn.Linear(hidden, 10)

            def forward(self, x):
                return self.fc(x)

        net = Net(32)
        net(torch.zeros(2, 16))
        """,
        7,
        [
            "4:19 layer expects 32: nn.Linear(hidden, 10)",
            "9:11 32 comes from Net(32)",
            "10:1 when called here: net(torch.zeros(2, 16))",
            "9:7 when built here: Net(32)",
        ],
    ),
    "a constant of the module": (
        """
        WIDTH = 48
        layer = nn.Linear(WIDTH, 2)
        x = torch.zeros(4, 47)
        layer(x)
        """,
        4,
        [
            "2:9 layer expects 48: nn.Linear(WIDTH, 2)",
            "3:5 x has shape (4, 47) from here: torch.zeros(4, 47)",
            "1:1 48 comes from WIDTH = 48",
        ],
    ),
    "a field of a dataclass, by default": (
        """
        @dataclass
        class Config:
            dim: int = 48

        class Net(nn.Module):
            def __init__(self, config):
                super().__init__()
                self.fc = nn.Linear(config.dim, 2)

            def forward(self, x):
                return self.fc(x)

        config = Config()
        net = Net(config)
        net(torch.zeros(4, 47))
        """,
        11,
        [
            "8:19 layer expects 48: nn.Linear(config.dim, 2)",
            "3:5 48 comes from dim: int = 48",
            "15:1 when called here: net(torch.zeros(4, 47))",
            "14:7 when built here: Net(config)",
        ],
    ),
    "a field of a dataclass, as given": (
        """
        @dataclass
        class Config:
            heads: int = 4
            dim: int = 48

        config = Config(2, dim=24)
        layer = nn.Linear(config.dim, 2)
        layer(torch.zeros(4, 47))
        """,
        8,
        [
            "7:9 layer expects 24: nn.Linear(config.dim, 2)",
            "6:20 24 comes from dim=24",
        ],
    ),
    "arithmetic over an attribute": (
        """
        class Net(nn.Module):
            def __init__(self, dim=32):
                super().__init__()
                self.dim = dim
                self.fc = nn.Linear(self.dim * 2, 10)

            def forward(self):
                return self.fc(torch.zeros(3, 32))
        """,
        8,
        [
            "5:19 layer expects 64: nn.Linear(self.dim * 2, 10)",
            "5:29 64 comes from self.dim * 2, where self.dim is 32",
            "2:24 32 comes from dim=32",
            "2:24 found with the default dim=32; another value may avoid it",
        ],
    ),
    "an attribute of the class": (
        """
        class Net(nn.Module):
            dim = 32

            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(self.dim, 10)

            def forward(self):
                return self.fc(torch.zeros(3, 5))
        """,
        9,
        [
            "6:19 layer expects 32: nn.Linear(self.dim, 10)",
            "2:5 32 comes from dim = 32",
        ],
    ),
    "a property": (
        """
        class Net(nn.Module):
            def __init__(self, dim=32):
                super().__init__()
                self.dim = dim
                self.fc = nn.Linear(self.wide, 10)

            @property
            def wide(self):
                return self.dim * 4

            def forward(self):
                return self.fc(torch.zeros(3, 5))
        """,
        12,
        [
            "5:19 layer expects 128: nn.Linear(self.wide, 10)",
            "9:9 128 comes from self.dim * 4, where self.dim is 32",
            "2:24 32 comes from dim=32",
        ],
    ),
    "a layer of a Sequential": (
        """
        width = 24
        body = nn.Sequential(
            nn.Linear(8, width),
            nn.ReLU(),
            nn.Linear(12, 4),
        )
        body(torch.zeros(2, 8))
        """,
        7,
        [
            "5:5 layer expects 12: nn.Linear(12, 4)",
            "1:1 24 comes from width = 24",
        ],
    ),
    "a loop over a ModuleList": (
        """
        class Net(nn.Module):
            def __init__(self, sizes=(4, 8, 16)):
                super().__init__()
                self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))

            def forward(self, x):
                for layer in reversed(self.layers):
                    x = layer(x)
                return x
        """,
        8,
        [
            "4:37 layer expects 4: nn.Linear(a, b)",
            "4:60 b is 16 here: (a, b) in zip(sizes, sizes[1:])",
            "2:24 found with the default sizes=(4, 8, 16); another value may avoid it",
        ],
    ),
    "a helper function": (
        """
        def block(width):
            return nn.Linear(width, width)

        layer = block(6)
        layer(torch.zeros(2, 5))
        """,
        5,
        [
            "2:12 layer expects 6: nn.Linear(width, width)",
            "4:15 6 comes from block(6)",
        ],
    ),
    "a tensor that comes out of a helper function": (
        """
        def features(batch, width=7):
            return torch.zeros(batch, width).relu()

        x = features(2)
        nn.Linear(6, 1)(x)
        """,
        5,
        [
            "4:5 x has shape (2, 7) from here: features(2)",
            "1:21 7 comes from width=7",
        ],
    ),
    "an element of a list": (
        """
        widths = [3, 6, 9]
        layer = nn.Linear(widths[1], 1)
        layer(torch.zeros(2, 5))
        """,
        3,
        [
            "2:9 layer expects 6: nn.Linear(widths[1], 1)",
            "1:1 6 comes from widths = [3, 6, 9]",
        ],
    ),
    "an element of a dict": (
        """
        config = {"dim": 6, "heads": 2}
        layer = nn.Linear(config["dim"], 1)
        layer(torch.zeros(2, 5))
        """,
        3,
        [
            "2:9 layer expects 6: nn.Linear(config['dim'], 1)",
            "1:1 6 comes from config = {'dim': 6, 'heads': 2}",
        ],
    ),
    "the channels of a convolution": (
        """
        class Net(nn.Module):
            def __init__(self, channels=3, width=16):
                super().__init__()
                self.stem = nn.Conv2d(channels, width, 3)
                self.next = nn.Conv2d(width * 2, 4, 3)

            def forward(self, image):
                y = self.stem(image).relu()
                return self.next(y)
        """,
        9,
        [
            "5:21 layer expects 32: nn.Conv2d(width * 2, 4, 3)",
            "8:13 y has shape (n, 16, h-2, w-2) from here: self.stem(image).relu()",
            "2:36 16 comes from width=16",
            "5:31 32 comes from width * 2, where width is 16",
        ],
    ),
    "a normalized shape": (
        """
        class Net(nn.Module):
            def __init__(self, dim=32):
                super().__init__()
                self.norm = nn.LayerNorm(dim)

            def forward(self):
                x = torch.zeros(2, 9, 33)
                return self.norm(x)
        """,
        8,
        [
            "4:21 layer expects 32: nn.LayerNorm(dim)",
            "7:13 x has shape (2, 9, 33) from here: torch.zeros(2, 9, 33)",
            "2:24 32 comes from dim=32",
            "2:24 found with the default dim=32; another value may avoid it",
        ],
    ),
    "tensors that are joined": (
        """
        width = 4
        a = torch.zeros(2, width)
        b = torch.zeros(3, 5)
        torch.cat([a, b], dim=1)
        """,
        4,
        [
            "2:5 a has shape (2, 4) from here: torch.zeros(2, width)",
            "3:5 b has shape (3, 5) from here: torch.zeros(3, 5)",
        ],
    ),
    "the product of two parameters": (
        """
        class Net(nn.Module):
            def __init__(self, rank=4):
                super().__init__()
                self.a = nn.Parameter(torch.randn(8, rank))
                self.b = nn.Parameter(torch.randn(5, 8))

            def forward(self):
                return self.a @ self.b
        """,
        8,
        [
            "4:18 self.a has shape (8, 4) from here: nn.Parameter(torch.randn(8, rank))",
            "5:18 self.b has shape (5, 8) from here: nn.Parameter(torch.randn(5, 8))",
            "2:24 4 comes from rank=4",
            "2:24 found with the default rank=4; another value may avoid it",
        ],
    ),
    "the number of elements of a view": (
        """
        rows = 5
        x = torch.zeros(3, 4)
        x.view(rows, 2)
        """,
        3,
        [
            "2:5 x has shape (3, 4) from here: torch.zeros(3, 4)",
            "1:1 5 comes from rows = 5",
        ],
    ),
    "a size read from a tensor": (
        """
        x = torch.zeros(3, 4)
        b, t = x.shape
        layer = nn.Linear(t, 2)
        layer(torch.zeros(b, 5))
        """,
        4,
        [
            "3:9 layer expects 4: nn.Linear(t, 2)",
            f"2:4 t is 4 here: {ast.unparse(ast.parse('b, t = x.shape'))}",  # Python 3.10 writes parentheses
        ],
    ),
    "a reassigned name is not used": (
        """
        width = 8
        layer = nn.Linear(width, 2)
        width = 5
        layer(torch.zeros(1, 3))
        """,
        4,
        [
            "2:9 layer expects 8: nn.Linear(width, 2)",
        ],
    ),
    "one of two equal sizes is not guessed": (
        """
        n = 6
        m = 6
        x = torch.zeros(n, m)
        nn.Linear(5, 1)(x)
        """,
        4,
        [
            "3:5 x has shape (6, 6) from here: torch.zeros(n, m)",
        ],
    ),
    "axes of an annotation": (
        """
        def attend(q: Float[Tensor, "b d"], k: Float[Tensor, "b e"]):
            kt = k.T
            return q @ kt
        """,
        3,
        [
            "2:10 kt has shape (e, b) from here: k.T",
            "1:12 d is the last dimension of parameter q",
            "1:37 e is the last dimension of parameter k",
        ],
    ),
    "an accidental outer broadcast": (
        """
        prediction = torch.zeros(8, 1)
        target = torch.zeros(8)
        prediction - target
        """,
        3,
        [
            "1:14 prediction has shape (8, 1) from here: torch.zeros(8, 1)",
            "2:10 target has shape (8,) from here: torch.zeros(8)",
        ],
    ),
    "a loss over pairs": (
        """
        prediction = torch.zeros(8, 1)
        target = torch.zeros(8)
        F.mse_loss(prediction, target)
        """,
        3,
        [
            "1:14 prediction has shape (8, 1) from here: torch.zeros(8, 1)",
            "2:10 target has shape (8,) from here: torch.zeros(8)",
        ],
    ),
    "groups that do not divide the channels": (
        """
        class Block(nn.Module):
            def __init__(self, width, groups):
                super().__init__()
                self.conv = nn.Conv2d(width, width, 3, groups=groups)

        Block(10, groups=4)
        """,
        4,
        [
            "6:7 10 comes from Block(10, groups=4)",
            "6:11 4 comes from groups=4",
            "6:1 when built here: Block(10, groups=4)",
        ],
    ),
    "an instance inside another, each built with arguments": (
        """
        class Block(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.fc = nn.Linear(dim, dim)

            def forward(self, x):
                return self.fc(x)

        class Net(nn.Module):
            def __init__(self, wide):
                super().__init__()
                self.block = Block(16 if wide else 8)

            def forward(self, x):
                return self.block(x)

        net = Net(wide=True)
        net(torch.zeros(2, 8))
        """,
        7,
        [
            "4:19 layer expects 16: nn.Linear(dim, dim)",
            "15:16 when called here: self.block(x)",
            "18:1 when called here: net(torch.zeros(2, 8))",
            "12:22 when built here: Block(16 if wide else 8)",
            "17:7 when built here: Net(wide=True)",
        ],
    ),
    "a size that a layer computes": (
        """
        x = torch.zeros(2, 3, 8, 8)
        y = nn.Flatten()(nn.Conv2d(3, 4, 3)(x))
        nn.Linear(100, 2)(y)
        """,
        3,
        [
            "2:5 y has shape (2, 144) from here: nn.Flatten()(nn.Conv2d(3, 4, 3)(x))",
        ],
    ),
    "arguments in a starred list are not guessed": (
        """
        class Net(nn.Module):
            def __init__(self, a=3, b=6):
                super().__init__()
                self.fc = nn.Linear(b, 2)

            def forward(self, x):
                return self.fc(x)

        options = {"b": 6}
        net = Net(**options)
        net(torch.zeros(2, 5))
        """,
        7,
        [
            "4:19 layer expects 6: nn.Linear(b, 2)",
            "11:1 when called here: net(torch.zeros(2, 5))",
            "10:7 when built here: Net(**options)",
        ],
    ),
    "the constructor of a base": (
        """
        class Base(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.fc = nn.Linear(dim, 2)

        class Net(Base):
            def __init__(self, dim=12):
                super().__init__(dim)

            def forward(self):
                return self.fc(torch.zeros(2, 5))
        """,
        11,
        [
            "4:19 layer expects 12: nn.Linear(dim, 2)",
            "7:24 12 comes from dim=12",
            "7:24 found with the default dim=12; another value may avoid it",
        ],
    ),
}
"""Source, the line of its one finding, and the notes as `line:column message`; lines count from the source's first."""


@pytest.mark.parametrize("name", NOTES)
def test_the_notes_of_a_program(name: str, tmp_path: Path) -> None:
    source, line, notes = NOTES[name]
    path = tmp_path / "program.py"
    path.write_text(HEAD + textwrap.dedent(source))
    (only,) = check([path])
    above = HEAD.count("\n") + 1
    assert only.line - above == line
    assert [f"{one.line - above}:{one.column} {one.message}" for one in only.notes] == notes


@pytest.mark.parametrize(
    ("message", "number", "shown"),
    [
        ("dim out of range: expected -2 to 1, got 3", 3, True),
        ("dim out of range: expected -2 to 1, got 3", 2, False),
        ("dim out of range: expected -2 to 1, got -3", -3, True),
        ("expected a 2-D weight, got shape (3,)", 2, False),
        ("expected a 2-D weight, got shape (3,)", 3, True),
        ("expected p to be between 0 and 1, got 2.5", 2, False),
        ("expected torch.float32, got (2*c, 12)", 2, False),
        ("expected torch.float32, got (2*c, 12)", 32, False),
    ],
)
def test_numbers_in_messages(message: str, number: int, shown: bool) -> None:
    assert shows_number(message, number) is shown


def across_files(folder: Path) -> Diagnostic:
    (folder / "settings.py").write_text("WIDTH = 48\n")
    (folder / "layers.py").write_text(
        "from torch import nn\nfrom settings import WIDTH as width\n\ndef head():\n    return nn.Linear(width, 2)\n"
    )
    (folder / "main.py").write_text(
        "import torch\nfrom layers import head\n\nlayer = head()\nlayer(torch.zeros(3, 7))\n"
    )
    (only,) = check([folder])
    return only


def test_a_note_may_lead_to_another_file(tmp_path: Path) -> None:
    assert [(Path(one.path).name, one.line, one.message) for one in across_files(tmp_path).notes] == [
        ("layers.py", 5, "layer expects 48: nn.Linear(width, 2)"),
        ("settings.py", 1, "48 comes from WIDTH = 48"),
    ]


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_has_the_notes(form: str, tmp_path: Path) -> None:
    stream = StringIO()
    renderer(form)([across_files(tmp_path)], stream, {})
    assert "48 comes from WIDTH = 48" in stream.getvalue()


def test_sarif_has_the_places_of_notes(tmp_path: Path) -> None:
    stream = StringIO()
    renderer("sarif")([across_files(tmp_path)], stream, {})
    (result,) = json.loads(stream.getvalue())["runs"][0]["results"]
    places = [one["physicalLocation"] for one in result["relatedLocations"]]
    assert [Path(one["artifactLocation"]["uri"]).name for one in places] == ["layers.py", "settings.py"]


def test_the_notes_do_not_depend_on_the_order_of_files(tmp_path: Path) -> None:
    for name in ("a.py", "b.py"):
        source, _, _ = NOTES["an instance inside another, each built with arguments"]
        (tmp_path / name).write_text(HEAD + textwrap.dedent(source))
    one, other = check([tmp_path])
    alone = check([tmp_path / "b.py"])
    assert [note.message for note in one.notes] == [note.message for note in other.notes]
    assert alone == [other]


RUNS = amount("SHAPECHECK_FUZZ_EXAMPLES", short=150, long=3000)


def test_no_note_is_false(tmp_path: Path) -> None:
    """Of every `N comes from E` in mutated programs whose E consists of numbers: E is N."""
    path = tmp_path / "program.py"
    programs = [HEAD + textwrap.dedent(source) for source, _, _ in NOTES.values()]
    verdicts = []
    for seed in range(RUNS):
        rng = random.Random(seed)
        text = mutated(rng) if seed % 3 == 0 else changed(rng.choice(programs), rng, programs)
        path.write_text(text)
        for finding in check([path]):
            for note in finding.notes:
                verdict = is_true(note.message)
                assert verdict is not False, f"seed {seed}: {note}"
                verdicts.append(verdict)
    assert verdicts.count(True) > RUNS // 4


def changed(program: str, rng: random.Random, programs: list[str]) -> str:
    tree = ast.parse(program)
    other = [node for node in ast.walk(ast.parse(rng.choice(programs))) if isinstance(node, ast.expr)]
    numbers = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and type(node.value) is int]
    for one in rng.sample(numbers, min(len(numbers), 3)):
        one.value = rng.randint(2, 9)
    rng.choice(MUTATIONS)(tree, rng, other)
    return ast.unparse(ast.fix_missing_locations(tree))


def is_true(message: str) -> bool | None:
    """Whether a note is true; None if its text alone does not determine that."""
    size, said, origin = message.partition(" comes from ")
    if not said or not size.lstrip("-").isdigit():
        return None
    origin, _, where = origin.partition(", where ")
    known = dict(part.split(" is ") for part in where.split(", ")) if where else {}
    statement = ast.parse(origin).body[0]
    value = getattr(statement, "value", None)
    names = [node for node in ast.walk(value) if isinstance(node, (ast.Name, ast.Attribute))]
    if isinstance(value, (ast.Call, ast.List, ast.Tuple, ast.Dict)):
        numbers = [node.value for node in ast.walk(value) if isinstance(node, ast.Constant)]
        return True if int(size) in numbers else (False if not names else None)
    text = ast.unparse(value)
    for name, number in known.items():
        text = text.replace(name, number)
    try:  # arithmetic over numbers: every name was replaced, or is missed here
        return bool(eval(text, {"__builtins__": {}}) == int(size))
    except (NameError, AttributeError, TypeError):
        return None


@pytest.mark.parametrize(
    ("message", "verdict"),
    [
        ("256 comes from hidden=256", True),
        ("256 comes from hidden=128", False),
        ("64 comes from self.dim * 2, where self.dim is 32", True),
        ("64 comes from self.dim * 2, where self.dim is 16", False),
        ("6 comes from widths = [3, 6]", True),
        ("7 comes from widths = [3, 6]", False),
        ("7 comes from block(n)", None),
        ("x has shape (2, 3) from here: f()", None),
    ],
)
def test_the_judge_of_notes(message: str, verdict: bool | None) -> None:
    assert is_true(message) is verdict
