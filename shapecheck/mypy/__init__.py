"""The mypy plugin: `plugins = shapecheck.mypy` types every call of a module, and reports what `shapecheck check` finds.

`versions` says which versions of mypy are supported. `hooks` is the table of hooks. For the types, `calls` binds
`forward`. The items of a Sequential, ModuleList or ModuleDict are stored in its type (`container_items`): `containers`
infers them where one is constructed, from the `elements` of the constructor call; `scan` and `file_scan` check
whether the rest of the file allows that; `container_access` provides the type of an index or iteration. For the
findings, `checks` decides when to report, `findings` runs the engine of `static`, or `prefetch` a second process that
does, `import_closure` determines what they depend on, `daemon` causes files to be checked again, and `codes`,
`selections` and `report` turn them into mypy messages.
"""

from __future__ import annotations

from mypy.plugin import Plugin

from shapecheck.mypy.versions import Disabled, is_supported, register_codes
from shapecheck.project.source_digest import sources_digest

_USED = ("config", "diagnostics", "mypy", "ops", "project", "selection.py", "spec", "static")
"""What can change the types and findings: files and folders of the package."""

# mypy hashes only this file and its `__version__`; a change in any other must empty its cache too.
__version__ = sources_digest(_USED)


def plugin(version: str) -> type[Plugin]:
    """Mypy's entry point. Prints one line under an unsupported mypy: an editor may bundle an old one."""
    if not is_supported(version):
        register_codes()
        return Disabled
    from shapecheck.mypy.hooks import ShapecheckPlugin  # noqa: PLC0415 - another mypy may lack what it imports

    return ShapecheckPlugin
