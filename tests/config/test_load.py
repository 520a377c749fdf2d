from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import get_args, get_origin, get_type_hints

import pytest
from msgspec import Struct

from shapecheck.config import (
    CaseConfig,
    CheckConfig,
    Config,
    ConfigError,
    FixConfig,
    GuardConfig,
    PathConfig,
    RunConfig,
    load_config,
)
from shapecheck.config.explain import unwrapped
from shapecheck.config.model import Options
from shapecheck.diagnostics import Severity


def _config(folder: Path, text: str) -> Config:
    (folder / "pyproject.toml").write_text(text)
    return load_config(folder)


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    config = load_config(tmp_path)
    assert config == Config(root=tmp_path)
    assert config.fix.select == ("untyped-call", "direct-forward")


def test_every_key_is_read(tmp_path: Path) -> None:
    config = _config(
        tmp_path,
        """
        [tool.shapecheck]
        paths = ["src"]
        exclude = ["vendored/"]
        respect-gitignore = false
        jobs = 3
        format = "github"
        runtime = false
        [tool.shapecheck.fix]
        select = ["untyped-call"]
        ignore = ["direct-forward"]
        style = "runtime"
        untyped = true
        decorators = ["ours.wrapped"]
        line-length = 79
        include-generated = true
        [tool.shapecheck.check]
        select = ["shape-mismatch", "wrong-call"]
        ignore = ["wrong-call"]
        baseline = "known.json"
        severity = { wrong-call = "note" }
        [tool.shapecheck.check.per-path]
        "tests/**" = { ignore = ["all"], severity = { shape-mismatch = "warning" } }
        "src/" = { select = ["default"] }
        """,
    )
    fix = FixConfig(("untyped-call",), ("direct-forward",), "runtime", True, ("ours.wrapped",), 79, True)
    per_path = {
        "tests/**": PathConfig(None, ("all",), {"shape-mismatch": Severity.WARNING}),
        "src/": PathConfig(("default",)),
    }
    severity = {"wrong-call": Severity.NOTE}
    check = CheckConfig(("shape-mismatch", "wrong-call"), ("wrong-call",), severity, "known.json", per_path)
    file = tmp_path / "pyproject.toml"
    assert config == Config(
        paths=("src",),
        exclude=("vendored/",),
        respect_gitignore=False,
        jobs=3,
        format="github",
        runtime=False,
        fix=fix,
        check=check,
        root=tmp_path,
        file=file,
    )


