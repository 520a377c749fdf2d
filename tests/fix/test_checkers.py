"""What real type checkers say: fixed files bring no new error, and a call has forward's type.

Each checker runs once over a folder that holds every input, every output and the probes, under distinct module names.
Errors are compared as a multiset of messages without places.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.mypy_caches import WITHOUT_INTERNALS, cache_with_torch, configuration

from .support import Case, change_cases, fix_text

CASES = [case for case in change_cases() if not case.too_new]
CHECKERS = ("mypy", "pyright", "pyrefly", "ty")
STRICT = ("strict = True", WITHOUT_INTERNALS)
"""mypy's configuration."""

_NO_IGNORE = "forward overrides with other parameters, and nothing on it silences this checker"
_TY_OVERRIDE = "ty does not read `type: ignore[override]`, on forward neither"
_NO_LONGER_ANY = "a cast and an ignore were for the Any that is gone"
TRUE_MISMATCHES: dict[tuple[str, str], tuple[set[str], str]] = {
    ("mypy", "child_incompatible_ignored_each_checker"): ({"override"}, _NO_IGNORE),
    ("pyright", "child_incompatible_ignored_each_checker"): ({"reportIncompatibleMethodOverride"}, _NO_IGNORE),
    ("ty", "child_incompatible_ignored_each_checker"): ({"incompatible-method-override"}, _NO_IGNORE),
    ("ty", "child_incompatible_ignored"): ({"incompatible-method-override"}, _TY_OVERRIDE),
    ("ty", "one_line_forward_override_ignore"): ({"incompatible-method-override"}, _TY_OVERRIDE),
    ("ty", "parent_with_handwritten_call"): ({"incompatible-method-override"}, _TY_OVERRIDE),
    ("mypy", "call_types_end_casts_and_ignores"): ({"redundant-cast", "unused-ignore"}, _NO_LONGER_ANY),
}
"""(checker, case) -> the codes of its new errors there, and why they are right: the code has a mismatch of its own."""

_PROBES = {
    "plain": ("(self, x: Tensor) -> tuple[Tensor, int]", "m(x)", "tuple[Tensor, int]"),
    "default": ("(self, x: Tensor, n: int = 1) -> dict[str, int]", "m(x, n=2)", "dict[str, int]"),
    "positional": ("(self, x: Tensor, /) -> int", "m(x)", "int"),
    "keyword": ("(self, *, x: Tensor) -> str", "m(x=x)", "str"),
    "star": ("(self, *xs: Tensor, n: int = 0) -> float", "m(x, x, n=1)", "float"),
    "options": ("(self, **options: int) -> bytes", "m(a=1)", "bytes"),
    "string": ('(self, x: "Tensor") -> "list[Tensor]"', "m(x)", "list[Tensor]"),
    "implicit": ("(self, x: Tensor, mask: Tensor = None) -> int", "m(x, mask=None)", "int"),
    "no_return": ("(self, x: Tensor)", "m(x)", "Any"),
    "none": ("(self, x: Tensor) -> None", "m(x)", "None"),
    "optional": ("(self, x: Tensor) -> Tensor | None", "m(x)", "Tensor | None"),
    "shaped": ('(self, x: Float[Tensor, "b c"]) -> Float[Tensor, "b"]', "m(x)", "Tensor"),
}
_PROBE_HEAD = "from jaxtyping import Float\nfrom torch import Tensor, nn\n"
_PROBE = "\n\nclass {name}(nn.Module):\n    def forward{signature}:\n        raise NotImplementedError\n"
_GENERIC_PROBES = """

T = TypeVar("T")
S = TypeVar("S")


class Generic1(nn.Module, Generic[S]):
    def __init__(self, state: S) -> None:
        super().__init__()

    def forward(self, x: T) -> tuple[T, S]:
        raise NotImplementedError


class Overloaded(nn.Module):
    @overload
    def forward(self, x: int) -> int: ...

    @overload
    def forward(self, x: str) -> str: ...

    def forward(self, x: int | str) -> int | str:
        raise NotImplementedError


class Child(Generic1[int]):
    def forward(self, *xs):
        raise NotImplementedError
"""


@dataclass(frozen=True)
class Problem:
    """One error or revealed type, of one checker, in one file."""

    file: str
    line: int
    code: str
    message: str


