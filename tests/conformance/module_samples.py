"""module_db: every layer with its constructor's and its forward's arguments."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import torch
from torch.testing._internal.common_modules import FunctionInput, ModuleInfo, ModuleInput, module_db

from shapecheck.ops import ModuleSpec, Unknown, find
from shapecheck.ops.guard import call
from shapecheck.spec import ShapeError, Unanswered
from tests.conformance.op_samples import Judged
from tests.conformance.oracle import Verdict, answer_of_module, show
from tests.conformance.specs import spec_of


def judged_modules(only: frozenset[str] = frozenset()) -> Iterator[Judged]:
    for info in module_db:
        if not only or info.name in only:
            yield from judged_module(info)


def judged_module(info: ModuleInfo) -> Iterator[Judged]:
    entry = find(f"torch.{info.name}")
    family = entry.family if entry else "-"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.manual_seed(0)
        for training in (True, False):
            for sample in _inputs(info, training):
                verdict = judged_sample(info, sample, training)
                if verdict is not None:
                    yield Judged(info.name, family, verdict)


def _inputs(info: ModuleInfo, training: bool) -> list[ModuleInput]:
    dtype = torch.float32 if torch.float32 in info.dtypes else info.dtypes[0]
    inputs = info.module_inputs_func(info, device="cpu", dtype=dtype, requires_grad=False, training=training)
    return [one for one in inputs if one.forward_input is not None]


def judged_sample(info: ModuleInfo, sample: ModuleInput, training: bool) -> Verdict | None:
    built = sample.constructor_input
    forward = sample.forward_input
    given = spec_of((forward.args, forward.kwargs))
    try:
        real_layer = info.module_cls(*built.args, **built.kwargs).train(training)
        real = real_layer(*forward.args, **forward.kwargs)
    except Exception:
        return None
    layer = built_spec(f"torch.{info.name}", spec_of((built.args, built.kwargs)))
    return layer if isinstance(layer, Verdict) else answer_of_module(layer, given, real)


def built_spec(name: str, given: Any) -> ModuleSpec | Verdict:
    entry = find(name)
    if entry is None:
        return Verdict("unknown", "no rule")
    try:
        layer = call(entry, given[0], given[1])
    except ShapeError as refusal:
        return Verdict("flagged", f"{refusal} | {show(given)}")
    except Unanswered as why:
        return Verdict("unknown", str(why))
    except Exception as crash:
        return Verdict("crash", f"{type(crash).__name__}: {crash} | {show(given)}")
    return layer if isinstance(layer, ModuleSpec) else Verdict("wrong", repr(layer))


def refused_modules() -> Iterator[tuple[str, str, str, str]]:
    """(layer, outcome, what torch says, what we say) for each of module_db's error inputs."""
    for info in module_db:
        if info.module_error_inputs_func is None:
            continue
        for error in info.module_error_inputs_func(
            info, device="cpu", dtype=torch.float32, requires_grad=False, training=True
        ):
            yield info.name, *_refusal(info, error.module_error_input)


def _refusal(info: ModuleInfo, sample: ModuleInput) -> tuple[str, str, str]:
    built, forward = sample.constructor_input, sample.forward_input or FunctionInput()
    try:
        layer = info.module_cls(*built.args, **built.kwargs)
        if sample.forward_input is not None:
            layer(*forward.args, **forward.kwargs)
    except Exception as refusal:
        says = str(refusal)
    else:
        return "invisible", "", ""
    entry = find(f"torch.{info.name}")
    assert entry is not None
    try:
        ours = call(entry, *spec_of((built.args, built.kwargs)))
        if sample.forward_input is not None:
            ours = ours(*spec_of(forward.args), **spec_of(forward.kwargs))
    except ShapeError as refusal:
        return "refused", says, str(refusal)
    return ("unknown" if isinstance(ours, Unknown) else "accepted"), says, repr(ours)
