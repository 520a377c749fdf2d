"""The mypy plugin: `plugins = shapecheck.mypy` types every call of a module, and reports what `shapecheck check` finds.

`hooks` is the table of hooks. For the types, `calls` binds `forward`, and what a Sequential, ModuleList or ModuleDict
holds travels as `knowledge` on its type: `containers` learns it where one is built, off the `elements` of the
constructor call; `scan` and `facts` say whether the rest of the file lets us trust it; `reading` tells mypy where it is
indexed or iterated. For the findings, `checks` knows when to report, `findings` runs the engine of `static`, or `ahead`
has another process do that, `reach` says what they depend on, `daemon` has files looked at again, `codes`, `chosen` and
`report` make messages of mypy's.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha1
from pathlib import Path

from mypy.plugin import Plugin

from shapecheck.mypy.hooks import ShapecheckPlugin

_USED = ("config.py", "diagnostics", "mypy", "ops", "project", "settings.py", "spec", "static")
"""What can change the types and findings: files and folders of the package."""


def _digest() -> str:
    digest = sha1(usedforsecurity=False)
    package = str(Path(__file__).parents[1])
    for name in _USED:
        for path in _sources(f"{package}{os.sep}{name}"):
            with open(path, "rb") as stream:  # noqa: PTH123 - at every start of mypy, so quick
                digest.update(stream.read())
    return digest.hexdigest()


def _sources(path: str) -> Iterator[str]:
    if path.endswith(".py"):
        yield path
    elif os.path.isdir(path) and not path.endswith("__pycache__"):  # noqa: PTH112
        for name in sorted(os.listdir(path)):  # noqa: PTH208
            yield from _sources(f"{path}{os.sep}{name}")


# mypy hashes only this file and its `__version__`; a change in any other must empty its cache too.
__version__ = _digest()


def plugin(version: str) -> type[Plugin]:
    """Mypy's entry point."""
    return ShapecheckPlugin
