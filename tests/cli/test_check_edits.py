"""After an edit, `check` says what a run from scratch says, and runs only what may observe the edit."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from shapecheck.cli import main
from shapecheck.diagnostics import DEFAULT_CHECKS, Diagnostic
from shapecheck.project.cache import Cache, CacheContents
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.entry import entry_runs
from shapecheck.static.entry.checker import Checker
from shapecheck.static.entry.server import FindingsServer
from tests.amount import amount
from tests.cli.programs_to_edit import NEW, TEXTS
from tests.random_edits import edited

EDITS = amount("SHAPECHECK_EDITS", short=40, long=400)
SEED = int(os.environ.get("SHAPECHECK_SEED", "3"))
"""Both may be set by hand, for a longer search."""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in TEXTS.items():
        write(name, text)
    return tmp_path


def check(*arguments: str) -> tuple[str, int]:
    result = CliRunner().invoke(main, ["check", "--jobs", "1", "--format", "json", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.stdout, result.exit_code


def write(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text)


def edit(choice: random.Random) -> tuple[str, str] | None:
    """Edits one file; each second time another one is restored before. Some edits are of the folder."""
    if choice.randrange(2):
        write(name := choice.choice(list(TEXTS)), TEXTS[name])
    if choice.randrange(8) == 0:
        name = choice.choice([*TEXTS, *NEW])
        if Path(name).exists():
            Path(name).unlink()
        else:
            write(name, NEW.get(name) or TEXTS[name])
        return name, "file"
    name = choice.choice([one for one in TEXTS if Path(one).exists()])
    found = edited(choice, Path(name).read_text())
    if found is not None:
        Path(name).write_text(found[1])
    return None if found is None else (name, found[0])


def test_the_program_has_no_findings() -> None:
    assert check("--no-cache")[1] == 0


def test_after_random_edits_it_says_what_a_fresh_run_says(ran: list[str]) -> None:
    choice, said, run = random.Random(SEED), set(), 0
    for number in range(EDITS):
        what = edit(choice)
        ran.clear()
        cached = check()
        run += len(ran)
        fresh = check("--no-cache")
        assert cached == fresh, (number, what)
        said.add(fresh)
    assert len(said) > 3
    assert run < EDITS * len(TEXTS) * 0.6


class Trace(list[tuple[object, ...]]):
    """What the file at a path runs: the steps of its entry points, and the results of operators."""

    path = Path()


@pytest.fixture
def trace(monkeypatch: pytest.MonkeyPatch) -> Trace:
    """What a file runs, the body of its module included, but not those of others."""
    found = Trace()
    run_once, torch_call = entry_runs.run_once, dispatch.torch_call

    def recorded(session: Any, loaded: Any, node: Any, *more: Any) -> Any:
        result = run_once(session, loaded, node, *more)
        found.append((loaded.name, getattr(node, "name", ""), result.steps))
        return result

    def called(run: Any, node: Any, function: Any, *more: Any) -> Any:
        result = torch_call(run, node, function, *more)
        if run.mark is not None or run.frames[0].names.loaded.path == found.path:
            found.append((str(function), str(result)))
        return result

    monkeypatch.setattr(entry_runs, "run_once", recorded)
    monkeypatch.setattr(dispatch, "torch_call", called)
    return found


def test_what_is_not_run_again_would_run_as_before(here: Path, trace: Trace) -> None:
    """That shows more than findings: an edit that a file observes rarely leads to another finding."""
    files = sorted(here / name for name in TEXTS)
    checker, known = Checker(files), Cache(CacheContents(), files, [])
    for path in files:
        known.add(checker.outcome(path, [*TEXTS]))
    before = {path: fresh_run(path, files, trace) for path in files}
    choice, kept, differing = random.Random(SEED), 0, 0
    for _ in range(EDITS):
        name = choice.choice(_IMPORTED)
        what = edited(choice, TEXTS[name])
        if what is None:
            continue
        Path(name).write_text(what[1])
        now = Cache(known.known(), files, [])
        for path in files:
            same = fresh_run(path, files, trace) == before[path]
            is_kept = now.outcome(path) is not None
            assert same or not is_kept, (path.name, what)
            kept += is_kept
            differing += not same
        Path(name).write_text(TEXTS[name])
    assert kept > EDITS * 2
    assert differing > EDITS / 2


_IMPORTED = ["pkg/sizes.py", "pkg/layers.py", "pkg/layers.py", "pkg/layers.py", "pkg/net.py", "use.py"]


def fresh_run(path: Path, files: list[Path], trace: Trace) -> tuple[list[tuple[object, ...]], list[Diagnostic]]:
    """What a file runs and finds in a new process, as it were."""
    trace.clear()
    trace.path = path
    diagnostics = Checker(files).outcome(path, [*TEXTS]).diagnostics
    return list(trace), diagnostics


def test_a_server_takes_over_what_still_holds() -> None:
    choice, codes = random.Random(SEED), frozenset(DEFAULT_CHECKS)
    server = FindingsServer([str(Path.cwd())])
    for number in range(EDITS):
        server = FindingsServer([str(Path.cwd())], server.results)
        fresh = FindingsServer([str(Path.cwd())])
        for name in TEXTS:
            path = str(Path(name).absolute())
            assert server.findings(path, codes) == fresh.findings(path, codes), (number, name)
        edit(choice)


def test_a_server_runs_only_what_observes_an_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    real = Checker.findings_of

    def findings_of(self: Checker, path: Path) -> object:
        ran.append(path.name)
        return real(self, path)

    monkeypatch.setattr(Checker, "findings_of", findings_of)
    paths = [str(Path(name).absolute()) for name in TEXTS]
    server = FindingsServer([str(Path.cwd())])
    for path in paths:
        server.findings(path, frozenset(DEFAULT_CHECKS))
    assert len(ran) == len(TEXTS)
    Path("pkg/layers.py").write_text(TEXTS["pkg/layers.py"].replace("sizes.DEPTH", "sizes.DEPTH + 1"))
    ran.clear()
    server = FindingsServer([str(Path.cwd())], server.results)
    for path in paths:
        server.findings(path, frozenset(DEFAULT_CHECKS))
    assert "use.py" not in ran
    assert {"layers.py", "subclass.py"} <= set(ran)
