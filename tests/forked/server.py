"""A Python that has imported torch, and forks for each request. It ends when its standard input does."""

from __future__ import annotations

import ast
import atexit
import fcntl
import gc
import importlib
import os
import random
import runpy
import select
import shutil
import signal
import socket
import sys
import threading
import traceback
import types
import weakref
from contextlib import suppress
from importlib.machinery import SourceFileLoader
from pathlib import Path

PRELOADED = """
numpy torch.testing libcst rich pytest lsprotocol.types pygls.lsp.client
shapecheck.lsp.server shapecheck.lsp.worker.loop
shapecheck.cli.check shapecheck.cli.run shapecheck.cli.fix shapecheck.cli.annotate shapecheck.static.entry.checker
shapecheck.harness.work.preload shapecheck.harness.work.preload_compiler shapecheck.harness.work.preload_compiled
shapecheck.harness.ranks.process torch.distributed.launcher.api torch.distributed.fsdp
""".split()


PLUGINS = ("shapecheck", "jaxtyping")
"""Packages above that have a plugin for pytest."""
MOST_FILES = 20
CLIENT = runpy.run_path(str(Path(__file__).with_name("client.py")))
"""Not imported: a program may have a module of that name."""


def python_path() -> list[str]:
    return [one for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one]


PACKAGES = sys.path[1 + len(python_path()) :]
"""Where packages are installed. PYTHONPATH is that of each request."""


def main(path: str) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(64)
        preload()
        gc.collect()
        gc.freeze()  # pytest collects garbage before it ends
        count = gc.get_freeze_count()
        gc.get_freeze_count = lambda: count  # `check` asks for it, and Python counts one by one
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no process that has ended is kept
        while True:
            ready, _, _ = select.select([listener, sys.stdin], [], [])
            if sys.stdin in ready:
                break
            connection, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                serve(connection, path)
            connection.close()
    shutil.rmtree(Path(path).parent)


def preload() -> None:
    """Import what takes long, after the socket is there, as far as it is installed."""
    for name in PRELOADED:
        with suppress(ImportError):
            importlib.import_module(name)
    importlib.import_module("shapecheck.ops.families").load()


def serve(connection: socket.socket, path: str) -> None:
    """In the new process: read the request, do it, and answer with its exit code."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    head, rights, _, _ = connection.recvmsg(8, socket.CMSG_SPACE(4 * MOST_FILES))
    received = [int.from_bytes(rights[0][2][at : at + 4], sys.byteorder) for at in range(0, len(rights[0][2]), 4)]
    length, content = int.from_bytes(head, "big"), b""
    while len(content) < length:
        content += connection.recv(length - len(content))
    arguments, environment, folder, files = ast.literal_eval(content.decode(errors="surrogateescape"))
    os.setsid()
    connection = take_files(connection, dict(zip(files, received, strict=True)))
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.dont_write_bytecode = bool(environment.get("PYTHONDONTWRITEBYTECODE"))
    start_as_new(path)
    code = exit_code(arguments)
    with suppress(OSError):  # the client may have been killed
        connection.sendall(bytes([code]))
    os._exit(code)


def take_files(connection: socket.socket, files: dict[int, int]) -> socket.socket:
    """Give each file that was received its number; return the connection, which gets out of their way."""
    above = max(files) + 1
    moved = {number: fcntl.fcntl(file, fcntl.F_DUPFD, above) for number, file in files.items()}
    moved_connection = socket.socket(fileno=fcntl.fcntl(connection, fcntl.F_DUPFD_CLOEXEC, above))
    connection.close()
    for file in files.values():
        os.close(file)
    for number, file in moved.items():
        os.dup2(file, number)
        os.close(file)
    return moved_connection


def start_as_new(path: str) -> None:
    """Undo what a fork shares and a new process does not."""
    random.seed()
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed()
    if "torch" in sys.modules:
        sys.modules["torch"].default_generator.seed()
    for finalizer in [*weakref.finalize._registry]:  # type: ignore[attr-defined]
        finalizer.atexit = False  # what the server has made is not for this process to end
    importlib.invalidate_caches()
    sys.path_importer_cache.clear()
    is_buffered = not (os.isatty(1) or os.environ.get("PYTHONUNBUFFERED"))
    sys.stdin = sys.__stdin__ = open(0, closefd=False)  # type: ignore[misc] # noqa: SIM115
    sys.stdout = sys.__stdout__ = open(1, "w", closefd=False, buffering=-1 if is_buffered else 1)  # type: ignore[misc] # noqa: SIM115
    sys.stderr = sys.__stderr__ = open(2, "w", closefd=False, buffering=1, errors="backslashreplace")  # type: ignore[misc] # noqa: SIM115
    CLIENT["fork_fork_servers"](lambda: path)


def exit_code(arguments: list[str]) -> int:
    """Run the program to its end, exit handlers included."""
    code = 0
    try:
        run(arguments)
    except SystemExit as error:
        code = code_of(error)
    except BaseException as error:
        kept = error.__traceback__
        while kept is not None and kept.tb_frame.f_code.co_filename == __file__:
            kept = kept.tb_next
        traceback.print_exception(type(error), error, kept)
        code = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            if not stream.closed:
                stream.flush()
        except OSError:
            code = code or 120
    return code


def code_of(error: SystemExit) -> int:
    if error.code is None or isinstance(error.code, int):
        return (error.code or 0) & 0xFF
    sys.stderr.write(f"{error.code}\n")
    return 1


def run(arguments: list[str]) -> None:
    """As `python ARGUMENTS`."""
    sys.orig_argv = [sys.executable, *arguments]
    if arguments[0] == "-u":
        sys.stdout.reconfigure(write_through=True)  # type: ignore[union-attr]
        del arguments[0]
    if arguments[:2] == ["-m", "pytest"] or Path(arguments[0]).name == "pytest" or CLIENT["IN_XDIST"] in os.environ:
        forget_plugins()
    module = sys.modules["__main__"] = types.ModuleType("__main__")
    first, *rest = arguments
    if first == "-m":
        start(os.getcwd(), ["-m", *rest[1:]])  # noqa: PTH109
        runpy._run_module_as_main(rest[0])  # type: ignore[attr-defined]
    elif first == "-c":
        start("", ["-c", *rest[1:]])
        exec(compile(rest[0], "<string>", "exec"), module.__dict__)
    else:
        path = os.path.abspath(first)  # noqa: PTH100 - it keeps symbolic links
        start(os.path.dirname(os.path.realpath(first)), arguments)  # noqa: PTH120
        module.__dict__.update(__file__=path, __cached__=None, __loader__=SourceFileLoader("__main__", path))
        exec(compile(Path(path).read_bytes(), path, "exec"), module.__dict__)


def forget_plugins() -> None:
    """Make pytest import its plugins itself: it warns of those that it can no longer rewrite."""
    for name in [*sys.modules]:
        if name.partition(".")[0] in PLUGINS:
            del sys.modules[name]


def start(first: str, arguments: list[str]) -> None:
    sys.argv = arguments
    sys.path[:] = [*python_path(), *PACKAGES]
    if any(Path(folder, "sitecustomize.py").exists() for folder in python_path()):
        sys.modules.pop("sitecustomize", None)
        importlib.import_module("sitecustomize")
    sys.path.insert(0, first)


if __name__ == "__main__":
    main(sys.argv[1])
