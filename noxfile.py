"""The checks of a release, each in an environment of its own: `nox -l` lists them, `nox -s NAME` runs one.

The tasks of every day are the plain commands of CONTRIBUTING.md. What is here needs other Pythons, other versions of
torch, or nothing but the wheel.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import nox

nox.options.default_venv_backend = "venv"
nox.options.sessions = ["lint", "types", "docs", "wheel"]

PYTHONS = ["3.10", "3.11", "3.12", "3.13"]
TORCH = [("3.10", "2.4.1"), ("3.12", "2.8.0"), ("3.13", "2.13.0")]
"""The oldest torch, one between and the newest, each under a Python that it has a wheel for: see `docs/versions.md`."""

NEED_NO_TORCH = [
    *("tests/project", "tests/fix", "tests/config", "tests/static"),
    *("tests/cli/test_main.py", "tests/cli/test_check.py", "tests/cli/test_explain.py"),
    *("--ignore=tests/fix/test_checkers.py", "--ignore=tests/fix/test_runtime.py"),
    "--ignore=tests/static/domain/test_runtime_types.py",
]
MEET_TORCH = [
    *("tests/runtime", "tests/harness", "tests/spec", "tests/ops", "tests/stubs"),
    *("tests/cli/test_run.py", "tests/cli/test_run_processes.py", "tests/cli/test_run_refusals.py"),
    *("tests/cli/test_run_targets.py", "tests/test_pytest_plugin.py", "tests/test_pytest_cases.py"),
]
DRAW_AT_RANDOM = """
tests/spec tests/ops/rules tests/ops/modules/test_rnn.py tests/ops/test_families.py
tests/harness/inputs/test_values.py tests/project/test_notebook_edits.py
tests/project/test_same_cause.py tests/fix/test_fuzz.py tests/fix/test_kill.py tests/fix/test_signature_layout.py
tests/mypy/test_daemon_edits.py tests/lsp/test_sessions.py tests/cli/test_check_edits.py tests/cli/test_check_cache.py
tests/static/test_fuzz.py tests/static/provenance/test_notes.py tests/static/differential tests/static/domain
tests/static/claims/test_any_text.py tests/static/engine/test_journal_laws.py tests/static/narrowing/test_laws.py
tests/static/calls/test_argument_errors.py tests/runtime/test_as_jaxtyping.py
""".split()
MEET_DEPENDENCIES = [
    *("tests/config", "tests/project", "tests/fix", "--ignore=tests/fix/test_checkers.py", "tests/runtime"),
    *("tests/mypy", "tests/harness/show"),
]
"""Not the tests of the commands: they read standard error apart, which click's own runner does from 8.2 on."""

USES = {
    "": ("shapecheck", "check", "--quiet", "examples/vit.py"),
    "[mypy]": ("mypy", "--version"),
    "[torch]": ("shapecheck", "run", "--quiet", "examples/vit.py", "--output", "report.html"),
}
"""For each extra of the wheel, a command that needs it."""


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """All tests."""
    session.install("-c", "constraints.txt", "-e", ".[test]")
    session.run("python", "-m", "pytest", "-n", "2", *session.posargs)


@nox.session(python=PYTHONS)
def core(session: nox.Session) -> None:
    """The tests of what needs neither torch nor jinja2, where there is none."""
    session.install("-e", ".[mypy]", "black", "hypothesis", "pytest", "pytest-xdist", "ruff")
    for absent in ("torch", "jinja2"):
        session.run("python", "-c", f"import importlib.util; assert importlib.util.find_spec({absent!r}) is None")
    session.run("python", "-m", "pytest", *(session.posargs or NEED_NO_TORCH))


@nox.session
def long(session: nox.Session) -> None:
    """The tests that draw at random or compare whole corpora, with all that they may try."""
    session.install("-c", "constraints.txt", "-e", ".[test]")
    tried = session.posargs or DRAW_AT_RANDOM
    session.run("python", "-m", "pytest", "-n", "2", *tried, env={"SHAPECHECK_LONG": "1", "CI": ""})


@nox.session
@nox.parametrize(("python", "torch"), TORCH)
def torch(session: nox.Session, torch: str) -> None:
    """The tests that meet torch's internals, with other versions of it."""
    session.install(f"torch=={torch}", "-e", ".[test]")
    # The tests of the mypy plugin show what the newest torch's own source says of containers.
    plugin = ["tests/mypy"] if torch == TORCH[-1][1] else []
    session.run("python", "-m", "pytest", *(session.posargs or [*MEET_TORCH, *plugin]))


