"""The pytest plugin: guards around tests, and models as test cases.

`guards` is `pytest --shapecheck=mypkg`, `cases` the mark `shapecheck_case`, `collect` `pytest --shapecheck-run=TARGET`,
`failure` the text of a failed case, `recording` `pytest --shapecheck-record`. None of them is loaded, and neither is
torch, in runs that do not use them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from shapecheck.pytest_plugin.cases import CaseRunner

_GUARDS = "shapecheck"
_RUN = "shapecheck_run"
_RECORD_FILE = "shapecheck-record.json"
_MARKS = (
    "shapecheck(allow=[...], rules=[...]): exemptions and rules of the guard of a test",
    "shapecheck_case(target, ..., device='cpu', checks=[...], skip=[...]): models for the fixture `shapecheck_run`",
    "gpu: needs a CUDA device",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options and their counterparts in the configuration file."""
    group = parser.getgroup("shapecheck", "shapes, dtypes and layouts of tensors")
    group.addoption(
        "--shapecheck",
        action="append",
        default=[],
        metavar="PACKAGE[,PACKAGE]",
        help='check the annotations in these packages and guard every test ("" for guards only)',
    )
    group.addoption("--shapecheck-rules", metavar="CODE[,CODE]", help="rules of the guards: codes, default or all")
    group.addoption("--shapecheck-strict", action="store_true", help="raise an error at the line of each violation")
    group.addoption(
        "--shapecheck-run",
        action="append",
        default=[],
        metavar="TARGET",
        help="run the models of a directory, file, module or pkg.module:Class, each as a separate test",
    )
    group.addoption(
        "--shapecheck-record",
        nargs="?",
        const=_RECORD_FILE,
        metavar="FILE.json",
        help=f"record the shapes and dtypes of calls for `shapecheck annotate --from` (default file: {_RECORD_FILE})",
    )
    group.addoption("--shapecheck-device", metavar="DEVICE", help="device for models: cpu, cuda, cuda:N or fake")
    parser.addini(_GUARDS, "packages, as for --shapecheck", type="args", default=[])
    parser.addini(_RUN, "models, as for --shapecheck-run", type="args", default=[])


def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Runs before the first conftest.py can import the packages."""
    if _is_guarded(early_config):
        packages = _packages(early_config)
        if packages:
            from shapecheck.runtime import install_import_hook  # noqa: PLC0415

            early_config.add_cleanup(install_import_hook(packages).uninstall)

    if early_config.known_args_namespace.shapecheck_record is not None:
        if _is_guarded(early_config) and _packages(early_config):
            raise pytest.UsageError(
                "--shapecheck-record cannot be used with --shapecheck=PACKAGE, which changes code too"
            )
        from shapecheck.pytest_plugin.recording import start  # noqa: PLC0415

        start(early_config, early_config.known_args_namespace.shapecheck_record)


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marks and, if requested, the guards and the cases."""
    for mark in _MARKS:
        config.addinivalue_line("markers", mark)
    if _is_guarded(config):
        _require("torch")
        from shapecheck.pytest_plugin.guards import Guards  # noqa: PLC0415

        config.pluginmanager.register(Guards(config, _packages(config)), "shapecheck-guards")
    if config.getoption(_RUN) or config.getini(_RUN):
        _require()
        from shapecheck.pytest_plugin.collect import Collecting  # noqa: PLC0415

        config.pluginmanager.register(Collecting(config), "shapecheck-cases")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each case of the mark."""
    if metafunc.definition.get_closest_marker("shapecheck_case") is not None:
        from shapecheck.pytest_plugin.cases import parametrise  # noqa: PLC0415

        parametrise(metafunc)


@pytest.fixture
def shapecheck_run(request: pytest.FixtureRequest) -> CaseRunner:
    """Runs the model of the mark `shapecheck_case` when it is called, returns its CaseResult, and fails the test."""
    from shapecheck.pytest_plugin.cases import run_of  # noqa: PLC0415

    return run_of(request)


def _require(*packages: str) -> None:
    """End the session with one line if packages are missing: the given ones, or all that running models requires."""
    from shapecheck.harness.requirements import REQUIRED_PACKAGES, missing_requirements  # noqa: PLC0415

    why = missing_requirements(packages or REQUIRED_PACKAGES)
    if why is not None:
        raise pytest.UsageError(f"shapecheck: {why}")


def _is_guarded(config: pytest.Config) -> bool:
    return bool(config.known_args_namespace.shapecheck or config.getini(_GUARDS))


def _packages(config: pytest.Config) -> list[str]:
    given: list[str] = config.known_args_namespace.shapecheck or config.getini(_GUARDS)
    return [name for one in given for part in one.split(",") if (name := part.strip())]
