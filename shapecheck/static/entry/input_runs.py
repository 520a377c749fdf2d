"""Runs entry points with other sizes of their inputs: what fails for a batch of one, or for odd sizes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

from shapecheck.static.engine.entry_defaults import EntryDefaults
from shapecheck.static.engine.findings import Finding
from shapecheck.static.engine.places import note_at
from shapecheck.static.entry.input_variants import ODD, InputVariant, batch_of, treats_one
from shapecheck.static.entry.variant_findings import with_condition
from shapecheck.static.entry.variant_runner import CALL, VariantEntry, VariantRunner

_SQUEEZE: Final = "squeeze-batch"
_ONE: Final = batch_of(1)
_SEVERAL: Final = (batch_of(2), batch_of(3))


class InputRuns:
    """Runs the variants of the inputs of one entry point after the other."""

    def __init__(self, runner: VariantRunner) -> None:
        self._runner = runner

    def of_batches(self, entry: VariantEntry) -> Iterator[Finding]:
        """What fails for a batch of one, but not for larger ones."""
        if treats_one(entry.owner.node) and not self._has_squeeze(entry):
            yield from self._of(entry, _ONE, _SEVERAL)

    def _has_squeeze(self, entry: VariantEntry) -> bool:
        """Whether a squeeze in the code is reported already: what follows from it is not reported again."""
        path, node = entry.owner.closure.loaded.source.display, entry.owner.node
        first, last = node.lineno, node.end_lineno or node.lineno
        return any(key[3] == _SQUEEZE and key[0] == path and first <= key[1] <= last for key in self._runner.known)

    def of_sizes(self, entry: VariantEntry) -> Iterator[Finding]:
        """What fails for odd sizes in a file that expects any size."""
        yield from self._of(entry, ODD, ())

    def _of(self, entry: VariantEntry, variant: InputVariant, others: Collection[InputVariant]) -> Iterator[Finding]:
        """What fails in a variant, whatever the options are, and neither usually nor in the other variants."""
        runner, defaults = self._runner, _defaults(variant)
        new = {key for key in runner.failures(runner.run(entry, defaults)) if key[3] != CALL}
        new -= runner.usual(entry) if new else set()
        for other in others if new else ():
            new -= runner.run(entry, _defaults(other)).findings.keys()
        if not new:
            return
        opened = frozenset(node for node, used in defaults.used.items() if isinstance(used.value, (bool, str)))
        again = runner.run(entry, replace(_defaults(variant), opened=opened), notes=True).findings
        loaded, node = entry.owner.closure.loaded, entry.owner.node
        for key in sorted(new & again.keys()):
            found = with_condition(again[key], variant.condition, note_at(loaded, node, variant.found))
            if variant.accepts(again[key]) and runner.is_first(found):
                yield found


def _defaults(variant: InputVariant) -> EntryDefaults:
    return EntryDefaults(resized=variant.resized)
