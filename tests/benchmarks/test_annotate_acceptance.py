"""What counts as the same program in the acceptance of `shapecheck annotate`, and that its programs are valid."""

from __future__ import annotations

import ast

import pytest

from benchmarks.annotate_acceptance import same_program
from benchmarks.annotate_forwards import FORWARDS

SOURCE = b'"""Doc."""\nimport torch\nfrom torch import nn\n\n\ndef f(x, y: int = 2):\n    return x * y\n'
SAME = {
    "annotations": SOURCE.replace(b"(x, ", b'(x: Float[Tensor, "b"], ').replace(b"):", b') -> Float[Tensor, "b"]:'),
    "an import": SOURCE.replace(b"from torch import nn", b"from jaxtyping import Float\nfrom torch import nn"),
    "a name of an import": SOURCE.replace(b"import nn", b"import Tensor, nn"),
    "a comment": b"# ruff: noqa: F722\n" + SOURCE,
}
OTHER = {
    "another value": SOURCE.replace(b"x * y", b"y * x"),
    "another default": SOURCE.replace(b"= 2", b"= 3"),
    "an import that is lost": SOURCE.replace(b"from torch import nn\n", b""),
    "a docstring that is no longer first": b"from jaxtyping import Float\n" + SOURCE.replace(b'"""Doc."""', b"1"),
    "a syntax error": SOURCE + b")",
}


@pytest.mark.parametrize("name", SAME)
def test_annotations_and_imports_keep_the_program(name: str) -> None:
    assert SAME[name] != SOURCE
    assert same_program(SOURCE, SAME[name])


@pytest.mark.parametrize("name", OTHER)
def test_any_other_change_is_another_program(name: str) -> None:
    assert OTHER[name] != SOURCE
    assert not same_program(SOURCE, OTHER[name])


@pytest.mark.parametrize("name", FORWARDS)
def test_a_program_names_what_it_checks(name: str) -> None:
    packages, program = FORWARDS[name]
    imported = {one.module or "" for one in ast.walk(ast.parse(program)) if isinstance(one, ast.ImportFrom)}
    assert any(module == one or module.startswith(f"{one}.") for one in packages for module in imported)
