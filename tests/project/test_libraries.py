"""Which installed packages are libraries whose source is read, and where their names come from."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from shapecheck.project.exports import ImportSource, absolute_name, exports_of
from shapecheck.project.libraries import Libraries


def installed(site: Path, name: str, source: str, requires: str | None = None) -> Libraries:
    (site / name).mkdir(parents=True)
    (site / name / "__init__.py").write_text("")
    (site / name / "inner").mkdir()
    (site / name / "inner/net.py").write_text(source)
    if requires is not None:
        (site / f"{name}-1.0.dist-info").mkdir()
        (site / f"{name}-1.0.dist-info/METADATA").write_text(f"Name: {name}\n{requires}\n")
    return Libraries([site])


@pytest.mark.parametrize(
    ("source", "requires", "is_read"),
    [
        ("", "Requires-Dist: torch", True),
        ("", "Requires-Dist: torch>=2.4 ; extra == 'torch'", True),
        ("import torch\n", "Requires-Dist: numpy", False),
        ("import torch\n", "Requires-Dist: torch-xla", False),
        ("import torch\n", None, True),
        ("from torch import nn\n", None, True),
        ("import torchlike\n", None, False),
        ("def f():\n    import torch\n", None, False),
    ],
)
def test_a_library_is_read_if_it_requires_torch(
    tmp_path: Path, source: str, requires: str | None, is_read: bool
) -> None:
    libraries = installed(tmp_path, "lib", source, requires)
    assert (libraries.find("lib") is not None) is is_read
    assert (libraries.find("lib.inner.net") == str(tmp_path / "lib/inner/net.py")) is is_read
    assert libraries.find("lib.missing") is None
    assert libraries.find("other") is None


def test_what_is_installed_includes_packages_that_are_not_read(tmp_path: Path) -> None:
    libraries = installed(tmp_path, "lib", "")
    (tmp_path / "compiled.cpython-312-x86_64-linux-gnu.so").write_text("")
    assert libraries.find("lib") is None
    assert libraries.has("lib")
    assert libraries.has("compiled")
    assert not libraries.has("other")


def test_the_names_of_a_module_include_those_of_its_blocks() -> None:
    tree = ast.parse(
        "from typing import TYPE_CHECKING\n"
        "import os.path, numpy as np\n"
        "if TYPE_CHECKING:\n    from .nets import *\n"
        "try:\n    from ..fast import conv as c\nexcept ImportError:\n    def c(): ...\n"
        "A, B = 1, 2\nC: int = 3\n"
        "class Net: ...\n"
    )
    found = exports_of(tree)
    assert found.defined == {"c", "A", "B", "C", "Net"}
    assert found.imported == {
        "TYPE_CHECKING": ImportSource(0, "typing", "TYPE_CHECKING"),
        "os": ImportSource(0, "os", ""),
        "np": ImportSource(0, "numpy", ""),
        "c": ImportSource(2, "fast", "conv"),
    }
    assert found.stars == ((1, "nets"),)


@pytest.mark.parametrize(
    ("package", "level", "module", "expected"),
    [
        ("a.b", 0, "c.d", "c.d"),
        ("a.b", 1, "c", "a.b.c"),
        ("a.b", 1, "", "a.b"),
        ("a.b", 2, "c", "a.c"),
        ("a.b", 3, "c", "c"),
    ],
)
def test_relative_imports_start_in_the_package(package: str, level: int, module: str, expected: str) -> None:
    assert absolute_name(package, level, module) == expected
