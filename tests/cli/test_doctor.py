"""`shapecheck doctor`: what is installed, which front ends work, and the exit code."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import EntryPoint, PackageNotFoundError
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from shapecheck import __version__
from shapecheck.cli import doctor, main
from shapecheck.cli._doctor import front_ends, packages
from shapecheck.cli._doctor.packages import PACKAGES, Package, installation
from shapecheck.config.load import parse_toml

ROOT = Path(__file__).resolve().parents[2]
PLUGIN = EntryPoint("shapecheck", "shapecheck.pytest_plugin", "pytest11")
EVERYTHING = {
    "torch": "2.13.0+cpu", "jaxtyping": "0.3.11", "beartype": "0.23.1", "psutil": "7.2.2", "jinja2": "3.1.6",
    "mypy": "2.4.1", "libcst": "1.9.0", "pygls": "2.1.1", "lsprotocol": "2025.0.0", "pytest": "9.2.0",
}  # fmt: skip
MYPY_LINE = "[mypy]\nplugins = shapecheck.mypy\n"
MYPY_TABLE = '[tool.mypy]\nplugins = ["numpy.typing.mypy_plugin", "shapecheck.mypy"]\n'
ALWAYS = {"check", "fix", "annotate"}


class Here:
    """What is installed, and the project."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.installed: dict[str, str | None] = dict(EVERYTHING)
        self.plugins = [PLUGIN]
        monkeypatch.setattr(packages, "find_spec", lambda name: find_spec("json") if name in self.installed else None)
        monkeypatch.setattr(packages.metadata, "version", self._version)
        monkeypatch.setattr(front_ends, "entry_points", lambda group: self.plugins)
        monkeypatch.setattr(doctor, "conflict", lambda: None)

    def _version(self, name: str) -> str:
        if version := self.installed.get(name):
            return version
        raise PackageNotFoundError(name)

    def without(self, *names: str) -> Here:
        for name in names:
            del self.installed[name]
        return self

    def write(self, **files: str) -> Here:
        """Files by name, with `__` for a dot."""
        for name, text in files.items():
            (self.folder / name.replace("__", ".")).write_text(text)
        return self

    def run(self) -> tuple[int, dict[str, Any]]:
        result = CliRunner().invoke(main, ["doctor", "--format", "json", str(self.folder)])
        return result.exit_code, json.loads(result.stdout)

    def text(self) -> tuple[int, str]:
        result = CliRunner().invoke(main, ["doctor", str(self.folder)])
        return result.exit_code, result.stdout

    def front_end(self, name: str) -> tuple[int, dict[str, Any]]:
        code, report = self.run()
        [found] = [one for one in report["front_ends"] if one["name"] == name]
        return code, found


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Here:
    return Here(tmp_path, monkeypatch)


def test_everything_works(here: Here) -> None:
    code, report = here.run()
    assert (code, report["problems"]) == (0, [])
    assert {one["name"]: one["version"] for one in report["packages"]} == EVERYTHING
    assert all(one["works"] and one["configured_in"] is None for one in report["front_ends"])
    assert {one["name"] for one in report["front_ends"] if one["expected"]} == ALWAYS
    assert (report["tool"]["version"], report["python"]["executable"]) == (__version__, sys.executable)


def test_the_text_says_the_same(here: Here) -> None:
    code, text = here.without("pygls").write(pyproject__toml=MYPY_TABLE).text()
    assert code == 0
    assert text.startswith(f"shapecheck {__version__} on Python 3.")
    lines = re.sub(" +", " ", text).splitlines()
    assert {" torch 2.13.0+cpu", " pygls not installed", " check works"} <= set(lines)
    assert " mypy plugin works (configured in pyproject.toml)" in lines
    assert ' lsp unavailable: pygls is not installed; run: pip install "torch-shapecheck[lsp]"' in lines
    assert lines[-1] == "All that is configured works"


