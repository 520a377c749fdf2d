"""`pytest --shapecheck=mypkg`, in real pytest processes."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests import forked

PACKAGE = """\
import torch
from jaxtyping import Float
from torch import Tensor


def scale(x: Float[Tensor, "b c"], by: Float[Tensor, "c"]) -> Float[Tensor, "b c"]:
    return x * by


def loss(scores: Tensor, target: Tensor) -> Tensor:
    return ((scores - target) ** 2).mean()


def flat(x: Tensor) -> Tensor:
    return x.t().view(-1)
"""

TESTS = """\
import pytest
import torch
from mypkg.model import flat, loss, scale


def test_right():
    assert scale(torch.ones(2, 3), torch.ones(3)).shape == (2, 3)


def test_wrong_annotation():
    scale(torch.ones(2, 3), torch.ones(1))


@pytest.mark.parametrize("n", [2, 3])
def test_outer(n):
    loss(torch.ones(n, 1), torch.ones(n))


def test_refused():
    flat(torch.ones(2, 3))


def test_refusal_that_is_expected():
    with pytest.raises(RuntimeError):
        flat(torch.ones(2, 3))


@pytest.mark.shapecheck(allow=["mypkg/model.py"])
def test_allowed():
    loss(torch.ones(4, 1), torch.ones(4))


@pytest.fixture
def wrong():
    return loss(torch.ones(5, 1), torch.ones(5))


def test_fixture(wrong):
    pass
