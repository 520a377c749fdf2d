"""Python processes that need no second to import torch: they are forked from one that has.

For tests that look at what a command prints and writes, not at what it imports or how it starts. `python()` is a
program that takes the arguments of Python, and `commands()` a folder with it and the commands of this environment.
Each process has the arguments, environment, directory and files of its caller, and a `__main__` and a `sys.path` of its
own, and imports a sitecustomize that is on PYTHONPATH; what else Python reads at its start has no effect.
"""

from __future__ import annotations

import atexit
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from tests.forked import client

HERE = Path(__file__).parent
SOCKET = "socket"
FORKED = ("python", "shapecheck", "pytest")
_SCRIPT = """\
#!/bin/sh
IFS=:
for folder in . $PYTHONPATH; do
    if [ -d "$folder/shapecheck" ] && ! [ "$folder" -ef "{root}" ]; then exec "{program}" "$@"; fi
done
exec "{python}" -I -S "{client}" "{socket}" {script} "$@"
"""
"""The server has imported one copy of the package."""


def python() -> str:
    """The path of the program; Python itself where forking is not safe."""
    return str(commands() / "python")


def xdist(processes: int) -> tuple[str, ...]:
    """Options of pytest with which the processes of xdist are forked too; none for no processes."""
    if not processes:
        return ()
    return ("--dist", "load", "--tx", f"{processes}*popen//env:{client.IN_XDIST}=1//python={python()}")


def fork_fork_servers() -> None:
    """From now on, the fork servers that multiprocessing starts in this process need not import torch either."""
    if sys.platform == "linux":
        client.fork_fork_servers(lambda: str(commands() / SOCKET))


def share(folder: str) -> None:
    """Use the commands of another process, which starts before this one and ends after it."""
    _SHARED.append(Path(folder))


_SHARED: list[Path] = []


@cache
def commands() -> Path:
    """A folder to be first on PATH."""
    if _SHARED:
        return _SHARED[0]
    own = Path(sys.executable).parent
    if sys.platform != "linux":
        return own
    folder = Path(tempfile.mkdtemp(prefix="forked-"))
    server = subprocess.Popen([sys.executable, HERE / "server.py", folder / SOCKET], stdin=subprocess.PIPE)
    for name in FORKED:
        (folder / name).write_text(_SCRIPT.format(
            program=own / name, python=sys.executable, client=HERE / "client.py", socket=folder / SOCKET,
            script="" if name == "python" else own / name, root=HERE.parents[1],
        ))  # fmt: skip
        (folder / name).chmod(0o755)
    atexit.register(server.communicate)  # it ends with its standard input, and removes the folder
    return folder
