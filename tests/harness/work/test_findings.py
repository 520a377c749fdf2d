from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.harness.work.findings import in_one_line, of_import, of_run


def _raised(text: str, file: Path) -> BaseException:
    """What running a text as that file raises."""
    file.write_text(text)
    try:
        exec(compile(text, str(file), "exec"), {})
    except BaseException as error:
        return error
    raise AssertionError("it raises nothing")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ValueError("one\n  two"), "ValueError: one two"),
        (KeyError(), "KeyError"),
        (SystemExit(3), "calls sys.exit(3)"),
        (SystemExit(), "calls sys.exit()"),
        (
            RuntimeError("can't allocate memory: you tried to allocate 4398046511104 bytes."),
            "allocates 4.0 TiB, more than the memory available",
        ),
    ],
)
def test_what_was_raised_is_one_line(error: BaseException, words: str) -> None:
    assert in_one_line(error) == words


def test_the_innermost_line_of_the_program_counts_not_that_of_the_library(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    error = _raised("import json\n\ndef load():\n    return json.loads('{')\n\nload()\n", file)
    found = of_import(error, file, tmp_path)
    assert (found.code, found.line, found.column) == ("failed-import", 4, 5)
    assert found.end_column == len("    return json.loads('{')") + 1


def test_a_file_that_does_not_parse_is_said_as_check_says_it(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    found = of_import(_raised("x = 1\ny = (\n", file), file, tmp_path)
    assert (found.code, found.line) == ("syntax-error", 2)


def test_what_no_line_of_the_program_raised_is_our_fault(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    assert of_import(RuntimeError("ours"), file, tmp_path).code == "internal-error"
    found = of_run(RuntimeError("ours"), (str(file), 7), tmp_path, "program:Net")
    assert (found.code, found.line, found.case) == ("internal-error", 7, "program:Net")


def test_a_case_that_raises_fails_at_its_line(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    found = of_run(_raised("x = 1\nraise SystemExit(1)\n", file), (str(file), 1), tmp_path, "program:Net")
    assert (found.code, found.line, found.message) == ("failed-run", 2, "calls sys.exit(1)")
