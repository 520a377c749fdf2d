"""The table of checks, and its copy in the documentation."""

import re
from pathlib import Path

from shapecheck.diagnostics import CODES
from shapecheck.harness.checks.table import all_checks

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "run.md").read_text()
ROWS = re.findall(r"^\| `(\w+)` \|.*\| ([^|]*) \|$", PAGE.partition("## Checks")[2].partition("\n## ")[0], re.M)


def test_the_documentation_lists_the_checks_in_the_order_in_which_they_run() -> None:
    assert [name for name, _ in ROWS] == [check.name for check in all_checks()]


def test_the_codes_that_it_names_are_codes_or_those_of_another_check() -> None:
    for name, codes in ROWS:
        named = set(re.findall(r"`([\w-]+)`", codes))
        assert named <= {*CODES, "contract"}, name