def test_the_nearest_file_above_a_path_counts(tmp_path: Path) -> None:
    _config(tmp_path, "[tool.shapecheck]\njobs = 1\n")
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "a.py").touch()
    assert load_config(inner / "a.py").jobs == 1
    _config(inner, "[tool.shapecheck]\njobs = 2\n")
    assert load_config(inner / "a.py").jobs == 2
    assert load_config(inner / "missing.py").jobs == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[tool.black]\nline-length = 100\n", 100),
        ("[tool.ruff]\nline-length = 120\n", 120),
        ("[tool.black]\nline-length = 100\n[tool.ruff]\nline-length = 120\n", 100),
        ("[tool.ruff]\nline-length = 'wide'\n", None),
        ("[tool.ruff.lint]\nselect = []\n", None),
        ("", None),
    ],
)
def test_the_line_length_of_the_formatter(tmp_path: Path, text: str, expected: int | None) -> None:
    assert _config(tmp_path, text).formatter_line_length == expected


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("[tool.shapecheck]\njob = 2", ['tool.shapecheck: unknown key "job"; did you mean "jobs"?']),
        ("[tool.shapecheck]\nxyz = 2", ['tool.shapecheck: unknown key "xyz"; available: paths, exclude']),
        ("[tool.shapecheck.fix]\nstile = 'typing'", ["tool.shapecheck.fix: ", 'did you mean "style"?']),
        (
            "[tool.shapecheck.fix]\nstyle = 'hard'",
            ['tool.shapecheck.fix.style: expected "typing" or "runtime", got "hard"'],
        ),
        (
            "[tool.shapecheck.fix]\nselect = ['untyped']",
            ['tool.shapecheck.fix.select: unknown code "untyped"; did you mean "untyped-call"?'],
        ),
        (
            "[tool.shapecheck.fix]\nselect = 'untyped-call'",
            ['fix.select: expected a list of codes: "untyped-call", "direct-forward", got "untyped-call"'],
        ),
        ("[tool.shapecheck.fix]\nline_length = 3", ['did you mean "line-length"?']),
        ("[tool.shapecheck]\njobs = 0", ["tool.shapecheck.jobs: expected a positive integer, got 0"]),
        ("[tool.shapecheck]\njobs = true", ["jobs: expected a positive integer, got true"]),
        ("[tool.shapecheck]\njobs = 'many'", ['jobs: expected a positive integer, got "many"']),
        ("[tool.shapecheck]\nrespect-gitignore = 1", ["respect-gitignore: expected true or false, got 1"]),
        ("[tool.shapecheck]\nexclude = [1]", ["exclude: expected a list of strings, got [1]"]),
        (
            "[tool.shapecheck]\nformat = []",
            ["format: expected ", '"text", "json", "github", "sarif", "junit", "gitlab" or "markdown", got []'],
        ),
        ("[tool.shapecheck.check]\nselect = ['untyped-call']", ["tool.shapecheck.check.select", "shape-mismatch"]),
        ("[tool.shapecheck.check]\nignored = []", ["tool.shapecheck.check: ", 'did you mean "ignore"?']),
        ("[tool.shapecheck.check]\nbaseline = ''", ['check.baseline: expected a path, got ""']),
        (
            "[tool.shapecheck.check.severity]\nwrong-cal = 'note'",
            ['check.severity: unknown code "wrong-cal"; did you mean "wrong-call"?'],
        ),
        (
            "[tool.shapecheck.check.severity]\nwrong-call = 'off'",
            ['severity.wrong-call: expected "error", "warning" or "note", got "off"'],
        ),
        ("[tool.shapecheck.check]\nper-path = []", ["check.per-path: expected a table, got []"]),
        ("[tool.shapecheck.check.per-path]\n'a/' = ['x']", ['per-path."a/"', "a table"]),
        (
            "[tool.shapecheck.check.per-path.'a/']\nignored = []",
            ['per-path."a/": unknown key "ignored"; did you mean "ignore"?'],
        ),
        (
            "[tool.shapecheck.check.per-path.'a/']\nignore = ['x']",
            ['per-path."a/".ignore: unknown code "x"; available: default, all, '],
        ),
        ("[tool.shapecheck.check.per-path.'!']\nignore = []", ['expected a .gitignore pattern, got "!"']),
        ("[tool.shapecheck]\nfix = 1", ["tool.shapecheck.fix", "a table"]),
        ("[tool]\nshapecheck = 1", ["tool.shapecheck", "a table"]),
        ("[tool.shapecheck", ["cannot parse: "]),
    ],
)
def test_a_mistake_is_one_clear_line(tmp_path: Path, text: str, parts: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        _config(tmp_path, text)
    message = str(caught.value)
    assert "\n" not in message
    for part in [str(tmp_path / "pyproject.toml"), *parts]:
        assert part in message


def test_bytes_that_are_no_text_are_a_mistake_too(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="cannot parse"):
        load_config(tmp_path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[tool.shapecheck.check.per-path]\n'a b/' = 1", 'check.per-path."a b/": expected a table, got 1'),
        (
            "[tool.shapecheck.cases.net]\nkwargs = {}",
            'cases.net: missing key "target": expected a target such as "pkg.module:Class"',
        ),
        (
            "[tool.shapecheck.check]\nignore = []\n[tool.shapecheck.check.severity]\nwrong-call = 2",
            'wrong-call: expected "error", "warning" or "note", got 2',
        ),
        ("[tool.shapecheck.run]\ntimeout = inf", "run.timeout: expected a positive number of seconds, got inf"),
        ("[tool.shapecheck.run]\nseed = 1.0", "run.seed: expected a non-negative integer, got 1.0"),
        (
            "[tool.shapecheck.cases.net]\ntarget = 'a:B'\nranges = { x = true }",
            "cases.net.ranges.x: expected a positive integer n (for 0 to n - 1) or [low, high], got true",
        ),
        ("[tool.shapecheck.cases.net]\ntarget = 'a:B'\nranges = { x = [1, 2, 3] }", "got [1, 2, 3]"),
    ],
)
def test_a_mistake_deep_inside_is_named_with_its_value(tmp_path: Path, text: str, expected: str) -> None:
    with pytest.raises(ConfigError) as caught:
        _config(tmp_path, text)
    assert expected in str(caught.value)


def _structs(kind: object) -> Iterator[type[Struct]]:
    """All the structs within a type."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        yield kind
        for hint in get_type_hints(kind, include_extras=True).values():
            yield from _structs(hint)
    for inner in get_args(kind):
        yield from _structs(inner)


def test_every_table_refuses_unknown_keys_and_every_value_has_words_for_a_message() -> None:
    structs = set(_structs(Options))
    assert {FixConfig, CheckConfig, PathConfig, GuardConfig, RunConfig, CaseConfig} < structs
    for struct in structs:
        assert struct.__struct_config__.forbid_unknown_fields
        for name, hint in get_type_hints(struct, include_extras=True).items():
            base, meta = unwrapped(hint)
            assert meta is not None or get_origin(base) is Mapping or base in structs, name
