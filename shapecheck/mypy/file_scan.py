"""The scan of the file being checked, computed on demand by the hooks and cached."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mypy.checker import TypeChecker
from mypy.nodes import CallExpr, ClassDef, Expression, ListExpr, Statement, TupleExpr
from mypy.types import Instance

from shapecheck.mypy.elements import Element
from shapecheck.mypy.scan import Scan, describe_class, leaves

_METADATA = "shapecheck"
"""Key in `TypeInfo.metadata` for the result of `describe_class`."""

_KEPT = 8
_kept: OrderedDict[str, FileScan] = OrderedDict()


@dataclass(frozen=True, slots=True)
class FileScan:
    """A scan and the statements it was made from."""

    defs: list[Statement]
    scan: Scan

    def changes_to(self, call: CallExpr) -> Sequence[Element] | None:
        """What is added later to the container that this call creates; None if that is unknown."""
        if call not in self.scan.homes:
            return None
        place = self.scan.homes[call]
        if place is None:
            return ()
        if len(self.scan.writes[place]) != 1 or place[1] in self.scan.foreign:
            return None
        return self.scan.changes.get(place, ())

    def rewritten(self, source: Expression, position: int | None = None) -> list[list[Expression | None]]:
        """All that is written to each place `source` goes to, for those written more than once.

        With a position: to the places of that item of the target.
        """
        target = self.scan.targets.get(source)
        if target is None:
            return []
        if position is not None and isinstance(target, (TupleExpr, ListExpr)):
            if position >= len(target.items):
                return []
            target = target.items[position]
        places = [self.scan.places[leaf] for leaf in leaves(target) if leaf in self.scan.places]
        return [writes for place in places if len(writes := self.scan.writes[place]) > 1]


def scan_of(checker: TypeChecker) -> FileScan:
    """The facts of the file being checked."""
    tree = checker.tree
    facts = _kept.get(tree.fullname)
    # The daemon puts new statements into the old file object.
    if facts is None or facts.defs is not tree.defs:
        facts = _kept[tree.fullname] = FileScan(tree.defs, Scan(tree))
        if len(_kept) > _KEPT:
            _kept.popitem(last=False)
    return facts


def is_assigned_once(receiver: Instance, name: str) -> bool:
    """Whether a single class of the receiver's MRO determines its attribute `name`."""
    return bool(sum(known["weights"].get(name, 0) for known in _descriptions(receiver)) <= 1)


def built_by_several(receiver: Instance, name: str) -> bool:
    """Whether calls of different callees create the attribute, so that its type is only that of the first."""
    return len({made for known in _descriptions(receiver) for made in known["built"].get(name, ())}) > 1


def is_buffer(receiver: Instance, name: str) -> bool:
    """Whether a class of the receiver's MRO registers a buffer of that name."""
    return any(name in known["buffers"] for known in _descriptions(receiver))


def _descriptions(receiver: Instance) -> Iterator[dict[str, Any]]:
    for base in receiver.type.mro:
        if _METADATA in base.metadata:
            yield base.metadata[_METADATA]


def remember(cls: ClassDef) -> None:
    """Stores the facts of its body with the class, for the methods above."""
    if _METADATA not in cls.info.metadata:
        cls.info.metadata[_METADATA] = describe_class(cls)
