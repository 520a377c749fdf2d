"""The mypy plugin: `plugins = shapecheck.mypy` gives every call of a module the type of its `forward`.

`hooks` is the table of hooks and `calls` binds `forward`. What a Sequential, ModuleList or ModuleDict holds
travels as `knowledge` on its type: `containers` learns it where one is built, off the `elements` of the
constructor call; `scan` and `facts` say whether the rest of the file lets us trust it; `reading` tells mypy
where it is indexed or iterated. Imports mypy and nothing of ours but the diagnostics.
"""

from __future__ import annotations

from hashlib import sha1
from pathlib import Path

from mypy.plugin import Plugin

from shapecheck.mypy.hooks import ShapecheckPlugin


def _digest() -> str:
    sources = sorted(Path(__file__).parent.glob("*.py"))
    return sha1(b"".join(path.read_bytes() for path in sources), usedforsecurity=False).hexdigest()


# mypy hashes only this file and its `__version__`; a change in any sibling must empty its cache too.
__version__ = _digest()


def plugin(version: str) -> type[Plugin]:
    """Mypy's entry point."""
    return ShapecheckPlugin
