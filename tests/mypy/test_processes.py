"""A changed `forward` reaches its callers in incremental, parallel and daemon runs, as in a fresh one.

The project has a base class, a class that inherits its forward, containers of that class, and callers that import
only the last. It is clean, and each edit of one file makes errors in others; after it the file is put back. The
daemon always looks again at what had messages, so only a clean start shows that a change is followed.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import mypy

PROJECT = {
    "base": """\
from torch import Tensor, nn
class Base(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x
""",
    "middle": """\
from torch import Tensor, nn
from base import Base
class Block(Base):
    def __init__(self) -> None: pass
class Own(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x
class Other(nn.Module):
    def forward(self, x: Tensor) -> str:
        return ""
""",
    "net": """\
from torch import nn
from middle import Block, Other, Own
class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.own = Own()
        self.sequence = nn.Sequential(nn.ReLU(), Block())
        self.blocks = nn.ModuleList([Block()])
        self.table = nn.ModuleDict(dict(a=Block()))
""",
    "direct": """\
from torch import Tensor
from middle import Block
def call(block: Block, x: Tensor) -> Tensor:
    return block(x)
""",
    "last": """\
from torch import Tensor
from net import Net
def last(net: Net, x: Tensor) -> Tensor:
    return net.sequence(x)
""",
    "top": """\
from torch import Tensor
from net import Net
result: Tensor = Net().sequence(Tensor())
""",
    "use": """\
from torch import Tensor
from net import Net
class User:
    def attribute(self, net: Net, x: Tensor) -> Tensor:
        return net.own(x)
    def index(self, net: Net, x: Tensor) -> Tensor:
        return net.blocks[0](x)
    def key(self, net: Net, x: Tensor) -> Tensor:
        return net.table.a(x)
    def loop(self, net: Net, x: Tensor) -> None:
        for block in net.blocks:
            x = block(x)
""",
}
FILES = [f"{name}.py" for name in PROJECT]
CALLERS = {"direct", "last", "top", "use"}
# The file, a text in it, what replaces it, and the files that must have errors then.
EDITS = [
    ("base", "-> Tensor:\n        return x", "-> int:\n        return 1", CALLERS),
    ("base", "x: Tensor)", "x: Tensor, y: int)", {"direct", "top", "use"}),
    ("middle", "x: Tensor) -> Tensor:", "x: str) -> Tensor:", {"use"}),
    ("middle", "__init__(self) -> None: pass", "forward(self, x: Tensor) -> bytes: return b''", CALLERS),
    ("middle", "__init__(self) -> None: pass", "__call__(self, x: str) -> Tensor: return Tensor()", {"direct", "use"}),
    ("net", "nn.ModuleList([Block()])", "nn.ModuleList([Other()])", {"use"}),
    ("net", "nn.ReLU(), Block()", "nn.ReLU(), Other()", {"last", "top"}),
]  # fmt: skip
STATES = range(len(EDITS) + 1)
"""The clean project, then each edit of it."""
CLEAN_BETWEEN = [state for edit in STATES[1:] for state in (0, edit)]


def write(folder: Path, state: int) -> None:
    folder.mkdir(exist_ok=True)
    text = dict(PROJECT)
    if state:
        name, old, new, _ = EDITS[state - 1]
        assert old in text[name]
        text[name] = text[name].replace(old, new, 1)
    for name, content in text.items():
        path = folder / f"{name}.py"
        if not path.exists():
            path.write_text(content)
        elif path.read_text() != content:
            written = path.stat().st_mtime + 2
            path.write_text(content)
            # mypy compares size and whole seconds before it compares text.
            os.utime(path, (written, written))


def errors(output: str) -> list[str]:
    return sorted(line for line in output.splitlines() if re.match(r"\w+\.py:\d+: error", line))


@pytest.fixture(scope="module")
def fresh(torch_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """What runs that know only torch say, for each state."""
    results = []
    for state in STATES:
        folder = tmp_path_factory.mktemp("fresh")
        write(folder, state)
        cache = Path(shutil.copytree(torch_cache, folder / "cache"))
        results.append(errors(mypy(folder, "--cache-fine-grained", *FILES, cache=cache)))
    return results


def test_each_edit_makes_errors_in_the_callers(fresh: list[list[str]]) -> None:
    assert fresh[0] == []
    for (*_, wanted), found in zip(EDITS, fresh[1:], strict=True):
        assert {line.partition(".")[0] for line in found} & CALLERS == wanted, found


@pytest.mark.parametrize(
    ("workers", "states"), [((), STATES), (("-n", "2"), (0, 1, 4, 6))], ids=["incremental", "parallel"]
)
def test_incremental(
    workers: tuple[str, ...], states: list[int], fresh: list[list[str]], cache: Path, tmp_path: Path
) -> None:
    for state in states:
        write(tmp_path / "project", state)
        output = mypy(tmp_path / "project", "--cache-fine-grained", *workers, *FILES, cache=cache)
        assert errors(output) == fresh[state], state


@pytest.fixture
def daemon(cache: Path, tmp_path: Path) -> Iterator[Path]:
    """A project folder for a daemon that starts from the cache of torch."""
    write(tmp_path / "project", 0)
    yield tmp_path / "project"
    mypy(tmp_path / "project", "stop", cache=cache, module="mypy.dmypy")


def test_daemon(daemon: Path, fresh: list[list[str]], cache: Path) -> None:
    flags = ("--use-fine-grained-cache", "--cache-dir", cache, "--no-error-summary")
    for state in CLEAN_BETWEEN:
        write(daemon, state)
        output = mypy(daemon, "run", "--", *flags, *FILES, cache=cache, module="mypy.dmypy")
        assert errors(output) == fresh[state], state
