"""Asks the server for a process with these arguments and files, and ends as it does. It imports next to nothing."""

from __future__ import annotations

import _socket
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

IN_XDIST = "FORKED_IN_XDIST"
"""A variable of the environment of processes in which xdist runs pytest."""
SECONDS = 60
"""How long the server may take to start."""


def connected(path: str) -> _socket.socket:
    ends = time.monotonic() + SECONDS
    while True:
        one = _socket.socket(_socket.AF_UNIX)
        try:
            one.connect(path)
        except OSError:
            one.close()
            if time.monotonic() > ends:
                raise
            time.sleep(0.02)
        else:
            return one


def run(path: str, arguments: list[str], files: list[int]) -> int:
    """The exit code of a process that has these files under the same numbers."""
    asked = (arguments, dict(os.environ), os.getcwd(), files)  # noqa: PTH109 - pathlib takes long to import
    request = repr(asked).encode(errors="surrogateescape")
    server = connected(path)
    rights = b"".join(number.to_bytes(4, sys.byteorder) for number in files)
    server.sendmsg([len(request).to_bytes(8, "big")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, rights)])
    server.sendall(request)
    answer = server.recv(1)
    return answer[0] if answer else 128 + 6  # it died without an answer


def fork_fork_servers(path: Callable[[], str]) -> None:
    """From now on, the fork servers that multiprocessing starts in this process are forked from the server there."""
    from multiprocessing import util  # noqa: PLC0415 - the program does not need it

    start = util.spawnv_passfds

    def start_or_fork(program: str, arguments: list[str], kept: list[int]) -> int:
        is_fork_server = "multiprocessing.forkserver" in str(arguments[-1])
        return forked(path(), arguments[-2:], kept) if is_fork_server else start(program, arguments, kept)

    util.spawnv_passfds = start_or_fork


def forked(path: str, arguments: list[str], kept: list[int]) -> int:
    """A child that waits for such a process, because its parent waits for a child."""
    child = os.fork()
    if child == 0:
        files = [0, 1, 2, *kept]
        for number in map(int, os.listdir("/proc/self/fd")):  # noqa: PTH208 - as above
            if number not in files:
                os.closerange(number, number + 1)  # it is no error if it is closed already
        os._exit(run(path, arguments, files))
    return child


if __name__ == "__main__":
    os._exit(run(sys.argv[1], sys.argv[2:], [0, 1, 2]))