"""

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "mypkg").mkdir()
    (tmp_path / "mypkg" / "__init__.py").touch()
    (tmp_path / "mypkg" / "model.py").write_text(PACKAGE)
    (tmp_path / "test_model.py").write_text(TESTS)
    (tmp_path / "conftest.py").write_text("import mypkg.model\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\naddopts = --strict-markers\n")
    return tmp_path


def run_pytest(python: str, project: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [python, "-m", "pytest", "-p", "no:cacheprovider", "-q", *options]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


@pytest.fixture
def run(project: Path) -> Run:
    return partial(run_pytest, forked.python(), project)


@pytest.fixture
def run_anew(project: Path) -> Run:
    """The same in a process that has imported nothing before."""
    return partial(run_pytest, sys.executable, project)


def section(output: str) -> list[str]:
    """The lines that the plugin adds to the report."""
    lines = output.splitlines()
    start = next((n for n, line in enumerate(lines) if "= shapecheck: " in line), len(lines))
    found = [line.strip("=").rstrip() for line in lines[start:]]
    return [found[0].strip(), *(one for one in found[1:] if one.startswith(("mypkg", "test_model", "    in")))]


@pytest.mark.parametrize("processes", [0, 2], ids=["one process", "xdist"])
def test_the_report(run: Run, processes: int) -> None:
    done = run("--shapecheck=mypkg", *forked.xdist(processes))
    assert "2 failed, 6 passed" in done.stdout
    assert 'scale(by): expected dimension 0 ("c") to be 3, got 1 (c was bound by x[1])' in done.stdout
    assert "explain_arguments" not in done.stdout  # what is shown ends at the call in the test
    title, outer, tests, refused, refusing, wrong, annotated, *_ = section(done.stdout)
    assert title == "shapecheck: 5 violations at 3 lines"
    assert outer.startswith("mypkg/model.py:11: warning: both operands are broadcast: (")
    assert outer.endswith(") [silent-broadcast] (3 times)")
    assert sorted(tests.removeprefix("    in ").split(", ")) == [
        "test_model.py::test_fixture",
        "test_model.py::test_outer[2]",
        "test_model.py::test_outer[3]",
    ]
    assert refused.startswith("mypkg/model.py:15: error: view size is not compatible")
    assert refusing == "    in test_model.py::test_refused"
    assert wrong.startswith(
        'test_model.py:11: error: scale(by): expected dimension 0 ("c") to be 3, got 1 (c was bound by x[1]) '
        "[shape-mismatch]"
    )
    assert annotated == "    in test_model.py::test_wrong_annotation"


def test_refused_in_a_unittest(run: Run, tmp_path: Path) -> None:
    (tmp_path / "test_case.py").write_text(
        textwrap.dedent("""\
        import unittest
        import torch
        from mypkg.model import flat, scale

        class Cases(unittest.TestCase):
            def setUp(self):
                self.x = torch.ones(2, 3)

            def test_refused(self):
                flat(self.x)

            def test_wrong_annotation(self):
                scale(self.x, torch.ones(1))

            def test_refusal_that_is_expected(self):
                with self.assertRaises(RuntimeError):
                    flat(self.x)
        """)
    )
    done = run("--shapecheck=mypkg", "test_case.py")
    assert "2 failed, 1 passed" in done.stdout
    assert "shapecheck: 2 violations at 2 lines" in done.stdout
    assert "mypkg/model.py:15: error: view size is not compatible" in done.stdout
    assert 'test_case.py:13: error: scale(by): expected dimension 0 ("c") to be 3, got 1' in done.stdout


def test_without_the_option_nothing_happens(run_anew: Run) -> None:
    done = run_anew("-k", "outer or annotation")
    assert "3 passed" in done.stdout
    assert "shapecheck" not in done.stdout


def test_torch_is_not_imported_where_nobody_asks(run_anew: Run, tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("")
    (tmp_path / "test_model.py").write_text(
        "import sys\n\ndef test_it():\n    assert not {'torch', *PARTS} & sys.modules.keys()\n"
        "PARTS = 'shapecheck.runtime', 'shapecheck.harness', 'shapecheck.config'\n"
    )
    assert "1 passed" in run_anew().stdout


def test_strict(run: Run) -> None:
    done = run("--shapecheck=mypkg", "--shapecheck-strict", "-k", "outer")
    assert "2 failed" in done.stdout
    assert "GuardError" in done.stdout
    assert "guards/guard.py" not in done.stdout  # the traceback ends at the line that broadcasts
    assert "guards/mode.py" not in done.stdout


@pytest.mark.parametrize("processes", [0, 1], ids=["one process", "xdist"])
def test_a_package_that_no_test_imports_is_told(run: Run, processes: int) -> None:
    done = run("--shapecheck=mypkg,mypgk", "-k", "right", *forked.xdist(processes))
    told = "mypgk was never imported, so its annotations were not checked"
    assert (told in done.stdout) is not bool(processes)  # xdist's main process cannot know
    assert "mypkg was never imported" not in done.stdout


def test_guards_alone(run: Run) -> None:
    done = run("--shapecheck=", "-k", "outer or annotation")
    assert "3 passed" in done.stdout
    assert section(done.stdout)[0] == "shapecheck: 2 violations at 1 line"


def test_packages_in_the_configuration(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\nshapecheck = mypkg\n")
    assert "1 failed" in run("-k", "annotation").stdout


def test_rules(run: Run) -> None:
    done = run("--shapecheck=mypkg", "--shapecheck-rules=loss-broadcast", "-k", "outer")
    assert section(done.stdout) == ["shapecheck: no violations"]


def test_a_rule_that_is_none(run: Run) -> None:
    done = run("--shapecheck=mypkg", "--shapecheck-rules=outer")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert 'ERROR: shapecheck: unknown rule "outer"; available: default, all' in done.stderr


def test_a_mark_that_is_wrong(run: Run, tmp_path: Path) -> None:
    mark = "import pytest\n\n@pytest.mark.shapecheck(alow=['x'])\ndef test_it():\n    pass\n"
    (tmp_path / "test_model.py").write_text(mark)
    assert "mark shapecheck takes allow=[...] and rules=[...]" in run("--shapecheck=mypkg").stdout


def test_junit(run: Run, tmp_path: Path) -> None:
    run("--shapecheck=mypkg", "--junitxml=out.xml", "-k", "outer")
    properties = ET.parse(tmp_path / "out.xml").getroot().findall(".//property[@name='shapecheck']")
    assert [one.get("value", "")[:60] for one in properties] == [
        "mypkg/model.py:11: warning: both operands are broadcast: (2, 1) - (2,) -> (2, 2)"[:60],
        "mypkg/model.py:11: warning: both operands are broadcast: (3, 1) - (3,) -> (3, 3)"[:60],
    ]
