"""Inside one of several processes: builds the case, wraps it, calls it, and writes a record."""

from __future__ import annotations

import faulthandler
import os
import re
import sys
import warnings
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import IO

import msgspec
import torch
from torch import Tensor, nn
from torch import distributed as dist

from shapecheck.harness.cases.build import constructor_of
from shapecheck.harness.cases.model import Case
from shapecheck.harness.check_context import differ, tolerance
from shapecheck.harness.formatting import with_type_name
from shapecheck.harness.inputs.plan import InputPlan
from shapecheck.harness.load_cases import load_case, prepare_imports
from shapecheck.harness.ranks.order import Order
from shapecheck.harness.ranks.parting import part, with_others_waiting
from shapecheck.harness.ranks.records import Failure, RankFiles, RankRecord
from shapecheck.harness.ranks.shards import Boundaries, parameters, whole
from shapecheck.harness.ranks.watch import Collectives, MismatchError
from shapecheck.harness.subject import Subject, build_subject
from shapecheck.harness.tensors import differentiate, flat
from shapecheck.harness.wrap import WrapError, parallelized, plain, wrapped_in_place
from shapecheck.runtime.guards.places import SourceLocation, place_of_error

_CPU = torch.device("cpu")
_CONNECTION = re.compile(
    r"gloo|monitoredBarrier|ProcessGroupWrapper|mismatch between collectives|Connection (closed|reset)"
)
_OPEN: list[IO[str]] = []
"""Files that are written to when this process dies, also while it exits."""
SAME, OWN = 1, 2
"""The steps: a call with the same arguments in all processes, and one with different values in each."""


def main(order: Order) -> None:
    """The whole process; `torchrun` sets the environment."""
    rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    files = RankFiles(order.folder, rank)
    trace = files.trace.open("w")
    _OPEN.append(trace)
    faulthandler.enable(trace, all_threads=False)
    faulthandler.dump_traceback_later(order.limit_seconds, file=trace, exit=True)
    torch.set_num_threads(order.options.threads)
    prepare_imports(order.target)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _join_group(order)
        others = [RankFiles(order.folder, other) for other in range(size) if other != rank]
        run = _Run(order, files, others)
        record = run.record()
        _write(files.record, record)
        if run.is_refused:
            sys.exit(1)  # the launcher then ends the others, which wait in vain
        if part(files, others):
            _write(files.record, with_others_waiting(record))
            sys.exit(1)


def _write(file: Path, record: RankRecord) -> None:
    incomplete = file.with_suffix(".part")
    incomplete.write_bytes(msgspec.json.encode(record))
    incomplete.rename(file)


def _join_group(order: Order) -> None:
    """Joins the other processes. Torch compares their collectives, except under DDP, which cannot do that."""
    if order.options.wrap != "ddp":
        dist.set_debug_level(dist.DebugLevel.DETAIL)  # type: ignore[attr-defined]
    dist.init_process_group("gloo", timeout=timedelta(seconds=order.wait_seconds))


class _Run:
    """The steps of one process."""

    def __init__(self, order: Order, files: RankFiles, others: Sequence[RankFiles]) -> None:
        self.order = order
        self.files = files
        self.others = others
        self.result = RankRecord(files.rank)
        self.is_refused = False
        """Whether a collective was not called, because another process has called another one."""

    def record(self) -> RankRecord:
        """What happened; an exception is part of it."""
        try:
            self._build_and_call()
        except WrapError as why:
            return replace(self.result, refused=str(why))
        except Exception as error:
            self.is_refused = isinstance(error, MismatchError)
            place = place_of_error(error) or SourceLocation("", 0)
            words = " ".join(str(error).split())
            failure = Failure(with_type_name(error), *place, is_connection=bool(_CONNECTION.search(words)))
            return replace(self.result, failure=failure)
        return self.result

    def _build_and_call(self) -> None:
        order = self.order
        case = _as_constructed(load_case(order.target, order.name), order.constructor)
        start = SourceLocation(str(case.file), case.line)
        with self.files.collectives.open("ab") as file, Collectives(file, start, self.others):
            subject = build_subject(case, _CPU, order.options.seed, fake=False)
            if order.known is not None:
                subject.assume(order.known)
            alone = flat(subject.call(subject.arguments(order.plan))) if order.compares else None
            model = self._wrapped(subject)
            self._note(replace(self.result, tensors=tuple(parameters(plain(model)))))
            results = self._step(SAME, subject, model, order.plan)
            if alone is not None:
                self._compare(alone, results)
            if order.options.wrap:  # its processes have data of their own
                own = replace(order.plan, seed=order.plan.seed + 1 + self.result.rank)
                self._step(OWN, subject, model, own)

    def _note(self, result: RankRecord) -> None:
        """Keep what is known so far, also for the case that this process is ended before it is done."""
        self.result = result
        _write(self.files.progress, result)

    def _wrapped(self, subject: Subject) -> nn.Module:
        kind, declared = self.order.options.wrap, subject.declared.parallelize
        if kind:
            return wrapped_in_place(subject.model, kind, _CPU)
        return subject.model if declared is None else parallelized(subject.model, declared, _CPU)

    def _step(self, step: int, subject: Subject, model: nn.Module, plan: InputPlan) -> list[Tensor]:
        """One forward and backward pass."""
        self._note(replace(self.result, step=step))
        model.eval()
        model.zero_grad(set_to_none=True)
        subject.restore_buffers()
        given = subject.arguments(plan)
        torch.manual_seed(subject.seed)
        with torch.enable_grad(), Boundaries(plain(model)) as boundaries:
            results = flat(model(*given.args, **given.kwargs))
            if step == SAME:
                seen = [one for of_module in boundaries.found.values() for one in of_module]
                self._note(replace(self.result, tensors=(*self.result.tensors, *seen)))
            differentiate(results)
        return [whole(one.detach()) for one in results]

    def _compare(self, alone: list[Tensor], results: list[Tensor]) -> None:
        """With the tolerance of the least precise dtype of any module."""
        dtypes = {one.local.partition(" ")[0] for one in self.result.tensors}
        low = next((one for one in (torch.bfloat16, torch.float16) if str(one) in dtypes), torch.float32)
        self.result = replace(self.result, difference=differ(alone, results, *tolerance(low)))


def _as_constructed(case: Case, constructor: str) -> Case:
    """The way to build the case that the reference run used."""
    return next((one for one in (*case.alternatives, case) if constructor_of(one) == constructor), case)