def test_what_is_configured_and_does_not_work_is_an_error(here: Here) -> None:
    code, text = here.without("psutil").write(pyproject__toml="[tool.shapecheck.run]\n").text()
    assert code == 1
    assert "unavailable (configured in pyproject.toml): psutil is not installed; run: pip install" in text
    assert text.splitlines()[-1] == "Found 1 front end to fix: run"


@pytest.mark.parametrize("name", sorted({"torch", "mypy", "pytest", "pygls", "lsprotocol"}))
def test_what_is_not_configured_may_be_missing(here: Here, name: str) -> None:
    code, report = here.without(name).run()
    assert code == 0
    assert [one["fix"] for one in report["front_ends"] if one["problem"]]


def test_packages_that_are_not_installed_are_named_together(here: Here) -> None:
    _, found = here.without("torch", "psutil").front_end("run")
    assert found["problem"] == "torch and psutil are not installed"


def test_the_core_must_be_there(here: Here) -> None:
    code, found = here.without("libcst").front_end("fix")
    assert code == 1
    assert (found["problem"], found["fix"]) == ("libcst is not installed", "run: pip install torch-shapecheck")


@pytest.mark.parametrize(
    ("package", "version", "problem"),
    [
        ("mypy", "2.3.9", "expected mypy 2.4 or newer, got 2.3.9"),
        ("mypy", "2.4.0", None),
        ("mypy", "2.5.0", "expected mypy older than 2.5, got 2.5.0"),
        ("torch", "2.3.1+cu121", "expected torch 2.4 or newer, got 2.3.1+cu121"),
        ("torch", "2.10.0a0+git123", None),
        ("torch", None, None),  # built without metadata
        ("pygls", "1.3.1", "expected pygls 2.1 or newer, got 1.3.1"),
        ("pygls", "3.0", "expected pygls older than 3, got 3.0"),
    ],
)
def test_a_version_that_does_not_work(here: Here, package: str, version: str | None, problem: str | None) -> None:
    here.installed[package] = version
    front_end = {"mypy": "mypy plugin", "torch": "run", "pygls": "lsp"}[package]
    assert here.front_end(front_end)[1]["problem"] == problem


@pytest.mark.parametrize(
    ("files", "file"),
    [
        ({"pyproject__toml": MYPY_TABLE}, "pyproject.toml"),
        ({"pyproject__toml": '[tool.mypy]\nplugins = "shapecheck.mypy"\n'}, "pyproject.toml"),
        ({"mypy__ini": MYPY_LINE}, "mypy.ini"),
        ({"mypy__ini": "[mypy]\nplugins =\n  numpy.typing.mypy_plugin,\n  shapecheck.mypy\n"}, "mypy.ini"),
        ({"setup__cfg": MYPY_LINE}, "setup.cfg"),
        ({"setup__cfg": MYPY_LINE, "pyproject__toml": "[tool.black]\n"}, "setup.cfg"),
        ({"pyproject__toml": "[tool.mypy]\nstrict = true\n"}, None),
        ({"mypy__ini": "[mypy]\nplugins = other.shapecheck.mypy\n"}, None),
        ({"mypy__ini": "not an ini file"}, None),
    ],
)
def test_where_the_mypy_plugin_is_configured(here: Here, files: dict[str, str], file: str | None) -> None:
    code, found = here.write(**files).front_end("mypy plugin")
    assert (code, found["configured_in"], found["works"]) == (0, file, True)


@pytest.mark.parametrize("first", ["", "[mypy]\nstrict = true\n"])
def test_a_file_that_mypy_does_not_read(here: Here, first: str) -> None:
    code, found = here.write(pyproject__toml=MYPY_TABLE, mypy__ini=first).front_end("mypy plugin")
    assert code == 1
    assert found["problem"] == "mypy reads mypy.ini instead of pyproject.toml"
    assert found["fix"] == "write plugins = shapecheck.mypy under [mypy] in mypy.ini"