@nox.session(python="3.11")
def lowest(session: nox.Session) -> None:
    """The oldest versions that pyproject.toml allows of all that it names, and the tests of what uses them."""
    session.install("uv")
    session.run("uv", "pip", "install", "--resolution", "lowest-direct", "-c", "constraints.txt", "-e", ".[mypy,torch]")
    session.install("black", "hypothesis", "numpy", "pytest", "pytest-xdist", "ruff")
    for command in (("explain",), ("check", "examples"), ("fix", "--diff", "examples"), ("run", "examples/vit.py")):
        session.run("shapecheck", *command, success_codes=[0, 1])
    session.run("python", "-m", "pytest", *(session.posargs or MEET_DEPENDENCIES))


@nox.session(python="3.11")
def wheel(session: nox.Session) -> None:
    """What would be published: built, looked at, and used with each extra, installed from the index into nothing."""
    session.install("build", "check-wheel-contents", "readme-renderer[md]", "twine")
    with tempfile.TemporaryDirectory() as name:  # outside of the checkout, whose pyproject.toml would be found
        folder = Path(name).resolve()
        session.run("python", "-m", "build", "--outdir", str(folder))
        [built], [sdist] = folder.glob("*.whl"), folder.glob("*.tar.gz")
        session.run("twine", "check", "--strict", str(built), str(sdist))
        session.run("check-wheel-contents", str(built))
        shutil.unpack_archive(sdist, folder)
        unpacked = folder / sdist.name.removesuffix(".tar.gz")
        tried = ("python", "-m", "pytest", *(session.posargs or ["tests/config", "tests/runtime"]))
        for extra, command in {**USES, "[test]": tried}.items():
            _use(session, f"{built}{extra}", unpacked, command)


def _use(session: nox.Session, wanted: str, unpacked: Path, command: tuple[str, ...]) -> None:
    """Install into a new environment, and run a command of it on the unpacked sdist."""
    environment = unpacked.parent / "venv"
    shutil.rmtree(environment, ignore_errors=True)
    session.run("python", "-m", "venv", str(environment))
    scripts = environment / "bin"
    constraints = str(unpacked / "constraints.txt")
    session.run(str(scripts / "python"), "-m", "pip", "install", "-q", "-c", constraints, wanted, external=True)
    with session.chdir(unpacked):
        session.run(str(scripts / command[0]), *command[1:], external=True)


@nox.session
def vscode(session: nox.Session) -> None:
    """The extension for VS Code: type-checked, tested and packaged. Needs node 20 or later."""
    session.chdir("editors/vscode")
    for command in (("ci",), ("test",), ("run", "package")):
        session.run("npm", *command, external=True)


@nox.session
def vscode_server(session: nox.Session) -> None:
    """The extension in VS Code itself, in Chromium. Needs Linux on x64, node 20, a C++ compiler and libkrb5-dev."""
    session.install("-c", "constraints.txt", "-e", ".[test]")
    with session.chdir("editors/vscode"):
        for command in (("ci",), ("run", "package")):
            session.run("npm", *command, external=True)
    with session.chdir("editors/vscode/server"):
        for command in (("ci", "--ignore-scripts"), ("run", "build")):
            session.run("npm", *command, external=True)
    session.run("python", "-m", "pytest", *(session.posargs or ["tests/vscode"]))


@nox.session
def playground(session: nox.Session) -> None:
    """The page of the documentation that runs check in the browser: built and tested. Needs node 20 and Chromium."""
    session.install("-c", "constraints.txt", "-e", ".[test]")
    with session.chdir("editors/playground"):
        for command in (("ci",), ("run", "check"), ("run", "build")):
            session.run("npm", *command, external=True)
    session.run("python", "-m", "pytest", *(session.posargs or ["tests/playground"]))


@nox.session
def lint(session: nox.Session) -> None:
    """Style, format, and who imports whom."""
    session.install("-c", "constraints.txt", "-e", ".[test]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("lint-imports")


@nox.session
def types(session: nox.Session) -> None:
    """mypy on our own code."""
    session.install("-c", "constraints.txt", "-e", ".[test]")
    session.run("mypy")


@nox.session
def docs(session: nox.Session) -> None:
    """The documentation, where every warning is an error."""
    session.install("-c", "constraints.txt", "-e", ".[test]")
    site = str(Path(session.create_tmp()).resolve() / "site")
    session.run("python", "-m", "mkdocs", "build", "--strict", "--site-dir", site, env={"NO_MKDOCS_2_WARNING": "1"})
