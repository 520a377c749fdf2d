"""The tables of README and docs match the saved figures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks import tables

DOCUMENT = {
    "benchmarks": {
        "runtime": {
            "machine": "fast-one",
            "ratios": [
                {"what": "a call | to b", "value": 0.03191, "target": 0.05, "at_least": False},
                {"what": "found", "value": 3, "target": 4, "at_least": True},
            ],
        },
        "rivals": {
            "figures": {
                "tools": {
                    "shapecheck check": {
                        "runs": False,
                        "versions": {},
                        "pairs": {
                            "pairs": 9,
                            "caught": 8,
                            "in_place": 7,
                            "silent": 3,
                            "silent_caught": 2,
                            "false": 1,
                            "seconds": 0.0123,
                        },
                        "twins": {"pairs": 2, "caught": 1, "false": 0},
                        "answers": {"finds a dtype that violates an annotation": True, "checks numpy arrays": False},
                    },
                    "TorchShapeFlow": {"unusable": "rejects a correct call"},
                    "models": {
                        "runs": True,
                        "versions": {"models": "1.2"},
                        "twins": {"pairs": 2, "caught": 2, "false": 1},
                        "answers": {"finds a dtype that violates an annotation": False, "checks numpy arrays": True},
                    },
                }
            }
        },
    }
}
GIVEN = {
    "ratios": """\
| benchmark | figure | value | target |  | machine |
| --- | --- | ---: | ---: | --- | --- |
| `runtime` | a call \\| to b | 0.0319 | at most 0.05 | met | fast-one |
|  | found | 3 | at least 4 | **missed** |  |""",
    "rivals-short": """\
|  | Errors found | Correct programs reported |
| --- | ---: | ---: |
| `shapecheck check` | 8 of 9 | 1 of 9 |
| TorchShapeFlow |  |  |""",
    "features": """\
|  | shapecheck check | models |
| --- | :-: | :-: |
| finds a dtype that violates an annotation | yes |  |
| checks numpy arrays |  | yes |""",
    "rival-versions": """\
| tool | installed |
| --- | --- |
| models | models 1.2 |""",
}


@pytest.mark.parametrize("name", GIVEN)
def test_a_table_of_figures(name: str) -> None:
    assert tables.TABLES[name](DOCUMENT) == GIVEN[name]


def test_a_row_for_each_tool_with_what_it_was_given() -> None:
    rows = [line.split(" | ") for line in tables.rivals(DOCUMENT).splitlines()[2:]]
    assert rows[0] == [
        "| shapecheck check",
        "no",
        "8 of 9",
        "7 of 9",
        "2 of 3",
        "1 of 9",
        "0.012",
        "1 of 2",
        "0 of 2 |",
    ]
    assert rows[1][:2] == ["| TorchShapeFlow", "does not work here: rejects a correct call"]
    assert rows[2][-2:] == ["2 of 2", "1 of 2 |"]


def test_only_the_text_between_markers_is_written() -> None:
    page = "a\n<!-- table features -->\nold\n<!-- /table features -->\nb\n"
    after = f"a\n<!-- table features -->\n{GIVEN['features']}\n<!-- /table features -->\nb\n"
    assert tables.rewritten(page, DOCUMENT) == after
    assert tables.rewritten(after, DOCUMENT) == after


@pytest.mark.parametrize(
    "page", [page for page in tables.PAGES if "<!-- table " in page.read_text()], ids=lambda page: page.name
)
def test_the_tables_of_the_pages_are_what_the_figures_give(page: Path) -> None:
    text = page.read_text()
    names = re.findall(r"<!-- table ([\w-]+) -->", text)
    assert names == re.findall(r"<!-- /table ([\w-]+) -->", text)
    assert set(names) <= tables.TABLES.keys()
    assert tables.rewritten(text, tables.documented()) == text, "python -m benchmarks.tables writes them"


def test_the_headlines_are_measured() -> None:
    document = tables.documented()
    for benchmark, what, _ in tables.HEADLINES:
        section = document["benchmarks"][benchmark]
        assert what in [one["what"] for one in section["ratios"]]


def test_the_tools_of_the_readme_are_measured() -> None:
    tools = tables.documented()["benchmarks"]["rivals"]["figures"]["tools"]
    assert all("pairs" in tools[name] for name in tables.SHORT)