@dataclass(frozen=True)
class Checked:
    """What one checker said about the folder."""

    problems: tuple[Problem, ...]
    folder: Path

    def errors(self, stem: str) -> Counter[tuple[str, str]]:
        return Counter((p.code, p.message) for p in self.problems if p.file == f"{stem}.py" and not _reveals(p))

    def revealed(self) -> dict[int, str]:
        return {p.line: p.message for p in self.problems if p.file == "probes.py" and _reveals(p)}


def _reveals(problem: Problem) -> bool:
    return "reveal" in problem.message.lower() or "reveal" in problem.code


def _probes() -> tuple[str, list[tuple[str, str]]]:
    """The fixed source of the probes, each call revealed; and (what is probed, the type wanted) in order."""
    head = f"from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload\n\n{_PROBE_HEAD}"
    classes = "".join(_PROBE.format(name=f"Net{n}", signature=probe[0]) for n, probe in enumerate(_PROBES.values()))
    calls = [(f"Net{n}()", call, wanted) for n, (_, call, wanted) in enumerate(_PROBES.values())]
    calls += [
        ('Generic1("s")', "m(x)", "tuple[Tensor, str]"),
        ("Overloaded()", "m(1)", "int"),
        ("Overloaded()", 'm("a")', "str"),
        ("Child(1)", "m(x, 1, 2)", "Any"),
    ]
    functions = "".join(
        f"\n\ndef probe_{n}(x: Tensor) -> None:\n    m = {made}\n    reveal_type({call})\n"
        for n, (made, call, _) in enumerate(calls)
    )
    return fix_text(head + classes + _GENERIC_PROBES) + functions, [(made, wanted) for made, _, wanted in calls]


# -- the checkers ----------------------------------------------------------------------------------------------------

_LINE = re.compile(
    r"^(?P<file>[\w./\\-]+\.py):(?P<line>\d+)(?::\d+)?: (?P<severity>\w+)(?:\[[\w-]+\])?:? (?P<message>.*)$"
)
_CODE = re.compile(r"  \[([\w-]+)\]$")


def _run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode in (0, 1), done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def _mypy(folder: Path) -> list[Problem]:
    names = sorted(path.name for path in folder.glob("*.py"))
    (folder / "mypy.ini").write_text(configuration(*STRICT))
    options = ["--no-error-summary", "--cache-dir", ".mypy_cache", "--no-pretty"]
    found = []
    for line in _run([sys.executable, "-m", "mypy", *options, *names], folder).splitlines():
        if not (match := _LINE.match(line)):
            continue
        code = _CODE.search(match["message"])
        if match["severity"] == "error" or "Revealed" in match["message"]:
            message = _CODE.sub("", match["message"])
            found.append(Problem(match["file"], int(match["line"]), code[1] if code else "", message))
    return found


def _pyright(folder: Path) -> list[Problem]:
    (folder / "pyrightconfig.json").write_text("{}")
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    reported = json.loads(_run(command, folder))["generalDiagnostics"]
    return [
        Problem(
            Path(d["file"]).name,
            d["range"]["start"]["line"] + 1,
            "reveal_type" if d["message"].startswith("Type of") else d.get("rule", ""),
            d["message"],
        )
        for d in reported
        if d["severity"] == "error" or d["message"].startswith("Type of")
    ]


def _pyrefly(folder: Path) -> list[Problem]:
    (folder / "pyrefly.toml").write_text("")
    command = [_tool("pyrefly"), "check", "--output-format", "json", "--python-interpreter-path", sys.executable]
    return [
        Problem(Path(d["path"]).name, d["line"], d["name"], d["description"])
        for d in json.loads(_run(command, folder))["errors"]
        if d["severity"] == "error" or "reveal" in d["name"]
    ]


def _ty(folder: Path) -> list[Problem]:
    command = [_tool("ty"), "check", "--output-format", "gitlab", "--python", sys.prefix, "--exit-zero"]
    return [
        Problem(
            Path(d["location"]["path"]).name,
            d["location"]["positions"]["begin"]["line"],
            d["check_name"],
            d["description"],
        )
        for d in json.loads(_run(command, folder))
        if d["severity"] in ("major", "critical", "blocker") or "reveal" in d["check_name"]
    ]


