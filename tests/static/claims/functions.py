"""Reads the claims of one function in a small file."""

from __future__ import annotations

import ast
import textwrap

from shapecheck.project.source import split_lines
from shapecheck.static.claims import FunctionClaims, claims_of


def claims_in(source: str) -> FunctionClaims:
    """The claims of the first function in a file, or of the first method of its first class."""
    text = textwrap.dedent(source)
    tree = ast.parse(text)
    owner = next((one for one in tree.body if isinstance(one, ast.ClassDef)), None)
    body = tree.body if owner is None else owner.body
    function = next(one for one in body if isinstance(one, ast.FunctionDef))
    return claims_of(function, split_lines(text), owner)


def described(docstring: str, parameters: str = "x, y=None, lengths=None") -> FunctionClaims:
    """The claims of a method with this docstring."""
    body = textwrap.indent(textwrap.dedent(docstring), " " * 8)
    return claims_in(f'class Net:\n    def forward(self, {parameters}):\n        """Does it.\n\n{body}\n        """\n')


def texts(claims: FunctionClaims) -> dict[str, str]:
    """The claimed shapes of each parameter, as text."""
    return {name: " or ".join(map(str, one.shapes)) for name, one in claims.parameters.items()}
