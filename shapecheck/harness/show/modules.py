"""The modules of all cases in compact form for the script of the HTML page: each string once, rows as lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from shapecheck.harness.results import ModuleRecord

_NAMED = 3
"""The cells of every row: its parent, its name and its kind."""


@dataclass
class Texts:
    """Strings by number, each stored once."""

    known: dict[str, int] = field(default_factory=dict)

    def number(self, text: str) -> int:
        """The number of a string, which is added if it is new."""
        return self.known.setdefault(text, len(self.known))

    def numbers(self, texts: Sequence[str]) -> int | list[int]:
        """The numbers of several strings; 0 for none, because a row omits trailing empty cells."""
        return [self.number(text) for text in texts] or 0


def rows(modules: Sequence[ModuleRecord], texts: Texts) -> list[list[object]]:
    """A list for each module: the number of its parent (-1 for none), its name there, its kind and its figures."""
    places = {module.path: number for number, module in enumerate(modules)}
    return [_row(module, _parent(module.path, places), modules, texts) for module in modules]


def _parent(path: str, places: dict[str, int]) -> int:
    """The nearest module around it that is among them."""
    while path:
        path = path.rpartition(".")[0]
        if path in places:
            return places[path]
    return -1


def _row(module: ModuleRecord, parent: int, modules: Sequence[ModuleRecord], texts: Texts) -> list[object]:
    around = modules[parent].path if parent >= 0 else ""
    name = module.path[len(around) :].lstrip(".")
    place = f"{module.file}:{module.line}" if module.file else ""
    row: list[object] = [
        parent,
        texts.number(name),
        texts.number(module.kind),
        module.calls,
        texts.numbers(module.inputs),
        texts.numbers(module.outputs),
        module.parameters,
        module.flops,
        module.moved_bytes,
        module.seconds or 0,
        texts.number(module.annotation) if module.annotation else 0,
        texts.number(place) if place else 0,
    ]
    while len(row) > _NAMED and not row[-1]:
        row.pop()
    return row
