"""The sessions and doctests of the documentation print what its pages show."""

from __future__ import annotations

import doctest
import shutil
from pathlib import Path

import click
import pytest

from shapecheck.cli import main
from tests.documents import Change, Command, File, commands, play, steps
from tests.mypy_caches import PLUGIN, WITHOUT_INTERNALS, cache_with_torch, configuration

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs/how-to").glob("*.md"))]
ABOUT_THE_PACKAGE = {"adding-a-rule.md"}
"""Pages that change the package itself: `test_tutorials` plays them on a copy."""
WITH_SESSIONS = [
    page for page in PAGES if page.name not in ABOUT_THE_PACKAGE and commands(page.read_text(encoding="utf-8"))
]
WITH_DOCTESTS = [page for page in PAGES if "```pycon" in page.read_text(encoding="utf-8")]


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """mypy's caches, which know torch: for pages without a configuration, and for those that configure the plugin.

    Pages without a configuration get that of a user.
    """
    folder = tmp_path_factory.mktemp("caches")
    (folder / "mypy").mkdir()
    (folder / "mypy/config").write_text(configuration(WITHOUT_INTERNALS))
    shutil.copytree(cache_with_torch(tmp_path_factory, WITHOUT_INTERNALS), folder / "plain")
    shutil.copytree(cache_with_torch(tmp_path_factory, PLUGIN), folder / "configured")
    return folder


@pytest.mark.parametrize("page", WITH_SESSIONS, ids=name)
def test_each_session_prints_what_the_page_shows(page: Path, tmp_path: Path, cache: Path) -> None:
    play(page.read_text(encoding="utf-8"), tmp_path, cache)


@pytest.mark.parametrize("page", WITH_DOCTESTS, ids=name)
def test_the_examples_of_a_page_do_what_it_says(page: Path) -> None:
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    failed, tried = doctest.testfile(str(page), module_relative=False, optionflags=flags)
    assert tried
    assert not failed


@pytest.mark.parametrize("page", ["quickstart", "tutorial", "cookbook"])
def test_every_command_of_the_page_is_run(page: str) -> None:
    text = (ROOT / f"docs/{page}.md").read_text(encoding="utf-8")
    assert len(commands(text)) == text.count("\n$ ") >= 10


def test_the_quickstart_runs_every_command() -> None:
    text = (ROOT / "docs/quickstart.md").read_text(encoding="utf-8")
    lines = commands(text)
    run = {line.split()[1] for line in lines if line.startswith("shapecheck ")}
    assert run == set(main.list_commands(click.Context(main))) - {"lsp"}  # which editors start
    assert "`shapecheck lsp`" in text


PAGE = """\
```python
# net.py
one = 1
```

```diff
--- net.py
+++ net.py
@@ -1,2 +1,2 @@
 # net.py
-one = 1
+one = 2
```

```console
$ python -c "import net; print(net.one, 'x'); import sys; print('to', file=sys.stderr)" net.py
2 ...
to
$ cat net.py
# net.py
one = 2
$ cat other.py
$ shapecheck check src/    # of nothing here
```
"""


def test_the_steps_of_a_page_are_in_order() -> None:
    kinds = [type(step) for step in steps(PAGE)]
    assert kinds == [File, Change, Command, Command]


def test_a_page_with_the_real_output_passes(tmp_path: Path) -> None:
    play(PAGE, tmp_path, tmp_path)
    assert (tmp_path / "net.py").read_text() == "# net.py\none = 2\n"


@pytest.mark.parametrize("wrong", ["2 ...", "to\n", "one = 2\n$"])
def test_a_page_with_other_output_fails(wrong: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        play(PAGE.replace(wrong, wrong.replace("2", "3").replace("to", "of")), tmp_path, tmp_path)
