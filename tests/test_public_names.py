"""What `import shapecheck` offers: every public name, loaded when first asked for, with a word on what it is."""

from __future__ import annotations

import subprocess
import sys

import pytest

import shapecheck


@pytest.mark.parametrize("name", [name for name in shapecheck.__all__ if name != "UNKNOWN"])
def test_a_public_name_says_what_it_is(name: str) -> None:
    assert getattr(shapecheck, name).__doc__


def test_the_import_loads_no_room_and_yet_shows_all_names() -> None:
    program = (
        "import sys, shapecheck\n"
        "missing = set(shapecheck.__all__) - set(dir(shapecheck))\n"
        "print(missing, [name for name in sys.modules if name.startswith('shapecheck.')])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set() []\n"


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'chekced'"):
        _ = shapecheck.chekced
