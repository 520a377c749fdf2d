"""What POSIX alone has is asked for where it is there: nothing is missed at import on Windows or macOS."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

import shapecheck
from tests.published.building import ROOT

ELSEWHERE = """
import importlib, os, signal, sys

for module in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[module] = None
for name in ("fork", "forkpty", "getuid", "killpg", "register_at_fork", "sched_getaffinity", "setsid"):
    vars(os).pop(name, None)
for name in ("SIGALRM", "SIGHUP", "SIGKILL", "SIGUSR1", "SIGUSR2", "pthread_sigmask", "setitimer"):
    vars(signal).pop(name, None)
"""
"""Takes away what Windows lacks."""
MODULES = [
    module.name
    for module in pkgutil.walk_packages(shapecheck.__path__, "shapecheck.")
    if not module.name.endswith("__main__")
]


def run(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)


def test_every_module_is_imported_without_posix() -> None:
    others = "import mypy.build, numpy, psutil, pytest, rich.console, torch"
    done = run(f"{others}\n{ELSEWHERE}\nfor name in {MODULES}: importlib.import_module(name)")
    assert done.returncode == 0, done.stderr


def test_a_file_is_checked_without_posix() -> None:
    command = ["check", "--no-cache", "--quiet", str(ROOT / "examples/vit.py")]
    done = run(f"{ELSEWHERE}\nfrom shapecheck.cli import main\nmain({command})")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
