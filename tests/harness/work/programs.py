"""What the worker processes of the tests do: each function comes to another end."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import time


def gives() -> bytes:
    print("printed")  # noqa: T201
    return b"given"


def gives_much() -> bytes:
    return b"x" * 5_000_000


def raises() -> bytes:
    raise ValueError("not today")


def leaves() -> bytes:
    print("last words")  # noqa: T201
    sys.stdout.flush()
    os._exit(3)


def dies() -> bytes:
    return ctypes.string_at(0)


def loops() -> bytes:
    while True:
        pass


def sleeps() -> bytes:
    time.sleep(60)
    return b""


def hoards() -> bytes:
    held = []
    while True:
        held.append(b"x" * 10_000_000)
        time.sleep(0.005)


def asks_for_too_much() -> bytes:
    try:
        return bytes(10**12)
    except MemoryError:
        return b"refused"


def prints_without_end() -> bytes:
    while True:
        print("again and again" * 100_000)  # noqa: T201


def starts_another() -> bytes:
    return str(subprocess.Popen(["sleep", "60"]).pid).encode()


def starts_another_and_loops(file: str) -> bytes:
    with open(file, "wb") as stream:  # noqa: PTH123
        stream.write(starts_another())
    return loops()
