"""Claims: the shapes that authors write in docstrings and comments.

`claims_of` reads a function once. `dimensions` reads one shape, `phrases` finds shapes in a description, `entries`
divides a docstring into the descriptions of parameters and results, and `comments` reads comments. `model` has the
result, which names the place of each claim.
Not here: values, and what an analysis does with a claim, which is in `entry`.
"""

from __future__ import annotations

from shapecheck.static.claims.model import Claim, ClaimedShape, FunctionClaims
from shapecheck.static.claims.reading import assigned_names, claims_of

__all__ = ["Claim", "ClaimedShape", "FunctionClaims", "assigned_names", "claims_of"]
