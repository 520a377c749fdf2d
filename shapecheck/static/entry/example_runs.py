"""Runs the example code of a file with other batch sizes: what fails for all of them works by coincidence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from shapecheck.static.domain.objects import Namespace
from shapecheck.static.engine.entry_defaults import EntryDefaults
from shapecheck.static.engine.findings import Finding
from shapecheck.static.engine.loading import SourceModule
from shapecheck.static.engine.places import note_at
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.scopes import unwatched
from shapecheck.static.entry.entry_runs import Found
from shapecheck.static.entry.example_batches import ExampleBatch, example_batches, with_batch
from shapecheck.static.entry.variant_findings import with_condition
from shapecheck.static.entry.variant_runner import CALL, VariantRunner
from shapecheck.static.statements.imports import run_body

_MOST_STEPS: Final = 2_000
_FACTORS: Final = (2, 3, 5)
"""Multiples, so that a batch which must be divisible still is."""


def example_findings(runner: VariantRunner, loaded: SourceModule) -> Iterator[Finding]:
    """What the example code of a file fails with for each other batch size, if it has no findings as it is."""
    for batch in example_batches(loaded.tree):
        if runner.left >= 0 and not runner.has_findings(loaded):
            yield from _of_batch(runner, loaded, batch)


def _of_batch(runner: VariantRunner, loaded: SourceModule, batch: ExampleBatch) -> Iterator[Finding]:
    first, *others = (factor * batch.size for factor in _FACTORS)
    keys = {key for key in runner.failures(_run(runner, loaded, batch, first)) if key[3] != CALL}
    for size in others if keys else ():
        keys &= _run(runner, loaded, batch, size).findings.keys()
    if not keys:
        return
    again = _run(runner, loaded, batch, first, notes=True).findings
    note = note_at(loaded, batch.sites[0], f"found with a batch of {first} in place of {batch.size}")
    for key in sorted(keys & again.keys()):
        if _is_of_layer(again[key]) or (key[0] == loaded.source.display and key[1] in batch.lines):
            continue  # the example may depend on the batch size in another way
        found = with_condition(again[key], f"works only for a batch of {batch.size}", note)
        if runner.is_first(found):
            yield found


def _is_of_layer(finding: Finding) -> bool:
    """Whether a layer refuses the input: the size is that of channels or features, not of the batch."""
    return finding.conflict is not None and finding.conflict.built is not None


def _run(runner: VariantRunner, loaded: SourceModule, batch: ExampleBatch, size: int, *, notes: bool = False) -> Found:
    """The findings of the body of a file with this batch size; an observer would count its functions twice."""
    made = replace(loaded, tree=with_batch(loaded.text, batch, size))

    def body(run: Run) -> None:
        with unwatched(run):
            run_body(run, names=Namespace(made))

    return runner.run_at(made, made.tree, body, EntryDefaults(), notes=notes, most=_MOST_STEPS)
