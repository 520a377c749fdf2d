"""The mypy plugin: `plugins = shapecheck.mypy` types every call of a module, and reports what `shapecheck check` finds.

`versions` says which versions of mypy are supported. `hooks` is the table of hooks. For the types, `calls` binds
`forward`, and what a Sequential, ModuleList or ModuleDict holds travels as `knowledge` on its type: `containers`
learns it where one is built, off the `elements` of the constructor call; `scan` and `facts` say whether the rest of
the file lets us trust it; `reading` tells mypy where it is indexed or iterated. For the findings, `checks` knows when
to report, `findings` runs the engine of `static`, or `ahead` has another process do that, `reach` says what they
depend on, `daemon` has files looked at again, `codes`, `chosen` and `report` make messages of mypy's.
"""

from __future__ import annotations

from mypy.plugin import Plugin

from shapecheck.mypy.versions import Disabled, is_supported, register_codes
from shapecheck.project.own import sources_digest

_USED = ("config", "diagnostics", "mypy", "ops", "project", "selection.py", "spec", "static")
"""What can change the types and findings: files and folders of the package."""

# mypy hashes only this file and its `__version__`; a change in any other must empty its cache too.
__version__ = sources_digest(_USED)


def plugin(version: str) -> type[Plugin]:
    """Mypy's entry point. Under a mypy that is not supported one line says so: editors may bring an old one."""
    if not is_supported(version):
        register_codes()
        return Disabled
    from shapecheck.mypy.hooks import ShapecheckPlugin  # noqa: PLC0415 - another mypy may lack what it imports

    return ShapecheckPlugin
