"""After an edit, `check` says what a run from scratch says, and runs only what may observe the edit."""

from __future__ import annotations

import os
import random
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from shapecheck.cli import main
from shapecheck.diagnostics import DEFAULT_CHECKS
from shapecheck.project.outcomes import FileOutcome
from shapecheck.static.entry.checker import Checker
from shapecheck.static.entry.server import FindingsServer
from tests.random_edits import edited

EDITS = int(os.environ.get("SHAPECHECK_EDITS", "60"))
SEED = int(os.environ.get("SHAPECHECK_SEED", "3"))
"""Both may be set by hand, for a longer search."""

TEXTS: Mapping[str, str] = {
    "pkg/__init__.py": "from .net import Net, Deep\nfrom .layers import *\n",
    "pkg/sizes.py": "WIDTH = 8\nDEPTH = 2\n_HIDDEN = WIDTH * 2\n\n\ndef doubled(size):\n    return size * 2\n",
    "pkg/layers.py": """\
import torch
from torch import nn

import pkg.sizes as sizes
from .sizes import WIDTH, doubled

REGISTRY = {}


def register(cls):
    REGISTRY[cls.__name__] = cls
    return cls


def padded(x, by=1):
    # (n, d)
    return torch.cat([x, torch.zeros(x.shape[0], by)], dim=1)


class Block(nn.Module):
    scale = 1

    def __init__(self, width=WIDTH):
        super().__init__()
        self.width = width
        self.inner = nn.Linear(width, doubled(width))
        self.extra = None

    def forward(self, x):
        return self.inner(x)

    def deploy(self):
        self.extra = nn.Linear(self.width, sizes.DEPTH)
        return self


@register
class Wide(Block):
    def forward(self, x):
        return padded(super().forward(x), 1)
""",
    "pkg/net.py": """\
import torch
from torch import nn

from .layers import REGISTRY, Block, Wide
from .sizes import WIDTH


class Net(nn.Module):
    def __init__(self, block=Block):
        super().__init__()
        self.first = block()
        self.last = nn.Linear(2 * WIDTH, 3)

    def forward(self, x):
        return self.last(self.first(x))


class Deep(Net):
    def __init__(self):
        super().__init__()
        self.again = nn.Linear(3, WIDTH)

    def forward(self, x):
        return super().forward(self.again(super().forward(x)))


def build(name):
    return REGISTRY[name]()
""",
    "use.py": """\
import torch
from pkg import Net, padded

out = Net()(torch.zeros(2, 8))
out + padded(torch.zeros(2, 2))
""",
    "by_attribute.py": """\
import torch
import pkg.sizes
import pkg.layers as layers


def run():
    x = torch.zeros(4, pkg.sizes.WIDTH)
    return layers.Block()(x) @ torch.zeros(pkg.sizes.doubled(8), 3)


run()
""",
    "subclass.py": """\
import torch
from pkg.layers import Block


class Mine(Block):
    def __init__(self):
        super().__init__(4)

    def forward(self, x):
        y = super().forward(x)
        return y + torch.zeros(8)


Mine().deploy()
""",
    "test_net.py": """\
import torch
from pkg.net import Deep, build


def test_deep():
    assert Deep()(torch.zeros(5, 8)).shape == (5, 3)
    build("Wide")
""",
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in TEXTS.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    return tmp_path


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were run."""
    names: list[str] = []
    real = Checker.outcome

    def outcome(self: Checker, path: Path, asked: set[str]) -> FileOutcome:
        names.append(path.relative_to(Path.cwd()).as_posix())
        return real(self, path, asked)

    monkeypatch.setattr(Checker, "outcome", outcome)
    return names


def check(*arguments: str) -> tuple[str, int]:
    result = CliRunner().invoke(main, ["check", "--jobs", "1", "--format", "json", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.stdout, result.exit_code


def edit(choice: random.Random) -> tuple[str, str] | None:
    """Edits one file; each fourth time another one is restored before."""
    if not choice.randrange(4):
        name = choice.choice(list(TEXTS))
        Path(name).write_text(TEXTS[name])
    name = choice.choice(list(TEXTS))
    found = edited(choice, Path(name).read_text())
    if found is not None:
        Path(name).write_text(found[1])
    return None if found is None else (name, found[0])


def test_the_program_has_no_findings() -> None:
    assert check("--no-cache")[1] == 0


def test_after_random_edits_it_says_what_a_fresh_run_says(ran: list[str]) -> None:
    choice, said, run = random.Random(SEED), set(), 0
    for number in range(EDITS):
        what = edit(choice)
        ran.clear()
        cached = check()
        run += len(ran)
        fresh = check("--no-cache")
        assert cached == fresh, (number, what)
        said.add(fresh)
    assert len(said) > EDITS / 3
    assert run < EDITS * len(TEXTS) * 0.8


def test_a_server_takes_over_what_still_holds() -> None:
    choice, codes = random.Random(SEED), frozenset(DEFAULT_CHECKS)
    server = FindingsServer([str(Path.cwd())])
    for number in range(EDITS):
        server = FindingsServer([str(Path.cwd())], server)
        fresh = FindingsServer([str(Path.cwd())])
        for name in TEXTS:
            path = str(Path(name).absolute())
            assert server.findings(path, codes) == fresh.findings(path, codes), (number, name)
        edit(choice)


def test_a_server_runs_only_what_observes_an_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    real = Checker.findings_of

    def findings_of(self: Checker, path: Path) -> object:
        ran.append(path.name)
        return real(self, path)

    monkeypatch.setattr(Checker, "findings_of", findings_of)
    paths = [str(Path(name).absolute()) for name in TEXTS]
    server = FindingsServer([str(Path.cwd())])
    for path in paths:
        server.findings(path, frozenset(DEFAULT_CHECKS))
    assert len(ran) == len(TEXTS)
    Path("pkg/layers.py").write_text(TEXTS["pkg/layers.py"].replace("sizes.DEPTH", "sizes.DEPTH + 1"))
    ran.clear()
    server = FindingsServer([str(Path.cwd())], server)
    for path in paths:
        server.findings(path, frozenset(DEFAULT_CHECKS))
    assert "use.py" not in ran
    assert {"layers.py", "subclass.py"} <= set(ran)
