"""A changed `forward` reaches its callers in incremental, parallel and daemon runs, as in a fresh one.

The project has a base class, a class that inherits its forward, containers of that class, and callers that import
only the last. It is clean, and each edit of one file makes errors in others; after it the file is put back. The
daemon always looks again at what had messages, so only a clean start shows that a change is followed.

Most runs see a torch of a few lines, which mypy reads in no time; some see torch itself.
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
STUBS = {
    "torch/__init__.pyi": "from torch import nn as nn\nclass Tensor: ...\n",
    "torch/nn/__init__.pyi": """\
from torch.nn.modules.container import ModuleDict as ModuleDict, ModuleList as ModuleList, Sequential as Sequential
from torch.nn.modules.module import Module as Module
from torch import Tensor
class ReLU(Module):
    def forward(self, input: Tensor) -> Tensor: ...
""",
    "torch/nn/modules/__init__.pyi": "",
    "torch/nn/modules/module.pyi": """\
from collections.abc import Callable
from typing import Any
from torch import Tensor
class Module:
    forward: Callable[..., Any]
    __call__: Callable[..., Any]
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: str) -> Tensor | Module: ...
""",
    "torch/nn/modules/container.pyi": """\
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from torch.nn.modules.module import Module
class Sequential(Module):
    def __init__(self, *args: Module) -> None: ...
    def __getitem__(self, idx: int) -> Module: ...
    def __iter__(self) -> Iterator[Module]: ...
    def forward(self, input: Any) -> Any: ...
class ModuleList(Module):
    def __init__(self, modules: Iterable[Module] | None = None) -> None: ...
    def __getitem__(self, idx: int) -> Module: ...
    def __iter__(self) -> Iterator[Module]: ...
class ModuleDict(Module):
    def __init__(self, modules: Mapping[str, Module] | None = None) -> None: ...
    def __getitem__(self, key: str) -> Module: ...
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


def files_with_errors(found: list[str]) -> set[str]:
    return {line.partition(".")[0] for line in found} & CALLERS


@pytest.fixture(scope="module")
def stubs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stubs")
    for name, text in STUBS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def small_torch(stubs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MYPYPATH", str(stubs))


@pytest.fixture(scope="module")
def stub_cache(stubs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that knows the small torch, and what Python brings."""
    folder = tmp_path_factory.mktemp("seed")
    (folder / "seed.py").write_text("import torch\nfrom torch import nn\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MYPYPATH", str(stubs))
        mypy(folder, "--cache-fine-grained", "seed.py", cache=folder / "cache")
    return folder / "cache"


@pytest.fixture
def small_cache(stub_cache: Path, tmp_path: Path) -> Path:
    """A copy of that cache to write to."""
    return Path(shutil.copytree(stub_cache, tmp_path / "cache"))


@pytest.fixture(scope="module")
def fresh(stubs: Path, stub_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """What runs that know only torch say, for each state."""
    results = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MYPYPATH", str(stubs))
        for state in STATES:
            folder = tmp_path_factory.mktemp("fresh")
            write(folder, state)
            cache = Path(shutil.copytree(stub_cache, folder / "cache"))
            results.append(errors(mypy(folder, "--cache-fine-grained", *FILES, cache=cache)))
    return results


def test_each_edit_makes_errors_in_the_callers(fresh: list[list[str]]) -> None:
    assert fresh[0] == []
    for (*_, wanted), found in zip(EDITS, fresh[1:], strict=True):
        assert files_with_errors(found) == wanted, found


@pytest.mark.usefixtures("small_torch")
@pytest.mark.parametrize(
    ("workers", "states"), [((), STATES), (("-n", "2"), (0, 1, 4, 6))], ids=["incremental", "parallel"]
)
def test_incremental(
    workers: tuple[str, ...], states: list[int], fresh: list[list[str]], small_cache: Path, tmp_path: Path
) -> None:
    for state in states:
        write(tmp_path / "project", state)
        output = mypy(tmp_path / "project", "--cache-fine-grained", *workers, *FILES, cache=small_cache)
        assert errors(output) == fresh[state], state


def test_incremental_with_torch_itself(cache: Path, tmp_path: Path) -> None:
    for state in (0, 1, 4, 6):
        write(tmp_path / "project", state)
        found = errors(mypy(tmp_path / "project", "--cache-fine-grained", *FILES, cache=cache))
        assert files_with_errors(found) == (EDITS[state - 1][3] if state else set()), (state, found)


@pytest.fixture
def daemon(tmp_path: Path, small_torch: None) -> Iterator[Path]:
    """A project folder for a daemon."""
    write(tmp_path / "project", 0)
    yield tmp_path / "project"
    mypy(tmp_path / "project", "stop", cache=tmp_path, module="mypy.dmypy")


def test_daemon(daemon: Path, fresh: list[list[str]], small_cache: Path) -> None:
    """It starts from a cache."""
    cache = small_cache
    flags = ("--use-fine-grained-cache", "--cache-dir", cache, "--no-error-summary")
    for state in CLEAN_BETWEEN:
        write(daemon, state)
        output = mypy(daemon, "run", "--", *flags, *FILES, cache=cache, module="mypy.dmypy")
        assert errors(output) == fresh[state], state
