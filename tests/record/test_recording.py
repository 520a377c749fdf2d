"""What a recording stores: in this process, in scripts, modules, workers and children."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from shapecheck.record.command import recorded_command
from shapecheck.record.store import RecordError, read_records
from tests import forked

NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.fc = nn.Linear(width, 4)

    @torch.no_grad()
    def forward(self, x, mask=None):
        def inner(y):
            return y
        if mask is not None:
            return self.fc(x) * mask, [x, inner(x)]
        return self.fc(x)


def nothing(a):
    a.sum()


def numbers(a):
    return a


def items(a):
    yield a
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.py").write_text(NET)
    return tmp_path


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    """`python` in the arguments is forked too; `sys.executable` is a new process."""
    path = os.pathsep.join((str(forked.commands()), os.environ["PATH"]))
    command = [forked.python(), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PATH": path})


def record(*command: str) -> subprocess.CompletedProcess[str]:
    return python("-m", "shapecheck", "record", "-o", "calls.json", "--", *command)


def calls(project: Path) -> dict[str, list[dict[str, Any]]]:
    content = json.loads((project / "calls.json").read_text())
    assert (content["format"], content["version"]) == ("shapecheck-record", 1)
    return {f"{one['file']}::{one['name']}": one["calls"] for one in content["functions"]}


def script(project: Path, text: str, name: str = "train.py") -> None:
    (project / name).write_text(textwrap.dedent(text))


def test_shapes_and_dtypes_are_stored_and_no_values(project: Path) -> None:
    script(project, "import torch\nfrom net import *\nfor n in (2, 3, 3): Net()(torch.full((n, 8), 77.5))\n")
    done = record("python", "train.py")
    assert done.stderr == "calls.json: 2 distinct calls of 1 function\n"
    shape = {"dtype": "float32", "shape": [3, 8]}
    assert calls(project)["net.py::Net.forward"][1] == {
        "count": 2,
        "arguments": {"x": shape, "mask": None},
        "result": {"dtype": "float32", "shape": [3, 4]},
    }
    assert "77" not in (project / "calls.json").read_text()


def test_containers_are_stored_and_functions_without_tensors_are_not(project: Path) -> None:
    script(
        project,
        """\
        import torch
        from net import *
        Net()(torch.ones(2, 8), torch.ones(4) > 0)
        nothing(torch.ones(2))
        numbers(3)
        list(items(torch.ones(2)))
        """,
    )
    record("python", "train.py")
    found = calls(project)
    assert set(found) == {"net.py::Net.forward", "net.py::nothing"}
    float32 = [{"dtype": "float32", "shape": shape} for shape in ([2, 4], [2, 8])]
    assert found["net.py::Net.forward"][0]["result"] == {"tuple": [float32[0], {"list": [float32[1]] * 2}]}
    assert found["net.py::Net.forward"][0]["arguments"]["mask"] == {"dtype": "bool", "shape": [4]}
    assert found["net.py::nothing"][0]["result"] is None


SCRIPT = """\
import sys
import torch

def double(x):
    return x * 2

if __name__ == "__main__":
    double(torch.ones(int(sys.argv[1])))
    print(__name__, __file__, sys.path[0], sys.argv)
    sys.exit(3)
