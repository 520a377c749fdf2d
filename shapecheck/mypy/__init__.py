"""The mypy plugin: `plugins = shapecheck.mypy` types every call of a module, and reports what `shapecheck check` finds.

`hooks` is the table of hooks. For the types, `calls` binds `forward`. The items of a Sequential, ModuleList or
ModuleDict are stored in its type (`container_items`): `containers` infers them where one is constructed, from the
`elements` of the constructor call; `scan` and `file_scan` say whether the rest of the file allows that;
`container_access` gives the type of an index or iteration. For the findings, `checks` decides when to report,
`findings` runs the engine of `static`, or `prefetch` a second process that does, `import_closure` says what they depend
on, `daemon` makes files be checked again, `codes`, `selections` and `report` make messages of mypy.
"""

from __future__ import annotations

import re
from pathlib import Path

import mypy
from mypy.errors import CompileError
from mypy.plugin import Plugin

from shapecheck.project.source_digest import sources_digest

_USED = ("config", "diagnostics", "mypy", "ops", "project", "selection.py", "spec", "static")
"""What can change the types and findings: files and folders of the package."""

# mypy hashes only this file and its `__version__`; a change in any other must empty its cache too.
__version__ = sources_digest(_USED)


_OLDEST = (2, 4)


def plugin(version: str) -> type[Plugin]:
    """Mypy's entry point; a mypy that lacks the hooks says so in one line, for editors may bring an old one."""
    if tuple(map(int, re.findall(r"\d+", version)[:2])) < _OLDEST:
        wanted = ".".join(map(str, _OLDEST))
        where = Path(mypy.__file__).parent
        raise CompileError(
            [f"shapecheck.mypy: error: mypy {wanted} or newer is needed; this is {version}, from {where}"]
        )
    from shapecheck.mypy.hooks import ShapecheckPlugin  # noqa: PLC0415 - an old mypy lacks what it imports

    return ShapecheckPlugin
