"""The findings of `shapecheck check` in mypy: full, incremental, parallel and daemon runs of real processes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import mypy
from edited_project import write_stubs
from mypy import api

from shapecheck.static.entry.checker import Checker

PARTS = """\
import torch
from jaxtyping import Float
from torch import Tensor

def make(rows: int) -> Tensor:
    return torch.zeros(rows, 8)

def add(x: Float[Tensor, "n d"], y: Float[Tensor, "n d"]) -> Tensor:
    return x
"""
USE = """\
import torch
import parts

def product(x):
    return parts.make(2) @ torch.zeros(8, 4)

def total() -> None:
    parts.add(torch.zeros(2, 3), torch.zeros(2, 3))
"""
BODY = ("zeros(rows, 8)", "zeros(rows, 9)")
DIMS = ('y: Float[Tensor, "n d"]', 'y: Float[Tensor, "d n"]')
BODY_FOUND = ["use.py:5: error: matmul: cannot multiply (2, 9) @ (8, 4): 9 != 8  [shape-mismatch]"]
DIMS_FOUND = [
    'use.py:8: error: argument "y" of add: expected dimension 0 ("d") to be 3, got 2: '
    'shape (2, 3) does not match Float[Tensor, "d n"]  [shape-mismatch]'
]
EDITS = [(BODY, BODY_FOUND), (DIMS, DIMS_FOUND)]
EACH_EDIT = pytest.mark.parametrize(("edit", "found"), EDITS, ids=["a helper's body", "a dim string"])


@pytest.fixture(scope="module")
def stubs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_stubs(tmp_path_factory.mktemp("stubs"))


@pytest.fixture(scope="module")
def stub_cache(stubs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that knows what Python brings; one for all tests, each has its own folder and so its own modules."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def small_torch(stubs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MYPYPATH", str(stubs))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "parts.py").write_text(PARTS)
    (tmp_path / "use.py").write_text(USE)
    return tmp_path


def change(path: Path, edit: tuple[str, str]) -> None:
    text = path.read_text()
    assert edit[0] in text
    written = path.stat().st_mtime + 2
    path.write_text(text.replace(*edit))
    os.utime(path, (written, written))


def errors(output: str) -> list[str]:
    return [line for line in output.splitlines() if ": error: " in line]


def check(folder: Path, text: str, cache: Path, *flags: str, config: str = "") -> list[str]:
    """The output of mypy for one file with this text, in this process."""
    (folder / "one.py").write_text(text)
    (folder / "mypy.ini").write_text(f"[mypy]\nplugins = shapecheck.mypy\n{config}")
    before = Path.cwd()
    os.chdir(folder)
    try:
        own = cache / hashlib.sha256(config.encode()).hexdigest()[:8]  # mypy starts anew after a change of options
        found, trouble, _ = api.run(["--cache-dir", str(own), "--no-error-summary", *flags, "one.py"])
    finally:
        os.chdir(before)
    return (found + trouble).splitlines()


@pytest.mark.parametrize(
    ("generated_from", "found"), [("one.py", []), ("two.py", ["matmul: cannot multiply (2, 3) @ (2, 3): 3 != 2"])]
)
def test_nothing_is_reported_in_a_template(tmp_path: Path, generated_from: str, found: list[str]) -> None:
    (tmp_path / "model.py").write_text(f"# This file was automatically generated from {generated_from}.\n")
    said = check(tmp_path, "import torch\n\ntorch.zeros(2, 3) @ torch.zeros(2, 3)\n", tmp_path / "cache")
    assert [line.partition(": error: ")[2].partition("  [")[0] for line in errors("\n".join(said))] == found


@EACH_EDIT
@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["one process", "parallel"])
def test_full_and_incremental_runs(
    folder: Path, edit: tuple[str, str], found: list[str], workers: tuple[str, ...], stub_cache: Path
) -> None:
    def run() -> list[str]:
        return errors(mypy(folder, *workers, "use.py", cache=stub_cache))

    assert run() == []
    change(folder / "parts.py", edit)
    assert run() == found
    assert run() == found, "the cache returns the same"
    change(folder / "parts.py", (edit[1], edit[0]))
    assert run() == []


@pytest.fixture
def daemon(folder: Path) -> Iterator[Path]:
    yield folder
    mypy(folder, "stop", cache=folder, module="mypy.dmypy")


def test_every_command_of_the_daemon(daemon: Path, stub_cache: Path) -> None:
    def ask(*arguments: str) -> list[str]:
        return errors(mypy(daemon, *arguments, cache=stub_cache, module="mypy.dmypy"))

    flags = ("--no-error-summary", "--cache-dir", str(stub_cache), "--follow-imports=skip")  # else no recheck --update
    assert ask("run", "--", *flags, "use.py", "parts.py") == []
    change(daemon / "parts.py", BODY)
    assert ask("run", "--", *flags, "use.py", "parts.py") == BODY_FOUND
    change(daemon / "parts.py", DIMS)
    assert ask("recheck", "--update", "parts.py") == [*BODY_FOUND, *DIMS_FOUND]
    change(daemon / "parts.py", (BODY[1], BODY[0]))
    assert ask("recheck") == DIMS_FOUND
    change(daemon / "parts.py", (DIMS[1], DIMS[0]))
    assert ask("check", "use.py", "parts.py") == []


@pytest.mark.parametrize("early", [False, True], ids=["edited later", "edited before it starts"])
def test_a_daemon_that_starts_from_a_cache(daemon: Path, tmp_path: Path, early: bool) -> None:
    cache = tmp_path / "cache"
    files = ("--no-error-summary", "--cache-dir", str(cache), "use.py", "parts.py")

    def run() -> list[str]:
        return errors(mypy(daemon, "run", "--", "--use-fine-grained-cache", *files, cache=cache, module="mypy.dmypy"))

    assert errors(mypy(daemon, "--cache-fine-grained", *files, cache=cache)) == []
    if not early:
        assert run() == []
    change(daemon / "parts.py", DIMS)
    assert run() == DIMS_FOUND
    change(daemon / "parts.py", BODY)
    assert run() == [*BODY_FOUND, *DIMS_FOUND]


MISMATCH = "torch.zeros(3) + torch.zeros(4)"
OUTER = "torch.zeros(3, 1) * torch.zeros(3)"
ONE = "import torch\n\n\ndef run(x):\n    return "
MISMATCH_FOUND = ["one.py:5: error: add: cannot broadcast (3,) and (4,): 3 != 4 in dimension -1  [shape-mismatch]"]
OUTER_FOUND = ["one.py:5: error: both operands are broadcast: (3, 1) * (3,) -> (3, 3)  [silent-broadcast]"]
CODE = "  [shape-mismatch]"
UNUSED = ['one.py:5: error: Unused "type: ignore" comment  [unused-ignore]']


@pytest.mark.parametrize(
    ("text", "config", "found"),
    [
        pytest.param(ONE + MISMATCH, "", MISMATCH_FOUND, id="an error"),
        pytest.param(ONE + OUTER, "", OUTER_FOUND, id="a warning"),
        pytest.param(
            f"{ONE}{MISMATCH}  # type: ignore[shape-mismatch]", "warn_unused_ignores = True", [], id="ignored"
        ),
        pytest.param(f"{ONE}{OUTER}  # type: ignore[silent-broadcast]", "warn_unused_ignores = True", [], id="warning"),
        pytest.param(f"{ONE}{MISMATCH}  # type: ignore", "warn_unused_ignores = True", [], id="ignored without a code"),
        pytest.param(f"{ONE}x  # type: ignore[shape-mismatch]", "warn_unused_ignores = True", UNUSED, id="unused"),
        pytest.param(f"{ONE}{MISMATCH}  # shapecheck: ignore[shape-mismatch]", "", [], id="our own comment"),
        pytest.param(ONE + MISMATCH, "disable_error_code = shape-mismatch", [], id="disabled"),
        pytest.param(ONE + MISMATCH, "ignore_errors = True", [], id="ignore_errors"),
        pytest.param(f"# type: ignore\n{ONE}{MISMATCH}", "", [], id="a file ignored"),
        pytest.param(f"# mypy: ignore-errors\n{ONE}{MISMATCH}", "", [], id="a file ignored by configuration"),
    ],
)
def test_messages(tmp_path: Path, text: str, config: str, found: list[str], stub_cache: Path) -> None:
    assert check(tmp_path, f"{text}\n", stub_cache, config=config) == found


@pytest.mark.parametrize(
    ("table", "found"),
    [
        ("", MISMATCH_FOUND),
        ('ignore = ["shape-mismatch"]', []),
        ('select = ["silent-broadcast"]', []),
        ('ignore = ["silent-broadcast"]', MISMATCH_FOUND),
        ('select = ["all"]', MISMATCH_FOUND),
        ('ignore = ["all"]', []),
        ('severity = { shape-mismatch = "warning" }', MISMATCH_FOUND),
        ('severity = { shape-mismatch = "note" }', [MISMATCH_FOUND[0].replace("error:", "note:").replace(CODE, "")]),
        ('[tool.shapecheck.check.per-path."one.py"]\nignore = ["shape-mismatch"]', []),
        ('[tool.shapecheck.check.per-path."other.py"]\nignore = ["shape-mismatch"]', MISMATCH_FOUND),
    ],
)
def test_the_configuration_of_check_counts(tmp_path: Path, table: str, found: list[str], stub_cache: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[tool.shapecheck.check]\n{table}\n")
    assert check(tmp_path, f"{ONE}{MISMATCH}\n", stub_cache) == found


OPT_IN = "import torch\nfrom torch import nn\n\n\ndef build():\n    return nn.Linear(64, 65)\n"


@pytest.mark.parametrize(
    ("table", "config", "comment", "is_told"),
    [
        pytest.param("", "", "", False, id="nobody asks"),
        pytest.param('select = ["default", "tensor-core-size"]', "", "", True, id="pyproject asks"),
        pytest.param("", "enable_error_code = tensor-core-size", "", True, id="mypy asks"),
        pytest.param("", "[mypy-one]\nenable_error_code = tensor-core-size", "", True, id="mypy asks for this module"),
        pytest.param("", "[mypy-two]\nenable_error_code = tensor-core-size", "", False, id="for another module"),
        pytest.param("", "", '# mypy: enable-error-code="tensor-core-size"\n', True, id="the file asks"),
        pytest.param(
            'ignore = ["tensor-core-size"]',
            "enable_error_code = tensor-core-size",
            "",
            True,
            id="mypy has the last word",
        ),
        pytest.param('select = ["all"]', "disable_error_code = tensor-core-size", "", False, id="mypy disables"),
    ],
)
def test_codes_that_have_to_be_asked_for(
    tmp_path: Path, table: str, config: str, comment: str, is_told: bool, stub_cache: Path
) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[tool.shapecheck.check]\n{table}\n")
    found = check(tmp_path, comment + OPT_IN, stub_cache, config=config)
    assert [line.rpartition("  ")[2] for line in found] == ["[tensor-core-size]"] * is_told


def test_what_the_source_asks_to_be_told_is_a_note(tmp_path: Path, stub_cache: Path) -> None:
    text = "import torch\n\n\ndef run():\n    reveal_shape(torch.zeros(3, 4))\n"
    assert check(tmp_path, text, stub_cache) == ["one.py:5: note: torch.float32 (3, 4)"]
    (tmp_path / "pyproject.toml").write_text('[tool.shapecheck.check]\nignore = ["revealed-shape"]\n')
    assert check(tmp_path, text, stub_cache) == []


def test_much_source_is_given_to_another_process(folder: Path, stub_cache: Path) -> None:
    lines = "".join(f"    torch.zeros(3) + torch.zeros({size})\n" for size in range(3, 2000))
    (folder / "use.py").write_text(f"import torch\n\n\ndef run() -> None:\n{lines}")
    assert len(errors(mypy(folder, "use.py", cache=stub_cache))) == 1996


def test_a_changed_configuration_is_seen_with_a_full_cache(tmp_path: Path, stub_cache: Path) -> None:
    assert check(tmp_path, f"{ONE}{MISMATCH}\n", stub_cache) == MISMATCH_FOUND
    (tmp_path / "pyproject.toml").write_text('[tool.shapecheck.check]\nignore = ["shape-mismatch"]\n')
    assert check(tmp_path, f"{ONE}{MISMATCH}\n", stub_cache) == []


def test_a_configuration_error_is_one_note(tmp_path: Path, stub_cache: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.shapecheck.check]\nignor = ["shape-mismatch"]\n')
    found = check(tmp_path, f"{ONE}{MISMATCH}\n", stub_cache)
    assert len(found) == 1
    assert "note: shapecheck: " in found[0]
    assert 'unknown key "ignor"; did you mean "ignore"?' in found[0]


def test_a_finding_in_another_file_is_reported_at_the_call(folder: Path, stub_cache: Path) -> None:
    (folder / "use.py").write_text("import torch\nimport parts\n\n\ndef run(x):\n    return parts.inner(x, 3)\n")
    (folder / "parts.py").write_text("import torch\ndef inner(x, n):\n    return torch.zeros(n) + torch.zeros(4)\n")
    assert mypy(folder, "use.py", cache=stub_cache).splitlines() == [
        "use.py:6: error: add: cannot broadcast (3,) and (4,): 3 != 4 in dimension -1  [shape-mismatch]",
        "use.py:6: note: it happens here (parts.py:3:12)",
        "use.py:6: note: 3 comes from parts.inner(x, 3) (use.py:6:27)",
    ]
    change(folder / "parts.py", ("zeros(4)\n", "zeros(4)  # shapecheck: ignore[shape-mismatch]\n"))
    assert mypy(folder, "use.py", cache=stub_cache) == "", "a comment there suppresses it"


def test_a_finding_in_another_file_without_the_call_is_reported_only_there(folder: Path, stub_cache: Path) -> None:
    (folder / "use.py").write_text("import torch\nimport parts\n\n\nparts.inner(torch.zeros(3))\n")
    (folder / "parts.py").write_text("import torch\ndef inner(x):\n    return torch.zeros(3) + torch.zeros(4)\n")
    found = mypy(folder, "use.py", cache=stub_cache).splitlines()
    assert [line.partition(" error: ")[0] for line in found] == ["parts.py:3:"]


@pytest.mark.parametrize(
    ("home", "arguments"),
    [("src", ()), ("lib", ("lib",)), ("tools/inner", ())],
    ids=["src", "a folder that is checked", "mypy_path"],
)
def test_where_absolute_imports_start(tmp_path: Path, home: str, arguments: tuple[str, ...], stub_cache: Path) -> None:
    """`parts` is in another directory than the program that imports it, and is not installed."""
    (tmp_path / home).mkdir(parents=True)
    (tmp_path / home / "parts.py").write_text(PARTS.replace(*BODY))
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts/use.py").write_text(USE)
    (tmp_path / "mypy.ini").write_text(
        f"[mypy]\nplugins = shapecheck.mypy\nignore_missing_imports = True\nmypy_path = {tmp_path / 'tools/inner'}\n"
    )
    found = mypy(tmp_path, "scripts", *arguments, cache=stub_cache)
    assert [line.replace(f"scripts{os.sep}", "") for line in errors(found)] == BODY_FOUND


def test_nothing_is_reported_if_mypy_reads_other_text_than_the_file(tmp_path: Path, stub_cache: Path) -> None:
    (tmp_path / "shadow.py").write_text("x = 1\n")
    assert check(tmp_path, f"{ONE}{MISMATCH}\n", stub_cache, "--shadow-file", "one.py", "shadow.py") == []
    assert mypy(tmp_path, "-c", f"import torch; {MISMATCH}", cache=stub_cache) == ""


def test_an_internal_error_is_one_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("made to fail")

    monkeypatch.setattr(Checker, "findings", fail)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mypy.ini").write_text("[mypy]\nplugins = shapecheck.mypy\n")
    (tmp_path / "one.py").write_text(f"{ONE}{MISMATCH}\n")
    found, _, status = api.run(["--cache-dir", str(tmp_path / "cache"), "--no-error-summary", "one.py"])
    assert found == "one.py:1: note: shapecheck: ZeroDivisionError in one.py: made to fail\n"
    assert status == 0