@pytest.mark.parametrize(
    ("files", "file"),
    [
        ({"pyproject__toml": '[tool.pytest.ini_options]\nshapecheck = ["pkg"]\n'}, "pyproject.toml"),
        ({"pyproject__toml": '[tool.pytest.ini_options]\naddopts = "-q --shapecheck=pkg"\n'}, "pyproject.toml"),
        ({"pytest__ini": "[pytest]\nshapecheck_run = src/models\n"}, "pytest.ini"),
        ({"tox__ini": "[pytest]\naddopts = --shapecheck-run=a.py\n"}, "tox.ini"),
        ({"setup__cfg": "[tool:pytest]\nshapecheck = pkg\n"}, "setup.cfg"),
        ({"pytest__ini": "[pytest]\naddopts = -q\n", "setup__cfg": "[tool:pytest]\nshapecheck = pkg\n"}, None),
    ],
)
def test_where_the_pytest_plugin_is_configured(here: Here, files: dict[str, str], file: str | None) -> None:
    code, found = here.write(**files).without("torch").front_end("pytest plugin")
    assert (code, found["configured_in"]) == (0 if file is None else 1, file)
    assert found["fix"] == 'run: pip install "torch-shapecheck[torch]"'


def test_a_plugin_that_pytest_does_not_know(here: Here) -> None:
    here.plugins = []
    assert here.front_end("pytest plugin")[1]["problem"] == "pytest does not know the plugin"


@pytest.mark.parametrize(
    ("table", "name"), [("run", "run"), ("guard", "checked")]
)  # fmt: skip
def test_a_table_of_ours_configures_its_front_end(here: Here, table: str, name: str) -> None:
    code, found = here.write(pyproject__toml=f"[tool.shapecheck.{table}]\n").without("jaxtyping").front_end(name)
    assert (code, found["configured_in"]) == (1, "pyproject.toml")


def test_the_configuration_is_that_of_the_project_around_the_directory(here: Here) -> None:
    here.write(pyproject__toml=MYPY_TABLE).folder /= "src"
    here.folder.mkdir()
    assert here.front_end("mypy plugin")[1]["configured_in"] == "pyproject.toml"


def test_an_invalid_configuration_is_a_problem(here: Here) -> None:
    code, report = here.write(pyproject__toml="[tool.shapecheck]\njobs = 'many'\n").run()
    assert code == 1
    [problem] = report["problems"]
    assert problem.endswith('tool.shapecheck.jobs: expected a positive integer, got "many"')


def test_the_other_package_is_a_problem(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "conflict", lambda: "a different package")
    assert here.text() == (1, here.text()[1])
    assert here.text()[1].splitlines()[-1] == "a different package"


def test_the_versions_are_those_of_the_project() -> None:
    project = parse_toml((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {"": project["dependencies"], **project["optional-dependencies"]}
    for one in PACKAGES:
        if one.extra is not None:
            assert _requirement(one) in extras[one.extra]


def _requirement(one: Package) -> str:
    below = f",<{'.'.join(map(str, one.below))}" if one.below else ""
    return f"{one.name}>={'.'.join(map(str, one.oldest))}{below}"


@pytest.mark.parametrize(
    ("names", "command"),
    [
        (["torch", "psutil"], 'pip install "torch-shapecheck[torch]"'),
        (["torch", "mypy"], 'pip install "torch-shapecheck[mypy,torch]"'),
        (["pytest"], "pip install pytest"),
        (["pytest", "torch"], 'pip install "torch-shapecheck[torch]" pytest'),
        (["libcst"], "pip install torch-shapecheck"),
    ],
)
def test_one_command_installs_what_is_missing(names: list[str], command: str) -> None:
    assert installation(one for one in PACKAGES if one.name in names) == command


def test_a_directory_of_that_name_is_not_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "some_folder_here").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert find_spec("some_folder_here") is not None
    assert not Package("some_folder_here", None, ()).is_installed


def test_it_imports_nothing_that_it_reports() -> None:
    program = (
        "import sys; from shapecheck.cli import main; main(['doctor'], standalone_mode=False);"
        f"print(sorted({ {one.name for one in PACKAGES} } & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")
