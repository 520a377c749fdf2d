"""`shapecheck run`: what an interrupt leaves behind, and what the first process imports."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.run_programs import net, posix, write
from tests.patience import AT_ONCE, PATIENCE


@contextmanager
def _interrupts_heeded() -> Iterator[None]:
    """What is started in here heeds them; jobs in the background of a shell, and all that they start, do not."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@posix
def test_an_interrupt_ends_all_processes(tmp_path: Path) -> None:
    marker = tmp_path / "pid"
    (tmp_path / "waits.py").write_text(
        net(f"import subprocess; open({str(marker)!r}, 'w').write(str(os.getpid())); subprocess.run(['sleep', '3600'])")
    )
    command = [sys.executable, "-m", "shapecheck", "run", "waits.py", "--check", "sweep"]
    with _interrupts_heeded():
        run = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + PATIENCE
    while not (marker.exists() and marker.read_text()) and time.monotonic() < until:
        time.sleep(0.1)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=AT_ONCE)
    assert run.returncode == 130
    assert errors == "shapecheck: interrupted\n"
    with pytest.raises(ProcessLookupError):
        os.kill(int(marker.read_text()), 0)


def test_the_process_that_hands_out_the_work_imports_no_torch(tmp_path: Path) -> None:
    write(tmp_path, "good")
    program = (
        "import sys; from shapecheck.cli import main; main(['run', 'good.py', '--list'], standalone_mode=False);"
        "print(sorted({'torch', 'jaxtyping', 'good'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "good.py:7: good:Net\n[]\n"


def test_help_imports_no_torch() -> None:
    program = (
        "import sys; from shapecheck.cli import main; main(['run', '--help'], standalone_mode=False);"
        "print(sorted({'libcst', 'rich', 'torch', 'psutil'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")
