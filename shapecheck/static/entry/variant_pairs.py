"""Pairs of variants of which one decides whether the code runs that treats the other.

`if self.flash: ... else: if mask is not None: ...` shows nothing about a given mask while `flash` has its default.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from shapecheck.project.tree_walk import walk
from shapecheck.static.engine.findings import Finding
from shapecheck.static.entry.variant_findings import is_inside
from shapecheck.static.entry.variants import Variant


class VariantPair(NamedTuple):
    """Two variants of different parameters."""

    outer: Variant
    inner: Variant

    @property
    def condition(self) -> str:
        """When a finding of the pair occurs."""
        return f"fails whenever {self.outer.state} and {self.inner.state}"

    def accepts(self, finding: Finding) -> bool:
        """Whether the call that fails is in a branch of each."""
        return all(any(is_inside(finding, part, one) for part in one.regions()) for one in self)


def nested_pairs(variants: Sequence[Variant]) -> Iterator[VariantPair]:
    """The pairs of which one is tested in a branch that the other selects."""
    usable = [one for one in variants if not one.is_size and not one.is_count]
    for one, other in combinations(usable, 2):
        if one.parameter.node is other.parameter.node:
            continue
        if _is_within(one, other):
            yield VariantPair(one, other)
        elif _is_within(other, one):
            yield VariantPair(other, one)


def _is_within(outer: Variant, inner: Variant) -> bool:
    """Whether a branch of a variant contains a condition about another one."""
    conditions = (one for part in outer.regions() for one in walk(part) if isinstance(one, (ast.If, ast.IfExp)))
    return any(map(inner.decides, conditions))
