"""Settings that all tests share."""

from __future__ import annotations

import compileall
import gc
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from shapecheck.project import garbage
from tests import forked, order, quick
from tests.amount import examples
from tests.distribution import FileScheduling

# The tensors of tests are small: several threads would only wait for each other. Processes that tests start inherit it.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Machines that run tests are shared: no test fails for being slow. CI draws the same examples each time.
settings.register_profile(
    "shapecheck", max_examples=examples(100), deadline=None, derandomize=bool(os.environ.get("CI"))
)
settings.load_profile("shapecheck")

# `check` collects garbage after so many characters of source. Here a collection goes through all that tests import.
garbage.WORTH_COLLECTING *= 10

PACKAGE = Path(__file__).resolve().parents[1] / "shapecheck"


def pytest_configure(config: pytest.Config) -> None:
    """Many processes that tests start import the package: it is compiled once, also where Python keeps no bytecode.

    The workers of tests are forked from a server that has imported torch, and the server from another one.
    """
    if hasattr(config, "workerinput"):
        if "forked" in config.workerinput:
            forked.share(config.workerinput["forked"])
    else:
        compileall.compile_dir(PACKAGE, quiet=2, workers=0)
    forked.fork_fork_servers()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """The processes of xdist fork from one server, which few of the quick tests need: they start it themselves."""
    if node.config.option.markexpr != quick.MARKER:
        node.workerinput["forked"] = str(forked.commands())


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> FileScheduling | None:
    return FileScheduling(config, log) if config.option.dist == "loadfile" else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Tests and torch stay until the end: the garbage collector does not look at them while they load."""
    gc.disable()
    yield
    gc.freeze()
    gc.unfreeze()  # now they are in the oldest generation; while anything is frozen, `check` is slower
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Pytest and Python collect garbage several times before the process ends: only this time looks at all objects."""
    gc.collect()
    gc.freeze()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `-m quick`, no other file is read."""
    is_skipped = config.option.markexpr == quick.MARKER and collection_path.suffix == ".py"
    return True if is_skipped and not quick.is_read(collection_path) else None


def pytest_itemcollected(item: pytest.Item) -> None:
    if quick.is_quick(item.path, getattr(item, "originalname", item.name)):
        item.add_marker(quick.MARKER)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: order.place(item.path))
