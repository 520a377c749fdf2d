"""The pytest plugin: guards around tests, and models as test cases.

`guards` is `pytest --shapecheck=mypkg`, `cases` the mark `shapecheck_case`, `collect` `pytest --shapecheck-run=TARGET`,
`failure` what a failed case prints. Nothing of them is loaded, torch least of all, in runs that do not ask for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from shapecheck.pytest_plugin.cases import CaseRunner

_GUARDS = "shapecheck"
_RUN = "shapecheck_run"
_MARKS = (
    "shapecheck(allow=[...], rules=[...]): what the guard of a test leaves alone, and looks for",
    "shapecheck_case(target, ..., device='cpu', checks=[...], skip=[...]): the models that `shapecheck_run` runs",
    "gpu: needs a CUDA device",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options, and their counterparts in the configuration file."""
    group = parser.getgroup("shapecheck", "shapes, dtypes and layouts of tensors")
    group.addoption(
        "--shapecheck",
        action="append",
        default=[],
        metavar="PACKAGE[,PACKAGE]",
        help="check the annotations in these packages and guard every test ('' for the guards alone)",
    )
    group.addoption("--shapecheck-rules", metavar="CODE[,CODE]", help="what guards look for: codes, default, all")
    group.addoption("--shapecheck-strict", action="store_true", help="what guards find is an error where it happens")
    group.addoption(
        "--shapecheck-run",
        action="append",
        default=[],
        metavar="TARGET",
        help="run the models of a folder, file, module or pkg.module:Class, each as a test of its own",
    )
    group.addoption("--shapecheck-device", metavar="DEVICE", help="where models are run: cpu, cuda, cuda:N or fake")
    parser.addini(_GUARDS, "packages, as for --shapecheck", type="args", default=[])
    parser.addini(_RUN, "models, as for --shapecheck-run", type="args", default=[])


def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Before the first conftest.py can import the packages."""
    if _is_guarded(early_config):
        packages = _packages(early_config)
        if packages:
            from shapecheck.runtime import install_import_hook  # noqa: PLC0415

            early_config.add_cleanup(install_import_hook(packages).uninstall)


def pytest_configure(config: pytest.Config) -> None:
    """Enters the marks and, where they are asked for, the guards and the cases."""
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
    """Runs the model of the mark `shapecheck_case` when it is called, gives its CaseResult, and fails the test."""
    from shapecheck.pytest_plugin.cases import run_of  # noqa: PLC0415

    return run_of(request)


def _require(*packages: str) -> None:
    """End the session in a line where packages are missing: those, or all that running models needs."""
    from shapecheck.harness.requirements import REQUIRED_PACKAGES, missing_requirements  # noqa: PLC0415

    why = missing_requirements(packages or REQUIRED_PACKAGES)
    if why is not None:
        raise pytest.UsageError(f"shapecheck: {why}")


def _is_guarded(config: pytest.Config) -> bool:
    return bool(config.known_args_namespace.shapecheck or config.getini(_GUARDS))


def _packages(config: pytest.Config) -> list[str]:
    given: list[str] = config.known_args_namespace.shapecheck or config.getini(_GUARDS)
    return [name for one in given for part in one.split(",") if (name := part.strip())]