"""


@pytest.mark.parametrize("command", [("python", "run.py", "5"), ("python", "-m", "run", "5"), ("run.py", "5")])
def test_a_script_runs_as_without_the_recording(project: Path, command: tuple[str, ...]) -> None:
    script(project, SCRIPT, "run.py")
    words = [sys.executable if word == "python" else word for word in command]
    done = record(*words)
    plain = python(*(words[1:] if command[0] == "python" else words))
    assert (done.stdout, done.returncode) == (plain.stdout, 3)
    assert calls(project)["run.py::double"][0]["arguments"]["x"]["shape"] == [5]


def test_an_exception_has_the_lines_of_the_source(project: Path) -> None:
    script(project, "from __future__ import annotations\ndef f(x):\n    y = x\n    return y.no\nf(1)\n")
    done = record(sys.executable, "train.py")
    assert f'File "{project}/train.py", line 4, in f\n    return y.no\n' in done.stderr
    assert done.returncode == 1


def test_runs_accumulate(project: Path) -> None:
    script(project, SCRIPT, "run.py")
    for size in ("2", "3", "3"):
        record("python", "run.py", size)
    found = calls(project)["run.py::double"]
    assert [(one["count"], one["arguments"]["x"]["shape"]) for one in found] == [(1, [2]), (2, [3])]


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_workers_of_a_data_loader_add_their_calls(project: Path, start: str) -> None:
    script(
        project,
        """\
        import torch
        from net import Net

        class Data(torch.utils.data.Dataset):
            def __len__(self): return 12
            def __getitem__(self, i): return torch.zeros(8)
        """,
        "data.py",
    )
    script(
        project,
        f"""\
        import torch
        from data import Data
        from net import Net
        if __name__ == "__main__":
            net = Net()
            loader = torch.utils.data.DataLoader(Data(), 3, num_workers=2, multiprocessing_context="{start}")
            for x in loader:
                net(x)
        """,
    )
    done = record("python", "train.py")
    assert done.returncode == 0, done.stderr
    found = calls(project)
    assert [one["count"] for one in found["data.py::Data.__getitem__"]] == [12]
    assert [one["count"] for one in found["net.py::Net.forward"]] == [4]


def test_processes_that_write_at_the_same_time_lose_nothing(project: Path) -> None:
    script(project, SCRIPT.replace("sys.exit(3)", "pass"), "run.py")
    script(
        project,
        """\
        import subprocess
        children = [subprocess.Popen(["python", "-c", f"import torch, run; run.double(torch.ones({n}))"])
                    for n in range(1, 5)]
        assert not any(child.wait() for child in children)
        """,
    )
    done = record("python", "train.py")
    assert done.returncode == 0, done.stderr
    assert sorted(one["arguments"]["x"]["shape"] for one in calls(project)["run.py::double"]) == [[1], [2], [3], [4]]


def test_the_number_of_stored_calls_is_bounded(project: Path) -> None:
    script(project, "import torch\nfrom net import numbers\nfor n in range(100): numbers(torch.ones(n))\n")
    record("python", "train.py")
    (one,) = read_records(project / "calls.json")
    assert (len(one.calls), one.omitted) == (64, 36)


def test_a_context_records_functions_that_are_imported_already(project: Path) -> None:
    script(
        project,
        """\
        import torch, shapecheck
        from net import Net
        net, before = Net(), Net.forward
        with shapecheck.recording("calls.json"):
            net(torch.ones(5, 8))
        net(torch.ones(6, 8))
        assert Net.forward is before
        """,
    )
    done = python("train.py")
    assert done.returncode == 0, done.stderr
    assert [one["arguments"]["x"]["shape"] for one in calls(project)["net.py::Net.forward"]] == [[5, 8]]


def test_compiled_and_scripted_code_runs(project: Path) -> None:
    script(
        project,
        """\
        import torch
        from net import Net

        @torch.jit.script
        def scripted(x: torch.Tensor) -> torch.Tensor:
            return x + 1

        def plain(x):
            return x * 2

        x = torch.ones(3, 8)
        compiled = torch.compile(plain, backend="eager", fullgraph=True)
        assert compiled(x).sum() == 48
        traced = torch.jit.trace(Net(), x)
        assert traced(torch.ones(7, 8)).shape == (7, 4)
        scripted(x)
        """,
    )
    done = record("python", "train.py")
    assert done.returncode == 0, done.stderr


BAD = {
    "a file that is no recording": ("train.py", "train.py: expected a file of shapecheck record"),
    "a missing directory": ("no/calls.json", "no/calls.json: cannot write: no such directory"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_cannot_be_added_to_ends_the_command_first(project: Path, name: str) -> None:
    script(project, "print('ran')\n")
    output, message = BAD[name]
    done = python("-m", "shapecheck", "record", "-o", output, "python", "train.py")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"shapecheck: {message}\n")


def test_a_command_without_calls_or_that_does_not_exist_is_reported(project: Path) -> None:
    assert "no calls recorded" in record("python", "-c", "pass").stderr
    done = record("no-such-command")
    assert (done.returncode, done.stderr) == (2, "shapecheck: no-such-command: cannot run: no such file or directory\n")


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "calls.json"
    file.write_text('{"format": "shapecheck-record", "version": 2, "functions": []}')
    with pytest.raises(RecordError, match="expected version 1 of the format, got 2"):
        read_records(file)


COMMANDS = {
    "python train.py --lr 1": "python -m shapecheck.record train.py --lr 1",
    "python3.12 -u -X dev train.py": "python3.12 -u -X dev -m shapecheck.record train.py",
    "python -m pkg.train": "python -m pkg.train",
    "python -c pass": "python -c pass",
    "torchrun train.py": "torchrun train.py",
    "python": "python",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_only_scripts_are_run_in_another_way(command: str) -> None:
    assert recorded_command(command.split()) == COMMANDS[command].split()


@pytest.mark.parametrize("first", ["recording", "checks"])
def test_the_import_hook_of_checks_may_be_installed_too(project: Path, first: str) -> None:
    """Each hook asks the others for the module."""
    hook = "shapecheck.install_import_hook('net')"
    before, inside = (hook, "pass") if first == "checks" else ("pass", hook)
    script(
        project,
        f"""\
        import shapecheck, torch
        {before}
        with shapecheck.recording("calls.json"):
            {inside}
            from net import Net
            Net()(torch.ones(2, 8))
        """,
    )
    done = python("train.py")
    assert (done.returncode, done.stderr) == (0, "")
