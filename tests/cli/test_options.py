"""Options that commands share are the same everywhere, and the help of every command has groups and an example."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from shapecheck.cli import main
from shapecheck.cli._command import GROUPS, Command, Option, group_of
from shapecheck.harness.results import RunReport
from shapecheck.harness.serialization import as_json
from tests.harness.show import samples

CONTEXT = click.Context(main)
NAMES = main.list_commands(CONTEXT)
SHARED = {
    "--select": ("check", "fix"),
    "--ignore": ("check", "fix"),
    "--exclude": ("check", "run", "fix", "annotate"),
    "--include-generated": ("fix", "annotate"),
    "--stdin-filename": ("fix", "annotate"),
    "--check": ("fix", "annotate", "stubs"),
    "--diff": ("fix", "annotate", "init"),
    "--line-length": ("fix", "annotate"),
    "--format": ("check", "run", "diff", "fix", "doctor"),
    "--output": ("check", "run"),
    "--fail-on": ("check", "run"),
    "--quiet": ("check", "run", "diff", "fix", "annotate", "record", "stubs", "init"),
    "--jobs": ("check", "run", "fix", "annotate"),
}
"""The commands that have each shared option."""
OWN_DEFAULT = ("--jobs",)
"""Shared options whose default differs, and is at the end of the help."""
SELECTION_OF_RUN = ("run", "--check")
"""The checks of a run, which have the same name as `--check` of other commands."""
INTERPRETER_OF_STUBS = ("stubs", "--python")
"""The interpreter that `stubs` starts; `check` reads the files of an environment."""

DATA_OF_RECORD = ("record", "--output")
"""The data file of `record`; that of other commands is a report."""


def command(name: str) -> Command:
    found = main.get_command(CONTEXT, name)
    assert isinstance(found, Command)
    return found


def options(name: str) -> Iterator[tuple[str, click.Option]]:
    """The options of a command with their long names, in the order of the help."""
    for parameter in command(name).get_params(click.Context(command(name))):
        if isinstance(parameter, click.Option):
            yield next(one for one in parameter.opts if one.startswith("--")), parameter


def declaration(name: str, found: click.Option) -> dict[str, Any]:
    """Everything that a user sees of an option."""
    text = found.help or ""
    return {
        "help": text.partition("  [default")[0] if name in OWN_DEFAULT else text,
        "names": found.opts,
        "metavar": found.metavar,
        "group": group_of(found),
        "flag": found.is_flag,
        "multiple": found.multiple,
        "type": type(found.type),
    }


def in_common() -> dict[str, dict[str, dict[str, Any]]]:
    """The declarations of the options that several commands have, by option and command."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for name in NAMES:
        for option, parameter in options(name):
            if (name, option) not in (SELECTION_OF_RUN, INTERPRETER_OF_STUBS, DATA_OF_RECORD) and option != "--help":
                found.setdefault(option, {})[name] = declaration(option, parameter)
    return {option: by_command for option, by_command in found.items() if len(by_command) > 1}


def test_the_shared_options_are_known() -> None:
    assert {option: tuple(by_command) for option, by_command in in_common().items()} == SHARED


@pytest.mark.parametrize("option", SHARED)
def test_a_shared_option_is_declared_the_same_everywhere(option: str) -> None:
    first, *others = in_common()[option].values()
    assert all(other == first for other in others)


@pytest.mark.parametrize("name", NAMES)
def test_shared_options_have_the_same_order(name: str) -> None:
    own = [
        option
        for option, _ in options(name)
        if option in SHARED and (name, option) not in (SELECTION_OF_RUN, DATA_OF_RECORD)
    ]
    assert own == [option for option in SHARED if option in own]


@pytest.mark.parametrize("name", NAMES)
def test_every_option_belongs_to_a_group(name: str) -> None:
    for option, parameter in options(name):
        if option != "--help":
            assert isinstance(parameter, Option), option
            assert parameter.group in GROUPS[:-1], option


@pytest.mark.parametrize("name", NAMES)
def test_every_option_has_help_that_is_a_phrase(name: str) -> None:
    for option, parameter in options(name):
        text = (parameter.help or "").partition("  [default")[0]
        assert text[:1].isupper(), option
        assert text.endswith("."), option


@pytest.mark.parametrize("name", NAMES)
def test_help_has_groups_in_order_an_example_and_exit_codes(name: str) -> None:
    shown = CliRunner().invoke(main, [name, "--help"]).stdout
    headings = [line[:-1] for line in shown.splitlines() if line.endswith(":") and not line.startswith(" ")]
    *groups, example, codes = headings
    assert [one for one in GROUPS if one in groups] == groups
    assert groups[-1] == GROUPS[-1]
    assert (example, codes) == ("Example", "Exit codes")
    assert f"\n  shapecheck {name}" in shown
    assert "\n  2  Cannot run: " in shown


@pytest.mark.parametrize("name", NAMES)
def test_help_starts_with_an_imperative_sentence(name: str) -> None:
    first = (command(name).help or "").partition("\n\n")[0]
    assert first.split()[0] in {"Find", "Build", "Compare", "Add", "Write", "Explain", "Run", "Show"}
    assert first.endswith(".")


@pytest.fixture
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A project with what the examples name."""
    for folder in ("src", "models"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "net.py").write_text(NET)
    (tmp_path / "train.py").write_text("import torch\ndef f(x): return x\nf(torch.ones(2))\n")
    for name in ("before.json", "after.json"):
        (tmp_path / name).write_text(as_json(RunReport(samples.ENVIRONMENT, (samples.gpt(),))))
    monkeypatch.chdir(tmp_path)


NET = """\
from jaxtyping import Float
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(8, 4)

    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 4"]:
        return self.layer(x)
"""


@pytest.mark.parametrize("name", [one for one in NAMES if one != "lsp"])  # which prints nothing by itself
@pytest.mark.usefixtures("_project")
def test_the_example_runs(name: str) -> None:
    program, *arguments = shlex.split(command(name).example)
    result = CliRunner().invoke(main, arguments)
    assert (program, arguments[0]) == ("shapecheck", name)
    assert result.exit_code == (1 if name == "fix" else 0), result.output
    assert result.output
