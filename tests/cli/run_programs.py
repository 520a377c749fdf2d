"""Programs that misbehave, and runs of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shapecheck.cli import main
from tests import forked
from tests.patience import PATIENCE

HEAD = "import os, sys\nimport torch\nfrom jaxtyping import Float\nfrom torch import Tensor, nn\nimport shapecheck\n"
NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)

    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 4"]:
        BODY
        return self.fc(x)
"""


def net(body: str = "pass") -> str:
    return HEAD + NET.replace("BODY", body)


def before(line: str) -> str:
    return HEAD + line + "\n" + NET.replace("BODY", "pass")


PROGRAMS = {
    "good": net("print('it was run')"),
    "raises": before("raise ValueError('not today')"),
    "needs": before("import no_such_package"),
    "exits": before("sys.exit(0)"),
    "leaves": before("os._exit(0)"),
    "fills": before("everything = torch.zeros(10**12)"),
    "hangs": before("while True: pass"),
    "broken": HEAD + "class Net(:\n    def forward(self): ...\n",
    "exits_in_forward": net("sys.exit(0)"),
    "fills_in_forward": net("everything = torch.zeros(10**12)"),
    "hangs_in_forward": net("while True: pass"),
    "dies_in_forward": net("import ctypes; ctypes.string_at(0)"),
    "contradicts": HEAD
    + """
class Net(nn.Module):
    def forward(self, x: Float[Tensor, "b c"]) -> Float[Tensor, "b c c"]:
        return x
""",
    "loads": HEAD + "torch.save({'fc.weight': torch.zeros(3, 3)}, 'wrong.pt')\n"
    "@shapecheck.case(checkpoint='wrong.pt')" + NET.replace("BODY", "pass"),
    "reads": net().replace("super().__init__()", "super().__init__(); open('no_such_file.yaml')"),
    "unbuilt": net().replace("def __init__(self)", "def __init__(self, width)"),
    "plain": "raise ValueError('a script without models is not imported')\n",
}


posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits of memory are those of POSIX")


def write(folder: Path, *names: str) -> None:
    for name in names:
        (folder / f"{name}.py").write_text(PROGRAMS[name])


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [forked.python(), "-m", "shapecheck", "run", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False)


def invoke(folder: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Result:
    """In this process, whose workers share what they need to import."""
    monkeypatch.chdir(folder)
    return CliRunner().invoke(main, ["run", *arguments])
