"""Pictures of commands on a terminal, as SVG: the commands run, and the picture shows what they print."""

from __future__ import annotations

import io
import os
import pty
import shlex
import struct
import subprocess
import sys
from collections.abc import Sequence
from fcntl import ioctl
from pathlib import Path
from termios import TIOCSWINSZ

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

_WIDTH = 132
_WITHOUT_FONTS = CONSOLE_SVG_FORMAT.replace("Fira Code, monospace", "ui-monospace, Menlo, Consolas, monospace")


def picture(commands: Sequence[str], folder: Path) -> str:
    """The session that runs the commands in a folder, as an SVG that loads nothing from the network."""
    console = Console(record=True, width=_WIDTH, file=io.StringIO(), force_terminal=True, legacy_windows=False)
    for command in commands:
        console.print(Text("$ ", "bold green") + Text(command, "bold"))
        console.print(Text.from_ansi(_printed(shlex.split(command), folder)))
    return exported(console, "shapecheck")


def exported(console: Console, title: str) -> str:
    """What a console has recorded, as an SVG that loads nothing from the network."""
    return console.export_svg(title=title, code_format=_without_font_faces(_WITHOUT_FONTS), unique_id="shot")


def _without_font_faces(template: str) -> str:
    head, _, rest = template.partition("@font-face")
    return head + rest[rest.rindex("@font-face") :].partition("}}")[2]


def _printed(command: Sequence[str], folder: Path) -> str:
    """What a command prints to a terminal of this width, with colors and without its progress."""
    outer, inner = pty.openpty()
    ioctl(inner, TIOCSWINSZ, struct.pack("HHHH", 60, _WIDTH, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    arguments = [sys.executable, "-m", *command]
    with subprocess.Popen(arguments, cwd=folder, stdout=inner, stderr=subprocess.DEVNULL, env=environment):
        os.close(inner)
        return _drained(outer).replace("\r\n", "\n").rstrip("\n")


def _drained(terminal: int) -> str:
    parts = []
    try:
        while part := os.read(terminal, 1 << 16):
            parts.append(part)
    except OSError:  # Linux raises it when the other end is closed
        pass
    finally:
        os.close(terminal)
    return b"".join(parts).decode()
