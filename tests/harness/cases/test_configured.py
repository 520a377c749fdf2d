from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.cli._run_options import RunArguments, run_options_of
from shapecheck.config import ConfigError, RunConfig, load_config, parse_bytes
from shapecheck.diagnostics import FailOn
from shapecheck.harness.cases.configured import with_configured
from shapecheck.harness.cases.declared import Declared
from shapecheck.harness.cases.model import Target
from shapecheck.harness.distributed import Share

_CASES = """
[tool.shapecheck.run]
device = "fake"
checks = ["sweep"]
skip = ["compiled"]
timeout = 7
memory = "2GiB"
jobs = 3
seed = 5
backend = "inductor"
timed = true
profile = true
[tool.shapecheck.cases.gpt-small]
target = "pkg.gpt:GPT"
kwargs = { layers = 2, name = "small" }
dims = { t = 16 }
ranges = { tokens = 100, kinds = [1, 4] }
checkpoint = "weights/x.safetensors"
skip = ["batch"]
device = "fake"
[tool.shapecheck.cases.gpt-large]
target = "pkg.gpt:GPT"
[tool.shapecheck.cases.vit]
target = "pkg.vit:build"
"""


def test_a_run_is_configured(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(_CASES)
    expected = RunConfig("fake", ("sweep",), ("compiled",), 7.0, 2 * 1024**3, 3, 5, "inductor", True, True)
    config = load_config(tmp_path).run
    assert config == expected
    given = RunArguments(False, False, False, (), (), (), (), FailOn.WARNING)
    assert type(run_options_of(given, config, Share(), 1).memory_bytes) is int  # an `int` of our own cannot be encoded


def test_cases_go_to_the_target_that_they_name(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(_CASES)
    config = load_config(tmp_path)
    targets = [Target(tmp_path / f"pkg/{name}.py", f"pkg.{name}", tmp_path) for name in ("gpt", "vit", "unet")]
    gpt, vit, unet = (target.configured for target in with_configured(targets, config))
    small = Declared(
        dims={"t": 16},
        kwargs={"layers": 2, "name": "small"},
        ranges={"tokens": (0, 99), "kinds": (1, 4)},
        skip=("batch",),
        checkpoint=str(tmp_path / "weights/x.safetensors"),
        device="fake",
        label="gpt-small",
    )
    assert gpt == {"GPT": {"gpt-small": small, "gpt-large": Declared(label="gpt-large")}}
    assert vit == {"build": {"vit": Declared(label="vit")}}
    assert unet == {}


def test_a_target_is_known_by_its_dotted_name_though_its_folders_are_no_packages(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(_CASES)
    files = [tmp_path / "pkg/gpt.py", tmp_path / "src/pkg/vit.py", tmp_path / "other/gpt.py"]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    targets = [Target(file, file.stem, file.parent) for file in files]
    found = [list(target.configured) for target in with_configured(targets, load_config(tmp_path))]
    assert found == [["GPT"], ["build"], []]


def test_a_target_may_be_a_path_from_the_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.shapecheck.cases.small]\ntarget = "./models/gpt.py:GPT"\n')
    files = [tmp_path / "models/gpt.py", tmp_path / "gpt.py"]
    monkeypatch.chdir(tmp_path.parent)
    targets = [Target(file, file.stem, file.parent) for file in files]
    found = [list(target.configured) for target in with_configured(targets, load_config(tmp_path))]
    assert found == [["GPT"], []]


MISTAKES = {
    "run]\ndevice = 'gpu'": 'run.device: expected "cpu", "cuda", "cuda:N" or "fake", got "gpu"',
    "run]\ntimeout = 0": "run.timeout: expected a positive number of seconds, got 0",
    "run]\nmemory = 'much'": 'run.memory: expected a size such as "500MB" or "4GiB", got "much"',
    "run]\nmemory = 12": 'run.memory: expected a size such as "500MB" or "4GiB", got 12',
    "run]\nseed = -1": "run.seed: expected a non-negative integer, got -1",
    "run]\ntimout = 3": 'unknown key "timout"; did you mean "timeout"?',
    "cases]\nx = 1": "cases.x: expected a table, got 1",
    "cases.x]\nkwargs = {}": 'cases.x: missing key "target"',
    "cases.x]\ntarget = 'pkg.gpt'": 'cases.x.target: expected a target such as "pkg.module:Class"',
    "cases.x]\ntarget = 'a:B'\ndims = { b = 'two' }": 'cases.x.dims.b: expected a non-negative integer, got "two"',
    "cases.x]\ntarget = 'a:B'\nranges = { b = [3, 1] }": "cases.x.ranges.b: expected a positive integer n",
    "cases.x]\ntarget = 'a:B'\nkwarg = {}": 'unknown key "kwarg"; did you mean "kwargs"?',
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_one_line_with_its_key(text: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[tool.shapecheck.{text}\n")
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path)
    assert MISTAKES[text] in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "size"), [("1", 1), ("500MB", 500 * 1000**2), ("4GiB", 4 * 1024**3), ("1.5 k", 1500), ("2TB", 2 * 1000**4)]
)
def test_sizes_are_read(text: str, size: int) -> None:
    assert parse_bytes(text) == size


@pytest.mark.parametrize("text", ["", "0", "GiB", "-1GB", "4 gigs", "nan"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected a size such as 500MB or 4GiB"):
        parse_bytes(text)
