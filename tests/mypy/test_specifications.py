"""Every code block of every `*.md` here and `odd.py.txt`, in one mypy run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from conftest import HERE, mypy
from mdtest import Block, blocks_of, mismatches, said

BLOCKS = [block for path in sorted(HERE.glob("*.md")) for block in blocks_of(path)]


@pytest.fixture(scope="session")
def output(torch_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("specifications")
    for block in BLOCKS:
        (folder / block.file).write_text(block.source, encoding="utf-8")
    odd = (HERE / "odd.py.txt").read_text(encoding="utf-8").replace("LONG_SUM", " + ".join(["1"] * 2000))
    (folder / "odd.py").write_text(odd, encoding="utf-8")
    # The blocks are about types; their shapes mean nothing, and test_findings.py is about those.
    (folder / "pyproject.toml").write_text("[tool.shapecheck.check]\nselect = []\n", encoding="utf-8")
    return mypy(folder, ".", cache=Path(shutil.copytree(torch_cache, folder / "cache")))


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.name)
def test_block(block: Block, output: str) -> None:
    problems = mismatches(block, said(output).get(block.file, []))
    assert not problems, "\n".join((f"{block.name}, line {block.line}", *problems))


def test_odd_input_is_checked_to_its_end(output: str) -> None:
    last = (HERE / "odd.py.txt").read_text(encoding="utf-8").count("\n")
    assert f"odd.py:{last}: error: Too many arguments" in output


def test_every_block_expects_something() -> None:
    assert [block.name for block in BLOCKS if not block.expected() and "silence" not in block.name] == []


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("x = 1  # revealed: int\n", []),
        ("x = 1  # revealed: int\n", [(3, "revealed", "str")]),
        ("x = 1  # error: [operator]\n", [(3, "error", "wrong  [call-arg]")]),
        ('x = 1  # error: [operator] "that"\n', [(3, "error", "this  [operator]")]),
        ("x = 1\n", [(3, "error", "anything  [misc]")]),
        ("x = 1  # revealed: int\n", [(4, "revealed", "int")]),
    ],
)
def test_the_runner_can_fail(code: str, found: list[tuple[int, str, str]]) -> None:
    assert mismatches(Block("any", 1, code), found)
