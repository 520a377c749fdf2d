"""The same inputs and the same seed give the same result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.checks.table import check
from shapecheck.harness.trial import Trial, differ, flat

_EXACT = (1e-6, 1e-7)


@check(50, needs_data=True)
def determinism(trial: Trial) -> Iterator[Diagnostic]:
    """Two calls in eval mode, two in train mode."""
    for mode in ("eval", "train"):
        trial.model.train(mode == "train")
        try:
            first, second = _watched(trial), _watched(trial)
        except Exception:  # the check `train` tells of it
            return
        finally:
            trial.model.eval()
        words = differ(flat(first.output), flat(second.output), *_EXACT)
        if words:
            path = _first_difference(first, second)
            module = trial.model.get_submodule(path)
            yield trial.finding(
                "not-deterministic",
                f"two calls with the same inputs and the same seed differ in {mode} mode: {words}",
                trial.forward_place(module),
                module=path,
            )
            return


class _Watched:
    def __init__(self) -> None:
        self.output: Any = None
        self.results: dict[str, list[Tensor]] = {}


def _watched(trial: Trial) -> _Watched:
    """One call, and what each module gave in it first."""
    watched = _Watched()
    handles = []
    for path, module in trial.model.named_modules():

        def note(_: nn.Module, __: Any, output: Any, path: str = path) -> None:
            watched.results.setdefault(path, [one.detach().clone() for one in flat(output)])

        if type(module).__module__.partition(".")[0] != "torch":
            handles.append(module.register_forward_hook(note))
    try:
        watched.output = trial.subject.call(trial.subject.arguments(trial.plan))
    finally:
        for handle in handles:
            handle.remove()
    return watched


def _first_difference(first: _Watched, second: _Watched) -> str:
    """The path of the innermost module of the program whose results differ first."""
    for path, results in first.results.items():  # in the order in which they ended
        if differ(results, second.results.get(path, []), *_EXACT):
            return path
    return ""


def is_random(trial: Trial) -> bool:
    """Whether the result hangs on random numbers in eval mode, as that of a sampler does."""
    subject = trial.subject
    seed = subject.seed
    try:
        first = flat(subject.call(subject.arguments(trial.plan)))
        subject.seed = seed + 1
        second = flat(subject.call(subject.arguments(trial.plan)))
    finally:
        subject.seed = seed
    with torch.no_grad():
        return bool(differ(first, second, *_EXACT))
