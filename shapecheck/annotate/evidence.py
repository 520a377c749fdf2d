"""Recorded calls as evidence about the functions of the source: they complete signatures, and refute annotations."""

from __future__ import annotations

import ast
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from shapecheck.annotate.combining import combined
from shapecheck.annotate.completing import Completed
from shapecheck.annotate.model import Doubt, FunctionKey, Signatures
from shapecheck.annotate.notation import contradictions
from shapecheck.annotate.planning import FunctionNode, functions_of
from shapecheck.annotate.recorded_facts import recorded_facts
from shapecheck.record.store import RecordedFunction
from shapecheck.static.observing.call_observer import ObservedCalls
from shapecheck.static.observing.signature_facts import CallFacts, ValueFacts

Refuted = dict[FunctionKey, dict[str, str]]
"""Why the annotation of a parameter, or of "return", is not written."""


@dataclass
class SignatureEvidence:
    """What is known about functions, from the source and from recorded calls."""

    source: Signatures
    recorded: dict[FunctionKey, RecordedFunction] = field(default_factory=dict)

    def signatures(self, doubted: Mapping[FunctionKey, Doubt], refuted: Refuted, path: str) -> Signatures:
        """The signatures of the functions of a file; `refuted` gets what the calls contradict."""
        found = {key: one for key, one in self.source.items() if key.path == path}
        for key, recorded in self.recorded.items():
            if key.path == path and key not in doubted:
                found[key] = _completed(found.get(key, ObservedCalls()), recorded, refuted.setdefault(key, {}))
        for key, names in refuted.items():
            if key in found and names:
                found[key] = ObservedCalls(_without(found[key].required, names), _without(found[key].called, names))
        return found

    def refute(self, tree: ast.Module, text: str, path: str) -> Iterator[tuple[FunctionKey, str, str]]:
        """The annotations of a file that recorded calls contradict, with the reason; `tree` is without annotations."""
        if all(key.path != path for key in self.recorded):
            return
        for (old, name), new in zip(functions_of(tree).items(), functions_of(ast.parse(text)), strict=True):
            key = FunctionKey(path, name, old.lineno)
            if key in self.recorded:
                for place, why in contradictions(new, self.recorded[key]).items():
                    yield key, place, why


def matched(
    recorded: Sequence[RecordedFunction], files: Mapping[Path, tuple[str, ast.Module]]
) -> dict[FunctionKey, RecordedFunction]:
    """The recorded calls of each function of the files, which have their displayed path and their tree."""
    by_path: dict[str, list[RecordedFunction]] = {}
    for one in recorded:
        by_path.setdefault(one.path, []).append(one)
    found: dict[FunctionKey, RecordedFunction] = {}
    for path, (display, tree) in files.items():
        names: dict[str, list[FunctionNode]] = {}
        known = by_path.get(os.path.realpath(path), ())
        for node, name in functions_of(tree).items() if known else ():
            names.setdefault(name, []).append(node)
        for one in known:
            if one.name in names:
                # Lines differ if the file has changed since; they only select among definitions of the same name.
                node = min(names[one.name], key=lambda node: abs(_first_line(node) - one.line))
                key = FunctionKey(display, one.name, node.lineno)
                merged = found.setdefault(key, RecordedFunction(one.path, one.name, one.line))
                for (parameters, call), count in one.calls.items():
                    merged.add(parameters, call, count)
    return found


def _first_line(node: FunctionNode) -> int:
    return min([node.lineno, *(one.lineno for one in node.decorator_list)])


def _completed(observed: ObservedCalls, recorded: RecordedFunction, refuted: dict[str, str]) -> ObservedCalls:
    body = observed.required or CallFacts()
    made = Completed(combined(observed), body, recorded_facts(recorded))
    for name, why in made.contradicted.items():
        refuted.setdefault(name, why)
    return ObservedCalls(required=made.facts)


def _without(facts: CallFacts | None, names: Collection[str]) -> CallFacts | None:
    if facts is None:
        return None
    arguments = {name: ValueFacts() if name in names else one for name, one in facts.arguments.items()}
    return CallFacts(arguments, ValueFacts() if "return" in names else facts.result)
