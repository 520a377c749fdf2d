"""The examples run, keep their annotations and are clean; their broken twins have one mistake, which is reported."""

from __future__ import annotations

import difflib
import json
import re
import runpy
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import torch

import shapecheck
from shapecheck.diagnostics import Severity
from shapecheck.diagnostics.codes import DEFAULT_CHECKS
from shapecheck.static import check
from tests import forked
from tests.mypy_caches import PLUGIN, WITHOUT_INTERNALS, cache_with_torch, configuration

ROOT = Path(__file__).resolve().parents[1]
MODELS = {
    "cruncher": "Cruncher",
    "gpt": "GPT",
    "llama_70b": "Llama",
    "lstm_tagger": "Tagger",
    "resnet": "ResNet",
    "unet": "UNet",
    "vae": "ELBO",
    "vit": "ViT",
}
"""Of each example, a class that runs the line in which its twin is wrong."""
EXAMPLES = [ROOT / "examples" / f"{name}.py" for name in MODELS]
SEEN_BEFORE_RUNNING = {
    "cruncher": "squeeze-batch",
    "unet": "shape-mismatch",
    "vae": "silent-broadcast",
    "vit": "non-contiguous",
}
"""What `check` reports of broken twins; what is wrong with the others takes a run to see."""

each = pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)


def test_every_example_has_a_broken_twin() -> None:
    folder = ROOT / "examples"
    assert sorted(folder.glob("*.py")) == EXAMPLES
    assert sorted(folder.glob("broken/*.py")) == [folder / "broken" / f"{name}.py" for name in ("__init__", *MODELS)]


@each
def test_an_example_runs(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with torch.random.fork_rng():
        runpy.run_path(str(path), run_name="__main__")
    assert re.fullmatch(r"\(\d+(, \d+)*,?\)\n", capsys.readouterr().out), "an example prints the shape of its output"


@each
def test_an_example_keeps_its_annotations(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(path.parent))
    with torch.random.fork_rng(), shapecheck.install_import_hook(path.stem), shapecheck.guard(severity="note") as guard:
        module = import_module(path.stem)
        monkeypatch.delitem(sys.modules, path.stem)
        module.main()
    assert list(guard) == []


@each
def test_nothing_is_reported_of_an_example(path: Path) -> None:
    assert _reported(path) == []


@pytest.mark.parametrize("plugin", [(), (PLUGIN,)], ids=["plain", "plugin"])
def test_examples_are_strict(plugin: tuple[str, ...], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    settings, cache = tmp_path / "mypy.ini", tmp_path / "cache"
    options = ("strict = True", *plugin, WITHOUT_INTERNALS)
    settings.write_text(configuration(*options))
    if not plugin:  # other tests use this cache too
        shutil.copytree(cache_with_torch(tmp_path_factory, *options), cache)
    argv = [sys.executable, "-m", "mypy", "--config-file", settings, "--cache-dir", cache, *EXAMPLES]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@each
def test_a_broken_twin_differs_in_the_planted_line(path: Path) -> None:
    twin = path.parent / "broken" / path.name
    compile(twin.read_text(), str(twin), "exec")
    good, bad = path.read_text().splitlines()[1:], twin.read_text().splitlines()[1:]
    changed = [one for one in difflib.unified_diff(good, bad, n=0, lineterm="") if one[:3] not in ("---", "+++")]
    assert [one[0] for one in changed] == ["@", "-", "+"]
    assert changed[-1].endswith(f"# planted: {_planted(twin)[1]}")


@each
def test_what_is_reported_of_a_broken_twin(path: Path) -> None:
    twin = path.parent / "broken" / path.name
    line, code = _planted(twin)
    assert _reported(twin) == ([(line, code)] if path.stem in SEEN_BEFORE_RUNNING else [])
    assert code == SEEN_BEFORE_RUNNING.get(path.stem, code)


@pytest.fixture(scope="module")
def said_by_run() -> set[tuple[str, int, str]]:
    """File, line and code of what `shapecheck run` finds in one model of each example and of each twin."""
    folders = (ROOT / "examples", ROOT / "examples" / "broken")
    targets = [f"{folder / name}.py:{model}" for folder in folders for name, model in MODELS.items()]
    argv = [forked.python(), "-m", "shapecheck", "run", "--skip", "compiled,fake", "--format", "json", *targets]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)
    assert len(report["cases"]) == len(targets), done.stderr
    return {
        (Path(one["path"]).as_posix(), one["line"], one["code"])
        for one in report["diagnostics"]
        if one["severity"] != "note"
    }


def test_a_run_finds_nothing_in_the_examples(said_by_run: set[tuple[str, int, str]]) -> None:
    assert {one for one in said_by_run if "/broken/" not in one[0]} == set()


@each
def test_a_run_finds_what_is_planted(path: Path, said_by_run: set[tuple[str, int, str]]) -> None:
    twin = path.parent / "broken" / path.name
    found = {one[1:] for one in said_by_run if one[0].endswith(f"broken/{path.name}")}
    assert found == {_planted(twin)}


def _planted(path: Path) -> tuple[int, str]:
    """The line and the code of the only `# planted: CODE`."""
    lines = enumerate(path.read_text().splitlines(), start=1)
    ((line, code),) = [(line, text.partition("# planted: ")[2]) for line, text in lines if "# planted: " in text]
    return line, code


def _reported(path: Path) -> list[tuple[int, str]]:
    found = (one for one in check([path]) if one.severity is not Severity.NOTE and one.code in DEFAULT_CHECKS)
    return [(one.line, one.code) for one in found]
