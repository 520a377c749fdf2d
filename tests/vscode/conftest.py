"""A window of VS Code for each test, from one server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from docs.neovim import PROGRAM
from docs.vscode_window import HOW_TO_BUILD, Window, is_built, served
from tests.harness.show.browser import started

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if not is_built():
        pytest.skip(HOW_TO_BUILD)
    with served(tmp_path_factory.mktemp("vscode")) as where:
        yield where


@pytest.fixture(scope="session")
def browser(address: str) -> Iterator[Browser]:
    with started() as one:
        yield one


@pytest.fixture
def window(browser: Browser, address: str, tmp_path: Path) -> Iterator[Window]:
    file = tmp_path / "block.py"
    file.write_text(PROGRAM)
    (tmp_path / "pyproject.toml").touch()
    one = Window(browser, address, file)
    yield one
    one.close()
