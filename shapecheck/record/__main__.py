"""`python -m shapecheck.record SCRIPT ARGUMENTS...`: runs a script whose functions are recorded."""

from __future__ import annotations

import builtins
import os
import runpy
import sys
import types
from pathlib import Path

from shapecheck.record.instrument import instrumented


def main() -> None:
    """Runs the script as Python does: as the module `__main__`, with its directory first in the search path."""
    sys.argv = sys.argv[1:]
    script = sys.argv[0]
    if not os.path.exists(script):  # noqa: PTH110
        sys.exit(f"{sys.executable}: can't open file '{os.path.abspath(script)}'")  # noqa: PTH100
    if not os.path.isfile(script) or not script.endswith(".py"):  # noqa: PTH113 - a directory, an archive
        runpy.run_path(script, run_name="__main__")
        return
    sys.path[0] = os.path.dirname(os.path.realpath(script))  # noqa: PTH120
    module = types.ModuleType("__main__")
    path = os.path.abspath(script)  # noqa: PTH100
    vars(module).update(__file__=path, __builtins__=builtins)
    code = instrumented(Path(path).read_bytes(), path)
    sys.modules["__main__"] = module
    exec(code, vars(module))


main()
