"""What is published, built and installed once for all tests of a process."""

from __future__ import annotations

import pytest

from tests.published.building import Built, build
from tests.published.environments import Environment


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("dist")
    build(folder)
    [sdist], [wheel] = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return Built(sdist, wheel)


@pytest.fixture(scope="session")
def core(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """What `pip install torch-shapecheck` gives."""
    return Environment(tmp_path_factory.mktemp("core"), built.wheel)


@pytest.fixture(scope="session")
def with_mypy(built: Built, core: Environment, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """What `pip install torch-shapecheck[mypy]` gives."""
    return Environment(tmp_path_factory.mktemp("mypy"), built.wheel, "mypy", like=core)


@pytest.fixture(scope="session")
def with_torch(built: Built, core: Environment, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """What `pip install torch-shapecheck[torch]` gives."""
    return Environment(tmp_path_factory.mktemp("torch"), built.wheel, "torch", like=core)


@pytest.fixture(scope="session")
def with_test(built: Built, core: Environment, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """What `pip install torch-shapecheck[test]` gives."""
    return Environment(tmp_path_factory.mktemp("test"), built.wheel, "test", like=core)


@pytest.fixture(scope="session")
def beside_pytest(built: Built, core: Environment, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """What `pip install torch-shapecheck pytest` gives."""
    return Environment(tmp_path_factory.mktemp("pytest"), built.wheel, beside=("pytest",), like=core)
