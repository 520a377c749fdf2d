"""The built page in a real browser. It loads once: it takes seconds, and its tests leave it as they found it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.harness.show.browser import started
from tests.playground.page import BUILT, HOW_TO_BUILD, Playground, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    if not (BUILT / "shapecheck.zip").is_file():
        pytest.skip(HOW_TO_BUILD)
    with served(BUILT) as where:
        yield where


@pytest.fixture(scope="session")
def browser(address: str) -> Iterator[Browser]:
    with started() as one:
        yield one


@pytest.fixture(scope="session")
def loaded(browser: Browser, address: str) -> Iterator[Playground]:
    """The page, with a permission to write to the clipboard."""
    page = Playground(browser, address, permissions=["clipboard-read", "clipboard-write"])
    yield page.open()
    page.close()


@pytest.fixture
def page(loaded: Playground) -> Playground:
    """The page with the first example."""
    loaded.page.set_viewport_size({"width": 1400, "height": 900})
    loaded.page.select_option("#example", "layers")
    loaded.page.select_option("#example", "broadcast")
    return loaded.answered()
