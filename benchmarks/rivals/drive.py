"""Runs programs under a tool that checks while they run, each in a process of its own, and says what they raise.

python drive.py plain|shapecheck|jaxtyping FILE...      # JSON: of each file, lines and texts

Runs in the tool's own environment, so it imports nothing of this repository but the tool.
"""

import ast
import contextlib
import importlib
import io
import json
import os
import signal
import sys
import tempfile
import traceback
import warnings
from pathlib import Path

SECONDS = 60


def run(mode, path):
    """Imports the program under the tool and runs its guarded block."""
    if mode == "jaxtyping":
        from jaxtyping import install_import_hook

        hook, guard = install_import_hook(path.stem, "beartype.beartype"), contextlib.nullcontext([])
    elif mode == "shapecheck":
        import shapecheck

        hook, guard = shapecheck.install_import_hook(path.stem), shapecheck.guard(severity="note")
    else:
        hook, guard = contextlib.nullcontext(), contextlib.nullcontext([])
    with guard as said:
        try:
            with hook:
                module = importlib.import_module(path.stem)
            for node in ast.parse(path.read_text()).body:
                if isinstance(node, ast.If) and "__main__" in ast.unparse(node.test):
                    exec(compile(ast.Module(node.body, []), str(path), "exec"), module.__dict__)
        except Exception as error:
            frames = [one.lineno for one in traceback.extract_tb(error.__traceback__) if one.filename == str(path)]
            return [[frames[-1] if frames else 0, f"{type(error).__name__}: {error}"]]
    return [[one.line, f"{one.message} [{one.code}]"] for one in said]


def forked(mode, path):
    """What came of it in a process of its own."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        os.chdir(path.parent)
        sys.path.insert(0, str(path.parent))
        with os.fdopen(writer, "w") as stream, contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            json.dump(run(mode, path), stream)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as stream:
        text = stream.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else [[0, "ended without an answer"]]


WARM_UP = """
import torch
from jaxtyping import Float


def zero(x: Float[torch.Tensor, "n"]) -> Float[torch.Tensor, "n"]:
    return x - x


if __name__ == "__main__":
    zero(torch.zeros(3))
"""


def main(mode, names):
    """Runs a small program first, so that what all of them import is there before the fork."""
    import torch

    torch.manual_seed(0)
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "warm_up.py")
        path.write_text(WARM_UP)
        sys.path.insert(0, folder)
        run(mode, path)
        sys.path.remove(folder)
    print(json.dumps({name: forked(mode, Path(name)) for name in names}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
