"""Library code runs within limits, and only the files that a call needs are read."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from shapecheck.project.cache import Cache, CacheContents
from shapecheck.project.files import display_path
from shapecheck.static.calls import library_calls
from shapecheck.static.entry.checker import Checker
from tests.static.libraries.programs import findings, install, revealed

HEAD = """
import torch
import nets
from torch import nn

model = nn.Sequential(nets.Block(3, 6), nn.Conv2d(8, 4, 1))
model(torch.zeros(2, 3, 8, 8))
"""


def parsed(checker: Checker) -> set[str]:
    """The files of the library that were parsed."""
    loaded = [one for one in checker.project._loaded.values() if one is not None and one.is_library]
    return {one.path.relative_to(one.path.parents[one.name.count(".") + one.is_package]).as_posix() for one in loaded}


def test_only_the_files_that_define_what_is_called_are_read(tmp_path: Path) -> None:
    site = install(tmp_path / "site")
    path = tmp_path / "program.py"
    for text, expected in (
        ("import nets\nfrom nets import Wide\n", set()),
        ("import nets\nnets.functional.pooled\n", set()),
        ("import nets\nnets.functional.pooled(torch.zeros(1, 1, 1, 1))\n", {"nets/functional.py"}),
        ("from nets.layers import Block\nBlock(3, 4)\n", {"nets/layers.py"}),
    ):
        path.write_text("import torch\n" + text)
        checker = Checker([path], libraries=[site])
        checker.findings(path, {display_path(path)})
        assert parsed(checker) == expected


@pytest.mark.parametrize(
    ("file", "before", "after", "is_valid"),
    [
        ("nets/layers.py", "outside, 3, 2, 1", "outside, 5, 2, 1", False),
        ("nets/__init__.py", "functional", "layers", False),
        ("nets/functional.py", "keep", "kept", True),
    ],
)
def test_results_are_valid_as_long_as_the_files_of_the_library_that_were_read_are_the_same(
    tmp_path: Path, file: str, before: str, after: str, is_valid: bool
) -> None:
    cached = stored(tmp_path)
    path, site = tmp_path / "program.py", tmp_path / "site"
    assert Cache(cached, [path], [], [site]).outcome(path) is not None
    (site / file).write_text((site / file).read_text().replace(before, after))
    assert (Cache(cached, [path], [], [site]).outcome(path) is not None) is is_valid


def test_results_are_invalid_once_a_library_is_installed_or_removed(tmp_path: Path) -> None:
    path, site = tmp_path / "program.py", tmp_path / "site"
    cached = stored(tmp_path)
    assert Cache(cached, [path], [], []).outcome(path) is None
    empty = tmp_path / "empty"
    empty.mkdir()
    without = stored(tmp_path, empty)
    assert Cache(without, [path], [], [empty]).outcome(path) is not None
    assert Cache(without, [path], [], [site]).outcome(path) is None


def stored(folder: Path, libraries: Path | None = None) -> CacheContents:
    """The cache after a run."""
    site = install(folder / "site")
    path = folder / "program.py"
    path.write_text(dedent(HEAD))
    cache = Cache(CacheContents(), [path], [], [libraries or site])
    outcome = Checker([path], libraries=[libraries or site]).outcome(path, {display_path(path)})
    assert bool(outcome.diagnostics) is (libraries is None)
    cache.add(outcome)
    return cache.known()


CALLS = """
import nets

def first(x):
    model = nets.Wide()
    reveal_shape(model(torch.zeros(2, 3, 32, 32)))

def second(x):
    nn.Linear(3, 4)(torch.zeros(2, 5))
"""


def test_a_library_does_not_use_the_budget_of_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert revealed(tmp_path, CALLS.partition("def second")[0]) == ["(2, 1000)"]
    monkeypatch.setattr(library_calls, "_MOST_STEPS", 20)
    found = findings(tmp_path, "from shapecheck import reveal_shape\n" + dedent(CALLS))
    assert [(one.code, one.message.partition(":")[0]) for one in found] == [
        ("revealed-shape", "unknown"),
        ("shape-mismatch", "Linear"),
    ]


def test_an_argument_of_a_call_that_is_not_understood_may_have_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = """
    import nets
    sizes = [3]
    nets.functional.pooled(torch.zeros(1, 2, 3, 4), sizes)
    nn.Linear(sizes[0], 4)(torch.zeros(2, 5))
    """
    assert [one.code for one in findings(tmp_path, program)] == ["shape-mismatch"]
    monkeypatch.setattr(library_calls, "_MOST_STEPS", 1)
    assert findings(tmp_path, program) == []