def _tool(name: str) -> str:
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    assert found, f"{name} is not installed"
    return found


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Checked]:
    """Every checker's verdict on every file, from one run each."""
    source, _ = _probes()
    folders = {}
    for name in CHECKERS:
        folder = tmp_path_factory.mktemp(name)
        for case in CASES:
            (folder / f"{case.name}_in.py").write_bytes(case.raw)
            (folder / f"{case.name}_out.py").write_bytes(case.expected)
        (folder / "probes.py").write_text(source)
        folders[name] = folder
    shutil.copytree(cache_with_torch(tmp_path_factory, *STRICT), folders["mypy"] / ".mypy_cache")
    runners = {"mypy": _mypy, "pyright": _pyright, "pyrefly": _pyrefly, "ty": _ty}
    with ThreadPoolExecutor(2) as pool:
        waiting = {name: pool.submit(runners[name], folder) for name, folder in folders.items()}
        return {name: Checked(tuple(future.result()), folders[name]) for name, future in waiting.items()}


def _new_errors(checked: Checked, case: Case) -> Counter[tuple[str, str]]:
    before, after = (
        Counter(
            {
                (code, message.replace(f"{case.name}{side}", case.name)): n
                for (code, message), n in checked.errors(case.name + side).items()
            }
        )
        for side in ("_in", "_out")
    )
    return after - before


@pytest.mark.parametrize("checker", CHECKERS)
def test_no_new_error(checked: dict[str, Checked], checker: str) -> None:
    new = {case.name: errors for case in CASES if (errors := _new_errors(checked[checker], case))}
    allowed = {name: codes for (tool, name), (codes, _) in TRUE_MISMATCHES.items() if tool == checker}
    unexpected = {
        name: wrong
        for name, errors in new.items()
        if (wrong := {error: n for error, n in errors.items() if error[0] not in allowed.get(name, ())})
    }
    assert unexpected == {}
    assert allowed == {name: {code for code, _ in errors} for name, errors in new.items()}, "a row has no use"


@pytest.mark.parametrize("checker", CHECKERS)
def test_every_file_was_seen(checked: dict[str, Checked], checker: str) -> None:
    """Errors that are there before and after are found, so silence means something."""
    result = checked[checker]
    for case in ("optional_implicit", "child_incompatible_ignored_each_checker"):
        assert result.errors(f"{case}_in"), case
        assert result.errors(f"{case}_out"), case


@pytest.mark.parametrize("checker", CHECKERS)
def test_the_type_of_a_call_is_forwards(checked: dict[str, Checked], checker: str) -> None:
    _, wanted = _probes()
    revealed = [message for _, message in sorted(checked[checker].revealed().items())]
    assert len(revealed) == len(wanted)
    for (made, expected), message in zip(wanted, revealed, strict=True):
        assert _plain(message) == expected, f"{made}: {message}"


_ORNAMENT = re.compile(r"^(revealed-type: )?([Rr]evealed type( is|:)|Type of .* is)\s*")


def _plain(message: str) -> str:
    """The type in a reveal_type message, without module names and the checkers' own ornaments."""
    text = _ORNAMENT.sub("", message)
    text = re.sub(r"\b(?:\w+\.)+(?=\w)", "", text.strip().strip("`\"'"))
    return text.replace("Unknown", "Any")


# -- running ---------------------------------------------------------------------------------------------------------

_RUNNER = """
import json, runpy, sys, traceback, warnings
warnings.simplefilter("ignore")
failed = {}
for path in json.loads(sys.stdin.read()):
    try:
        runpy.run_path(path, run_name="probe")
    except BaseException:
        failed[path] = traceback.format_exc(limit=-2)
print("\\n" + json.dumps(failed))
"""


def test_every_output_runs(tmp_path: Path) -> None:
    """Every output is imported, one after the other, in one process."""
    paths = []
    for case in CASES:
        if case.runnable:
            for side, raw in (("in", case.raw), ("out", case.expected)):
                path = tmp_path / f"{case.name}_{side}.py"
                path.write_bytes(raw)
                paths.append(str(path))
    done = subprocess.run(
        [sys.executable, "-c", _RUNNER],
        cwd=tmp_path,
        input=json.dumps(paths),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == {}
    assert len(paths) >= 90
