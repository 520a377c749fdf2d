"""Every benchmark is registered, and every registered one exists."""

from __future__ import annotations

from pathlib import Path

from benchmarks.needs import filled, missing
from benchmarks.registry import BENCHMARKS, Benchmark

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
PARTS = {"__main__", "any_calls", "compare_revisions", "evaluations", "libcst_pass", "tables", "unseen"}
"""Commands that are no benchmarks: parts of one, what reads the figures, the comparison of revisions, and what a person
judges in between."""


def commands() -> set[str]:
    files = {path.stem: path for path in FOLDER.glob("*.py")} | {
        path.parent.name: path for path in FOLDER.glob("*/__main__.py")
    }
    return {name for name, path in files.items() if 'if __name__ == "__main__"' in path.read_text()}


def test_every_command_of_the_folder_is_registered() -> None:
    assert {one.module or one.name for one in BENCHMARKS} == commands() - PARTS


def test_names_are_told_apart() -> None:
    assert len({one.name for one in BENCHMARKS}) == len(BENCHMARKS)


def test_what_is_missing_is_said_with_the_option_that_gives_it(tmp_path: Path) -> None:
    (tmp_path / "timm").mkdir()
    folders = {"repos": None, "jaxtyping": None, "rivals": tmp_path, "scratch": tmp_path}
    one = Benchmark("x", "", 1, ("{repos}/timm", "{repos}/nanoGPT/model.py", "--rivals", "{rivals}"))
    hint = "needs public repositories: --repos DIRECTORY with"
    assert missing(one, folders) == f"{hint}, timm, nanoGPT/model.py".replace("with,", "with")
    assert missing(one, {**folders, "repos": tmp_path}) == f"{hint} nanoGPT/model.py"
    assert missing(Benchmark("x", "", 1, ("{jaxtyping}",)), folders) == "needs --jaxtyping CHECKOUT of jaxtyping"
    assert missing(Benchmark("x", "", 1, packages=("no_such_package",)), folders) == "needs no_such_package installed"
    assert missing(Benchmark("x", "", 1, ("--rivals", "{rivals}")), folders) == ""


def test_a_placeholder_becomes_its_folder(tmp_path: Path) -> None:
    assert filled("{repos}/timm", {"repos": tmp_path}) == f"{tmp_path}/timm"
