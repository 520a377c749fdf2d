"""The mypy plugin: `plugins = shapecheck.mypy` types every call of a module, and reports what `shapecheck check` finds.

`versions` says which versions of mypy are supported. `hooks` receives mypy's calls, `type_hooks` is the table of those
about types. For the types, `calls` binds `forward`. The items of a Sequential, ModuleList or ModuleDict are stored in
its type (`container_items`): `containers` infers them where one is constructed, from the `elements` of the constructor
call; `scan` and `file_scan` check whether the rest of the file allows that; `container_access` provides the type of an
index or iteration. For the findings, `checks` decides when to report, `concurrent` requests them from the second
process of `background`, or `findings` runs the engine of `static`; `late_files` and `late_report` treat those that
were not ready in time. `import_closure` determines what they depend on, `unchanged` whether that has changed, `daemon`
causes files to be checked again, and `codes`, `selections` and `report` turn them into mypy messages.
"""

from __future__ import annotations

from typing import Any

from mypy.plugin import Plugin

from shapecheck.mypy.versions import Disabled, is_supported, register_codes


def __getattr__(name: str) -> Any:
    """`__version__`: mypy hashes only this file, and its version; a change in any other must empty its cache too."""
    if name != "__version__":
        raise AttributeError(name)
    from shapecheck.mypy.source_version import source_version  # noqa: PLC0415

    return source_version()


def plugin(version: str) -> type[Plugin]:
    """Mypy's entry point. Prints one line under an unsupported mypy: an editor may bundle an old one."""
    if not is_supported(version):
        register_codes()
        return Disabled
    from shapecheck.mypy.hooks import ShapecheckPlugin  # noqa: PLC0415 - another mypy may lack what it imports

    return ShapecheckPlugin
