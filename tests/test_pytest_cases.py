"""`@pytest.mark.shapecheck_case` and `pytest --shapecheck-run`, in real pytest processes."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests import forked

HEAD = """\
import torch
from jaxtyping import Float
from torch import Tensor, nn


"""
MODELS = (
    HEAD
    + """\
class Good(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(8, 16)

    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 16"]:
        return doubled(self.up(x))


def doubled(x: Float[Tensor, "b 16"]) -> Float[Tensor, "b 16"]:
    return x + x


class Bad(nn.Module):
    def forward(self, x: Float[Tensor, "b n"]) -> Float[Tensor, "b n"]:
        x = x * 2
        return x.t()


class Needy(nn.Module):
    def __init__(self, width):
        super().__init__()

    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 8"]:
        return x
"""
)
HELPER = (
    HEAD
    + """\
class Inside(nn.Module):
    def forward(self, x: Float[Tensor, "b n"]) -> Float[Tensor, "b n"]:
        return once(x)


def once(x: Float[Tensor, "b n"]) -> Float[Tensor, "n b"]:
    return x
"""
)
BROKEN = "import shapecheck\nimport nowhere\n"
TESTS = """\
import random

import numpy
import pytest
import torch
from mypkg.helper import Inside, once
from mypkg.net import Good


@pytest.mark.shapecheck_case("mypkg")
def test_all(shapecheck_run):
    shapecheck_run()


@pytest.mark.shapecheck_case([Good], seed=3)
def test_class(shapecheck_run):
    before = torch.random.get_rng_state(), random.getstate(), numpy.random.get_state()[1].tolist()
    result = shapecheck_run()
    assert (result.name, result.seed, result.inputs.keys()) == ("mypkg.net:Good", 3, {"x"})
    assert [check.name for check in result.checks] == ["contract"]
    assert torch.equal(before[0], torch.random.get_rng_state())
    assert before[1:] == (random.getstate(), numpy.random.get_state()[1].tolist())


@pytest.mark.shapecheck_case("mypkg.net:Bad", checks=["sweep"])
def test_looks_at_the_result(shapecheck_run):
    result = shapecheck_run(fail=False)
    assert {one.code for one in result.diagnostics} == {"shape-mismatch"}
    assert [check.name for check in result.checks] == ["contract", "sweep"]


@pytest.mark.shapecheck_case([Inside])
def test_imported_before_it_could_be_checked(shapecheck_run):
    assert "once(return)" in shapecheck_run(fail=False).diagnostics[0].message
    assert once(torch.ones(2, 3)).shape == (2, 3)  # as before: not checked
"""

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def project(folder: Path) -> Run:
    (folder / "mypkg").mkdir()
    for name, text in (("__init__", ""), ("net", MODELS), ("helper", HELPER), ("broken", BROKEN)):
        (folder / "mypkg" / f"{name}.py").write_text(text)
    (folder / "test_models.py").write_text(TESTS)
    (folder / "pytest.ini").write_text("[pytest]\npythonpath = .\naddopts = --strict-markers\n")
    (folder / "pyproject.toml").write_text('[tool.shapecheck.run]\nchecks = ["contract"]\n')

    def run(*options: str) -> subprocess.CompletedProcess[str]:
        command = [forked.python(), "-m", "pytest", "-p", "no:cacheprovider", "-v", *options]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)

    return run


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return project(tmp_path)


def outcomes(output: str) -> dict[str, str]:
    """By test, from the lines of `-v`."""
    lines = re.findall(r"^(\S+::\S+) (PASSED|FAILED|SKIPPED|ERROR)", output, re.M)
    xdist = re.findall(r"^\[gw\d\] .*? (PASSED|FAILED|SKIPPED|ERROR) (\S+::\S+)", output, re.M)
    return dict(lines) | {name: outcome for outcome, name in xdist}


EXPECTED = {
    "test_models.py::test_all[mypkg.broken]": "FAILED",
    "test_models.py::test_all[mypkg.helper:Inside]": "FAILED",
    "test_models.py::test_all[mypkg.net:Good]": "PASSED",
    "test_models.py::test_all[mypkg.net:Bad]": "FAILED",
    "test_models.py::test_all[mypkg.net:Needy]": "SKIPPED",
    "test_models.py::test_class": "PASSED",
    "test_models.py::test_looks_at_the_result": "PASSED",
    "test_models.py::test_imported_before_it_could_be_checked": "PASSED",
}
COLLECTED = {
    "mypkg/broken.py::import": "FAILED",
    "mypkg/helper.py::Inside": "FAILED",
    "mypkg/net.py::Good": "PASSED",
    "mypkg/net.py::Bad": "FAILED",
    "mypkg/net.py::Needy": "SKIPPED",
}


@pytest.mark.parametrize("processes", [0, 2], ids=["one process", "xdist"])
def test_each_case_is_a_test(run: Run, processes: int) -> None:
    done = run("--shapecheck-run=mypkg", "-rs", "--junitxml=out.xml", *forked.xdist(processes))
    assert outcomes(done.stdout) == EXPECTED | COLLECTED
    assert "mypkg/net.py:25: constructor requires width; add defaults or @shapecheck.case(kwargs=" in done.stdout


NEEDS_FUNCARGS = """\
import pytest

@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    if not hasattr(item, "funcargs"):
        return
    yield
"""
"""As the plugin of pytest-lsp 1.0."""


def test_a_model_runs_under_plugins_that_read_the_fixtures_of_each_test(run: Run, tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(NEEDS_FUNCARGS)
    done = run("--shapecheck-run=mypkg.net:Good", "-k", "not test_models")
    assert outcomes(done.stdout) == {"mypkg/net.py::Good": "PASSED"}, done.stdout


def test_the_report(run: Run, tmp_path: Path) -> None:
    done = run("--shapecheck-run=mypkg/net.py", "--junitxml=out.xml", "-k", "mypkg/net.py")
    assert outcomes(done.stdout) == {name: outcome for name, outcome in COLLECTED.items() if "net" in name}
    message = 'Bad.forward(return): expected dimension 0 ("b") to be '
    failure = done.stdout.partition("= FAILURES =")[2]
    assert re.search(
        rf"""^mypkg\.net:Bad on cpu: {re.escape(message)}.* \[shape-mismatch\]

    def forward\(self, x: Float\[Tensor, "b n"\]\) -> Float\[Tensor, "b n"\]:
        x = x \* 2
>       return x\.t\(\)
E       {re.escape(message)}.*

mypkg/net\.py:22: error \[shape-mismatch\]$""",
        failure,
        re.M,
    )
    assert f"FAILED mypkg/net.py::Bad - Failed: mypkg.net:Bad on cpu: {message}"[:60] in done.stdout
    properties = ET.parse(tmp_path / "out.xml").getroot().findall(".//property[@name='shapecheck']")
    assert [one.get("value", "").startswith("mypkg/net.py:22: error: Bad.forward") for one in properties] == [True]


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (("--shapecheck-run=mypkg", "-m", "shapecheck_case", "-k", "Good"), ["test_all[mypkg.net:Good]", "Good"]),
        (("--shapecheck-run=mypkg.net:Good", "-k", "not test_models"), ["Good"]),
        (("--shapecheck-run=mypkg", "mypkg/net.py::Bad"), ["Bad"]),
        (("--shapecheck-run=mypkg/net.py", "test_models.py::test_class"), ["test_class", "Good", "Bad", "Needy"]),
        (("-o", "shapecheck_run=mypkg/net.py", "-k", "net.py"), ["Good", "Bad", "Needy"]),
        (("-o", "shapecheck_run=mypkg/net.py", "test_models.py::test_class"), ["test_class"]),
        (("--shapecheck-device=cuda", "-m", "gpu", "-k", "test_class"), ["test_class"]),
    ],
    ids=["marks", "one class", "an identifier", "with other tests", "ini", "ini and other tests", "gpu"],
)
def test_what_is_collected(run: Run, options: tuple[str, ...], found: list[str]) -> None:
    done = run("--collect-only", "-q", "-q", *options)
    lines = run("--collect-only", "-q", *options).stdout if "::" not in done.stdout else done.stdout
    assert [line.partition("::")[2] for line in lines.splitlines() if "::" in line] == found


def test_another_device(run: Run) -> None:
    done = run("--shapecheck-device=fake", "-k", "Good or Bad", "-s")
    assert outcomes(done.stdout) == {name: one for name, one in EXPECTED.items() if re.search("Good|:Bad", name)}
    assert "mypkg.net:Bad on fake: " in done.stdout


def test_without_a_gpu_the_cases_for_one_are_skipped(run: Run) -> None:
    import torch  # noqa: PLC0415

    if torch.cuda.is_available():
        pytest.skip("there is a GPU here")
    done = run("--shapecheck-device=cuda", "-rs", "-k", "Good or test_class")
    assert set(outcomes(done.stdout).values()) == {"SKIPPED"}
    assert "device cuda: no GPU available" in done.stdout


def test_a_case_that_declares_itself_fake_needs_no_gpu(run: Run, tmp_path: Path) -> None:
    declared = HELPER.replace('"n b"', '"b n"').replace("class Inside", "@shapecheck.case(device='fake')\nclass Inside")
    (tmp_path / "mypkg" / "helper.py").write_text(f"import shapecheck\n{declared}")
    done = run("--shapecheck-run=mypkg/helper.py", "--shapecheck-device=cuda", "-k", "helper.py")
    assert outcomes(done.stdout) == {"mypkg/helper.py::Inside": "PASSED"}


@pytest.mark.gpu
def test_with_a_gpu_they_run_there(run: Run) -> None:
    import torch  # noqa: PLC0415

    if not torch.cuda.is_available():
        pytest.skip("no GPU available")
    done = run("--shapecheck-device=cuda", "-k", "Good")
    assert outcomes(done.stdout) == {"test_models.py::test_all[mypkg.net:Good]": "PASSED"}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--shapecheck-run=mypk",), 'shapecheck: mypk: no such module, file or directory; did you mean "mypkg"?'),
        (
            ("--shapecheck-run=mypkg", "--shapecheck-device=tpu"),
            "shapecheck: expected a device cpu, cuda, cuda:N or fake, got tpu",
        ),
    ],
)
def test_what_cannot_be_asked_for(run: Run, options: tuple[str, ...], words: str) -> None:
    done = run(*options)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert words in done.stderr


@pytest.mark.parametrize(
    ("mark", "argument", "words"),
    [
        ("'mypkg.net:Goo'", "shapecheck_run", "mark shapecheck_case: mypkg.net:Goo has no models"),
        ("'mypkg.nets'", "shapecheck_run", 'mypkg.nets: no such module, file or directory; did you mean "mypkg.net"?'),
        ("'mypkg', skp=['sweep']", "shapecheck_run", "mark shapecheck_case takes targets"),
        ("", "shapecheck_run", "mark shapecheck_case takes targets"),
        (
            "'mypkg', skip=['swep']",
            "shapecheck_run",
            "mark shapecheck_case: skip: unknown check swep; available: contract",
        ),
        ("[type('A', (), {})]", "shapecheck_run", "expected a class or function at the top level, got A"),
        ("'mypkg'", "tmp_path", "mark shapecheck_case requires the fixture shapecheck_run as an argument of the test"),
    ],
)
def test_a_mark_that_is_wrong(run: Run, tmp_path: Path, mark: str, argument: str, words: str) -> None:
    text = f"import pytest\n\n@pytest.mark.shapecheck_case({mark})\ndef test_it({argument}):\n    pass\n"
    (tmp_path / "test_models.py").write_text(text)
    done = run()
    assert done.returncode == pytest.ExitCode.INTERRUPTED
    assert words in done.stdout


def test_the_fixture_without_a_mark(run: Run, tmp_path: Path) -> None:
    (tmp_path / "test_models.py").write_text("def test_it(shapecheck_run):\n    pass\n")
    assert 'fixture shapecheck_run requires the mark @pytest.mark.shapecheck_case("pkg.module:Class")' in run().stdout


def test_what_torch_records_while_it_compiles_is_not_in_the_report(run: Run, tmp_path: Path) -> None:
    test = TESTS.partition("@pytest")[0] + (
        "@pytest.mark.shapecheck_case([Inside], checks=['compiled'])\n"
        "def test_compiled(shapecheck_run):\n"
        "    assert 'compiled' in [check.name for check in shapecheck_run(fail=False).checks]\n"
        "    assert False\n"
    )
    (tmp_path / "mypkg" / "helper.py").write_text(HELPER.replace('"n b"', '"b n"'))
    (tmp_path / "test_models.py").write_text(test)
    done = run()
    assert outcomes(done.stdout) == {"test_models.py::test_compiled": "FAILED"}
    assert "torch.__trace" not in done.stdout


def test_guards_leave_cases_alone(run: Run) -> None:
    done = run("--shapecheck=", "--shapecheck-run=mypkg.net:Bad", "-k", "not test_models")
    assert outcomes(done.stdout) == {"mypkg/net.py::Bad": "FAILED"}
    assert "shapecheck: no violations" in done.stdout
