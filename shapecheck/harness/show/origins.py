"""One line for the constructors and one for the inputs of all cases: where both come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from shapecheck.harness.results import CaseResult


def origins(cases: Sequence[CaseResult]) -> Iterator[str]:
    """`inputs from: annotations (3), first layer (1)`; nothing for cases that were not built."""
    for title, texts in (
        ("built from", [case.constructor for case in cases]),
        ("inputs from", [case.inputs_from for case in cases]),
    ):
        counts = Counter(text.partition(": ")[0] for text in texts if text)
        if counts:
            yield f"{title}: {', '.join(f'{text} ({count})' for text, count in counts.most_common())}"
