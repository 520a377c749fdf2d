"""The cache of `shapecheck check`: a run says what one without it says, and runs only what may differ."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shapecheck.cli import _checking as checking
from shapecheck.cli import main
from shapecheck.project import source_digest
from shapecheck.project.cache_file import _MOST_FILES
from tests.amount import amount

EDITS = amount("SHAPECHECK_EDITS", short=80, long=800)
SEED = int(os.environ.get("SHAPECHECK_SEED", "7"))
"""Both may be set by hand, for a longer search."""

NET = """\
import torch
from torch import nn
{imported}

class Net(nn.Module):
    def __init__(self, width=WIDTH):
        super().__init__()
        self.up = nn.Linear(8, width)
        self.out = nn.Linear({out}, 1){comment}

    def forward(self, x):
        return self.out(self.up(x)){comment}
"""
HELPER = """\
import torch

def scaled(x):
    {first}return x * torch.zeros({size})
"""
USE = """\
import torch
from pkg.net import Net
{imported}

Net()(torch.zeros(2, 8))
scaled(torch.zeros(3))
"""
TEXTS: Mapping[str, list[str | None]] = {
    "pkg/__init__.py": ["", "from .shared import WIDTH\n", None],
    "pkg/shared.py": [
        "WIDTH = 4\n",
        "WIDTH = 8\n",
        "WIDTH = (\n",
        None,
        "from .deep import WIDTH\n",
        "try:\n    from .deeper import WIDTH\nexcept ImportError:\n    WIDTH = 4\n",
        "import pkg.net\nWIDTH = 4\nbuilt = pkg.net.Net\n",
        "from .deep import *\nfrom .deeper import *\n",
    ],
    "pkg/shared/__init__.py": [None, None, "WIDTH = 6\n", "from ..deep import WIDTH\n"],
    "pkg/deep.py": ["WIDTH = 4\n", "WIDTH = 5\n", None],
    "pkg/deeper.py": [None, "WIDTH = 4\n", "WIDTH = 5\n", "from pkg.deep import WIDTH\n"],
    "pkg/net.py": [
        NET.format(imported="from .shared import WIDTH", out=4, comment=""),
        NET.format(imported="from pkg.shared import *", out=4, comment=""),
        NET.format(imported="from pkg.shared import WIDTH", out=5, comment="  # shapecheck: ignore[shape-mismatch]"),
        NET.format(imported="import pkg\nWIDTH = pkg.WIDTH", out=4, comment=""),
        None,
    ],
    "helper.py": [
        HELPER.format(first="", size=3),
        HELPER.format(first="", size=4),
        HELPER.format(first="from lazy import rows; x = rows(x)\n    ", size=3),
        None,
    ],
    "src/helper.py": [None, None, HELPER.format(first="", size=5)],
    "lazy.py": ["def rows(x):\n    return x\n", "def rows(x):\n    return x.reshape(4, 1)\n", None],
    "scripts/local.py": ["SIZE = 3\n", "SIZE = 4\n", None],
    "scripts/__init__.py": [None, None, ""],
    "scripts/run.py": [
        "import torch\nfrom local import SIZE\n\ntorch.zeros(3) + torch.zeros(SIZE)\n",
        "import torch\nimport helper\n\nhelper.scaled(torch.zeros(3))\n",
        "import torch\nfrom shapecheck import reveal_shape\nimport use\n\nreveal_shape(torch.zeros(3))\n",
    ],
    "use.py": [
        USE.format(imported="from helper import scaled"),
        USE.format(imported="import helper\nscaled = helper.scaled"),
        USE.format(imported="if True:\n    from helper import *"),
    ],
    "pyproject.toml": [
        "[tool.shapecheck.check]\nignore = ['off-default']\n",
        "[tool.shapecheck.check]\nignore = ['shape-mismatch']\n",
        "[tool.shapecheck.check.severity]\nshape-mismatch = 'warning'\n",
        "[tool.shapecheck]\nexclude = ['helper.py', 'pkg/net.py']\n",
        "[tool.shapecheck.check.per-path]\n'pkg/**' = { select = ['softmax-dim'] }\n",
    ],
}
"""The first texts make a project without findings; one of None is a file that is not there."""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, texts in TEXTS.items():
        write(name, texts[0])
    return tmp_path


def write(name: str, text: str | None) -> None:
    path = Path(name)
    if text is None:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def check(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["check", "--jobs", "1", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def cache_files(folder: str = ".shapecheck_cache") -> list[Path]:
    return sorted(Path(folder).glob("*.json"))


# -- what is said


def edits() -> Iterator[tuple[str, str | None]]:
    choice = random.Random(SEED)
    for _ in range(EDITS):
        name = choice.choice(list(TEXTS))
        yield name, choice.choice(TEXTS[name])


def test_after_any_edit_it_says_what_a_fresh_run_says(ran: list[str]) -> None:
    said, known = set(), 0
    for number, (name, text) in enumerate(edits()):
        write(name, text)
        ran.clear()
        cached = check("--format", "json")
        run = len(ran)
        fresh = check("--format", "json", "--no-cache")
        assert (cached.stdout, cached.exit_code) == (fresh.stdout, fresh.exit_code), (number, name, text)
        known += len(ran) - 2 * run
        said.add(fresh.stdout)
    assert len(said) > EDITS / 5
    assert known > 3 * EDITS


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif", "junit", "gitlab", "markdown"])
def test_every_report_is_the_same(form: str) -> None:
    write("pkg/shared.py", "WIDTH = 8\n")
    write("broken.py", "def f(:\n# shapecheck: ignore[softmax-dim]\n")
    write("lazy.py", "x = 1  # shapecheck: ignore[softmax-dim]\n")
    first, again, fresh = (check("--format", form, *more) for more in ((), (), ("--no-cache",)))
    assert first.stdout == again.stdout == fresh.stdout
    assert first.exit_code == again.exit_code == fresh.exit_code == 1
    assert all(code in fresh.stdout for code in ("shape-mismatch", "syntax-error", "unused-ignore"))


def test_a_baseline_is_held_against_what_is_known() -> None:
    write("pkg/shared.py", "WIDTH = 8\n")
    assert check().exit_code == 1
    assert check("--baseline", "known.json", "--write-baseline").exit_code == 0
    assert check("--baseline", "known.json").exit_code == 0
    assert check().exit_code == 1


def test_processes_and_the_cache_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shapecheck.static.entry.parallel._WORTH_A_PROCESS", 1)
    write("pkg/shared.py", "WIDTH = 8\n")
    several, known, fresh = (check("--jobs", "2", *more) for more in ((), (), ("--no-cache",)))
    assert several.stdout == known.stdout == fresh.stdout != ""
    assert " from the cache)" in known.stderr


def test_where_it_happens_is_told_at_the_call_in_what_was_asked_for() -> None:
    write("helper.py", TEXTS["helper.py"][1])
    for arguments in (("use.py",), ("use.py", "helper.py"), ("use.py",), ()):
        assert check(*arguments).stdout == check("--no-cache", *arguments).stdout
    assert check("use.py").stdout.startswith("use.py:6")
    assert check().stdout.startswith("helper.py:4")


# -- what is run again


@pytest.mark.parametrize(
    ("name", "text", "again"),
    [
        ("use.py", "import torch\n", ["scripts/run.py", "use.py"]),
        ("helper.py", "def scaled(x):\n    return x\n", ["helper.py", "scripts/run.py", "use.py"]),
        ("helper.py", None, ["scripts/run.py", "use.py"]),
        ("pkg/deep.py", "WIDTH = 9\n", ["pkg/deep.py"]),
        ("pkg/shared/__init__.py", "WIDTH = 6\n", ["pkg/net.py", "pkg/shared/__init__.py", "scripts/run.py", "use.py"]),
        ("other.py", "import use\n", ["other.py"]),
        ("lazy.py", "def rows(x):\n    return x\n", []),
        (
            "pyproject.toml",
            "[tool.shapecheck.check]\nignore = ['off-default']\nseverity.shape-mismatch = 'warning'\n",
            [],
        ),
        ("notes.txt", "WIDTH", []),
    ],
)
def test_only_what_depends_on_an_edit(name: str, text: str | None, again: list[str], ran: list[str]) -> None:
    write("scripts/run.py", TEXTS["scripts/run.py"][2])
    check()
    ran.clear()
    write(name, text)
    check()
    assert sorted(ran) == again
    ran.clear()
    check()
    assert ran == []


def test_an_attribute_is_known_as_soon_as_another_file_sets_it() -> None:
    """The file that reads it imports no other, so the cache alone cannot tell."""
    Path("pyproject.toml").write_text("")
    Path("reader.py").write_text(
        "from torch import nn\n\nclass Reader(nn.Module):\n    def forward(self, x):\n        return x * self.gain\n"
    )
    assert "[unknown-attribute]" in check("reader.py").stdout
    Path("setter.py").write_text("def prepare(model):\n    model.gain = 2\n")
    assert "[unknown-attribute]" not in check("reader.py").stdout


def test_time_stamps_do_not_count(ran: list[str]) -> None:
    check()
    before = Path("helper.py").stat()
    write("helper.py", HELPER.format(first="", size=4))
    os.utime("helper.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "helper.py:4" in check().stdout
    ran.clear()
    for path in Path.cwd().rglob("*.py"):
        path.touch()
    check()
    assert ran == []


@pytest.mark.parametrize("arguments", [("--stats",), ("--show-shapes",), ("--no-cache",)])
def test_some_runs_neither_use_nor_keep_it(arguments: tuple[str, ...], ran: list[str]) -> None:
    check(*arguments)
    assert not Path(".shapecheck_cache").exists()
    check()
    ran.clear()
    check(*arguments)
    assert len(ran) == len(list(Path.cwd().rglob("*.py")))


@pytest.mark.parametrize("arguments", [("--select", "softmax-dim"), ("use.py",), (".", "pkg")])
def test_each_kind_of_run_is_known_apart(arguments: tuple[str, ...], ran: list[str]) -> None:
    check()
    ran.clear()
    check(*arguments)
    assert ran
    ran.clear()
    check()
    check(*arguments)
    assert ran == []


def test_another_version_begins_anew(ran: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    check()
    ran.clear()
    monkeypatch.setattr(checking, "sources_digest", lambda memo: f"another than in {memo}")
    check()
    assert "use.py" in ran


def test_our_own_sources_are_read_once(ran: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    check()
    ran.clear()
    monkeypatch.setattr(source_digest, "_digest", lambda paths: "read again")
    check()
    assert ran == []
    Path(".shapecheck_cache/sources").write_text("damaged")
    check()
    assert "use.py" in ran


def test_a_fault_of_our_own_is_not_kept(ran: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("shapecheck.static.entry.checker._run_function", lambda run, function: 1 / 0)
        assert check().exit_code == 2
    assert check().exit_code == 0


def test_the_engine_is_not_loaded_where_all_is_known() -> None:
    check()
    program = (
        "import sys\nfrom shapecheck.cli import main\n"
        "main(['check'], standalone_mode=False)\n"
        "print([name for name in sys.modules if name.startswith(('shapecheck.static', 'shapecheck.ops'))])\n"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (said.stdout, said.returncode) == ("[]\n", 0), said.stderr


# -- where it lies


def test_it_lies_beside_the_configuration_and_git_does_not_see_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("pkg")
    check()
    monkeypatch.chdir("..")
    assert len(cache_files()) == 1
    assert Path(".shapecheck_cache/.gitignore").read_text() == "*\n"
    assert Path(".shapecheck_cache/CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")
    assert "not looked at" not in check().stderr


def test_the_configuration_says_where() -> None:
    write("pyproject.toml", "[tool.shapecheck.check]\ncache-dir = 'deep/er'\n")
    check()
    assert len(cache_files("deep/er")) == 1
    assert not Path(".shapecheck_cache").exists()


def test_without_a_configuration_it_lies_in_the_working_folder() -> None:
    Path("pyproject.toml").unlink()
    check("pkg")
    assert len(cache_files()) == 1


@pytest.mark.parametrize("kind", ["a file", "not writable"])
def test_a_folder_that_cannot_be_used_is_no_fault(kind: str, ran: list[str]) -> None:
    folder = Path(".shapecheck_cache")
    if kind == "a file":
        folder.touch()
    else:
        folder.mkdir(mode=0o500)
    try:
        first, again = check(), check()
    finally:
        folder.chmod(0o700)
    assert (first.exit_code, first.stdout) == (again.exit_code, again.stdout) == (0, "")


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: b"\xff\xfe" + content,
        lambda content: content[:-20],
        lambda content: content.replace(b"use.py", b"esu.py"),
        lambda content: content.partition(b"\n")[2],
        lambda content: b"{}",
    ],
)
def test_a_damaged_file_is_written_anew(damage: object, ran: list[str]) -> None:
    write("pkg/shared.py", "WIDTH = 8\n")
    first = check()
    [file] = cache_files()
    whole = file.read_bytes()
    file.write_bytes(damage(whole))  # type: ignore[operator]
    ran.clear()
    assert check().stdout == first.stdout
    assert "use.py" in ran
    ran.clear()
    assert check().stdout == first.stdout
    assert ran == []


def test_files_that_are_gone_are_forgotten() -> None:
    check()
    [file] = cache_files()
    assert "helper.py" in file.read_text()
    for name in ("helper.py", "use.py"):
        write(name, None)
    check()
    paths = json.loads(file.read_text().partition("\n")[2])["paths"]
    assert not [path for path in paths if path.endswith(("helper.py", "use.py"))]


def test_kinds_of_runs_that_are_long_past_are_forgotten() -> None:
    check()
    [oldest] = cache_files()
    os.utime(oldest, (1, 1))
    leftover = Path(".shapecheck_cache/.shapecheck-999999999-00000000.tmp")
    leftover.touch()
    for number in range(_MOST_FILES):
        (Path(".shapecheck_cache") / f"{number}.json").touch()
    check("use.py")
    assert len(cache_files()) == _MOST_FILES
    assert not oldest.exists()
    assert not leftover.exists()
